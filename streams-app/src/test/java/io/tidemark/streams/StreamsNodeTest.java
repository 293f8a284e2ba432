package io.tidemark.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.tidemark.streams.NodeProgress.Phase;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StreamsNodeTest {
    private static final String UNKNOWN = "no.such.host.invalid:9092";

    @TempDir private Path folder;

    /** In a new cluster the brokers' names may not resolve yet. */
    @Test
    void waitsWhileTheNamesOfTheBrokersDoNotResolve() {
        StreamsNode node = new StreamsNode(StreamsSettings.of(UNKNOWN, folder));
        node.start();
        Awaitility.await().until(() -> !node.progress().detail().isEmpty());
        assertThat(node.progress().phase()).isEqualTo(Phase.WAITING_FOR_TOPIC);
        assertThat(node.progress().detail()).contains(UNKNOWN, "bootstrap");
        assertTimeoutPreemptively(Duration.ofMinutes(1), node::close);
        assertThat(node.progress().phase()).isEqualTo(Phase.CLOSED);
    }
}
