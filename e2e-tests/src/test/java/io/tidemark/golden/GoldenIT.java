package io.tidemark.golden;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.golden.comparison.Deviations;
import io.tidemark.golden.comparison.Outcome;
import io.tidemark.golden.recording.GoldenRecordings;
import io.tidemark.waits.LongTest;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * A recorded cluster's etcd is restored at the revision of the recording, and gets the requests
 * that its API server got. One Tidemark answers them all: first the requests on a fixed state, then
 * the watches, with the changes that they saw.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class GoldenIT {
    private static GoldenRecordings recordings = GoldenRecordings.none();
    private static @Nullable GoldenServer server;

    @BeforeAll
    static void start(@TempDir Path folder) throws Exception {
        recordings = GoldenRecordings.orSkip();
        server = GoldenServer.start(recordings, folder, 0);
    }

    @AfterAll
    static void stop() throws Exception {
        if (server != null) {
            server.close();
        }
    }

    @Test
    @Order(1)
    void requestsAreAnsweredAsRecorded() throws Exception {
        Report report = server().replayRequests(recordings.rows("static"));
        assertThat(report.failures(recordings)).isEmpty();
    }

    @Test
    @Order(1)
    void shardsAreAnsweredAsRecorded() throws Exception {
        GoldenRecordings.Rows rows = recordings.rows("shard");
        Report lists = server().replayRequests(rows.where(row -> !row.has("lines")), "", "shard");
        Deviations deviations = Deviations.load();
        List<Outcome> outcomes =
                new WatchReplay(server().etcd(), server().address(), deviations)
                        .replay(RecordedWatches.ofUnchanged(rows.where(row -> row.has("lines"))));
        Report watches = Report.written("shard-watch", outcomes, deviations);
        assertThat(lists.failures(recordings)).isEmpty();
        assertThat(watches.failures(recordings)).isEmpty();
    }

    @Test
    @LongTest
    @Order(2)
    void commandsPrintWhatTheyPrinted(@TempDir Path home) throws Exception {
        GoldenRecordings.Rows rows = recordings.rows("kubectl");
        Kubectl kubectl = Kubectl.orSkip(rows.meta().path("kubectl").asText(), home, server());
        Deviations deviations = Deviations.load();
        List<Outcome> outcomes = new CommandReplay(kubectl, deviations).replay(rows);
        Report report = Report.written(rows.file(), outcomes, deviations);
        assertThat(report.failures(recordings)).isEmpty();
    }

    @Test
    @Order(3)
    void watchesSeeWhatWasRecorded() throws Exception {
        GoldenRecordings.Rows rows = recordings.rows("watch");
        Deviations deviations = Deviations.load();
        List<Outcome> outcomes =
                new WatchReplay(server().etcd(), server().address(), deviations)
                        .replay(RecordedWatches.of(rows));
        Report report = Report.written(rows.file(), outcomes, deviations);
        assertThat(report.failures(recordings)).isEmpty();
    }

    /** The watches have changed the cluster since: its past is as it was. */
    @Test
    @LongTest
    @Order(4)
    void requestsOfThePastAreAnsweredAsRecorded() throws Exception {
        GoldenRecordings.Rows rows = recordings.rows("static");
        long then = rows.meta().path("etcdRevisionAfter").asLong();
        Report report = server().replayRequests(rows, "/at/" + then, "static-at");
        assertThat(report.failures(recordings)).isEmpty();
    }

    private static GoldenServer server() {
        if (server == null) {
            throw new IllegalStateException("not started");
        }
        return server;
    }
}
