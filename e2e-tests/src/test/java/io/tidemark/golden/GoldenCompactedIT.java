package io.tidemark.golden;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.golden.recording.GoldenRecordings;
import io.tidemark.waits.LongTest;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The recorded cluster's etcd was compacted. Tidemark, which started later, has the same history as
 * etcd, and its refusals have the same texts.
 */
@LongTest
class GoldenCompactedIT {
    @TempDir private Path folder;

    @Test
    void requestsAreAnsweredAsRecorded() throws Exception {
        GoldenRecordings recordings = GoldenRecordings.orSkip();
        GoldenRecordings.Rows rows = recordings.rows("static-compacted");
        long compacted = rows.meta().path("compactedAt").asLong();
        try (GoldenServer server = GoldenServer.start(recordings, folder, compacted)) {
            assertThat(server.replayRequests(rows).failures(recordings)).isEmpty();
        }
    }
}
