package io.tidemark.streams;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.nodeauth.NodeClient;
import io.tidemark.nodeauth.PeerSecrets;
import io.tidemark.store.layout.StoreSettings;
import io.tidemark.store.read.ReadThreads;
import io.tidemark.store.rocksdb.RocksMemory;
import io.tidemark.streams.group.GroupCommits;
import io.tidemark.streams.replica.DiskSpace;
import io.tidemark.streams.replica.OpenPartitions;
import io.tidemark.streams.replica.ReadAhead;
import io.tidemark.streams.replica.SkippedRanges;
import io.tidemark.streams.replica.StartupStores;
import io.tidemark.streams.replica.StateFolders;
import io.tidemark.streams.replica.StoreCloser;
import io.tidemark.streams.replica.StoreContext;
import io.tidemark.streams.replica.TopicReader;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.clients.admin.ForwardingAdmin;
import org.apache.kafka.common.metrics.KafkaMetric;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Without brokers: a node that was never in its group. */
class RunningNodeTest {
    @TempDir private Path folder;
    @AutoClose private final NodeClient connectors = new NodeClient(PeerSecrets.random());
    private final CountDownLatch closing = new CountDownLatch(1);
    private final CountDownLatch mayClose = new CountDownLatch(1);

    @Test
    void aStopDoesNotWaitForAsLongAsARejoinMay() throws Exception {
        RunningNode node = node();
        Thread rejoin = Thread.ofPlatform().start(() -> node.close(Duration.ofMinutes(1)));
        closing.await();

        assertThat(node.close(Duration.ofMillis(1))).isFalse();
        assertThat(rejoin.isAlive()).isTrue();

        mayClose.countDown();
        assertThat(node.close(Duration.ofMinutes(1))).isTrue();
        rejoin.join();
    }

    private RunningNode node() {
        StreamsSettings settings = StreamsSettings.of("127.0.0.1:1", folder);
        Duration day = Duration.ofDays(1);
        TopicFacts facts = new TopicFacts("topic-id", 1, day, day, Duration.ofSeconds(10));
        OpenPartitions open = new OpenPartitions();
        open.setPartitions(1);
        SkippedRanges passed = new SkippedRanges();
        StoreContext context =
                new StoreContext(
                        open,
                        new StoreCloser(),
                        new StartupStores(),
                        StoreSettings.DEFAULT,
                        facts.id(),
                        day,
                        new RocksMemory(8 << 20, 8 << 20),
                        ReadThreads.start(),
                        InstantSource.system(),
                        new TopicReader(settings.topic(), Map.of(), passed),
                        passed,
                        new ReadAhead(),
                        new GroupCommits(),
                        new DiskSpace(StateFolders.of(folder, settings.applicationId())));
        return new RunningNode(
                settings, facts, context, SlowAdmin::new, connectors, _ -> {}, () -> {});
    }

    /** Keeps Streams from ending. */
    private final class SlowAdmin extends ForwardingAdmin {
        SlowAdmin(Map<String, Object> config) {
            super(config);
        }

        @Override
        public void close(Duration timeout) {
            closing.countDown();
            try {
                mayClose.await();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
            super.close(timeout);
        }

        @Override
        public void registerMetricForSubscription(KafkaMetric metric) {}

        @Override
        public void unregisterMetricFromSubscription(KafkaMetric metric) {}
    }
}
