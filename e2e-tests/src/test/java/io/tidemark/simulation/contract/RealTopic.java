package io.tidemark.simulation.contract;

import io.tidemark.connector.sink.KafkaClients;
import io.tidemark.connector.sink.TopicClients;
import io.tidemark.connector.topic.TopicSettings;
import io.tidemark.harness.LogSegment;
import io.tidemark.http.testing.TcpProxy;
import io.tidemark.local.Ports;
import io.tidemark.local.kafka.EmbeddedKafka;
import io.tidemark.local.kafka.KafkaSettings;
import io.tidemark.simulation.world.Settings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** A topic of a real broker, behind a proxy that every client of it passes. */
final class RealTopic implements TopicUnderTest, AutoCloseable {
    private static final String LOOPBACK = "127.0.0.1";

    /** As long as the simulated ones. */
    private static final Map<String, Object> TIMEOUTS =
            Map.of(
                    "transaction.timeout.ms", (int) Settings.TRANSACTION_TIMEOUT_MILLIS,
                    "max.block.ms", 3_000,
                    "delivery.timeout.ms", 3_000,
                    "request.timeout.ms", 1_000,
                    "default.api.timeout.ms", 3_000);

    /** The broker looks for transactions to abort, and for logs to clean, often. */
    private static final Map<String, String> QUICK =
            Map.of(
                    "transaction.abort.timed.out.transaction.cleanup.interval.ms", "200",
                    "log.cleaner.backoff.ms", "100");

    private final Path folder;
    private final AnswerLoss answers = new AnswerLoss();
    private final TcpProxy link;
    private final EmbeddedKafka broker;
    private final KafkaClients clients;
    private int number;

    RealTopic(Path folder) throws IOException {
        this.folder = folder;
        int port = Ports.pickFree(LOOPBACK);
        link = new TcpProxy(new InetSocketAddress(LOOPBACK, port), answers);
        broker =
                EmbeddedKafka.start(
                        new KafkaSettings(
                                folder,
                                LOOPBACK,
                                port,
                                LOOPBACK + ":" + link.port(),
                                QUICK,
                                Optional.empty()));
        clients = new KafkaClients(broker.bootstrapServers(), TIMEOUTS);
    }

    /** Loses what the broker answers, from the time that a test sets. */
    private static final class AnswerLoss implements TcpProxy.Tap {
        private volatile boolean lost;

        @Override
        public byte[] answered(byte[] piece) {
            return lost ? new byte[0] : piece;
        }
    }

    /** Another topic, for the next test. */
    void createNext() throws Exception {
        number++;
        clients.prepare(TopicSettings.DEFAULT.withName(name()).withPartitions(2));
    }

    @Override
    public String name() {
        return "topic-" + number;
    }

    @Override
    public TopicClients clients() {
        return clients;
    }

    @Override
    public void reachable(boolean now) {
        if (now) {
            if (answers.lost) {
                answers.lost = false;
                link.dropConnections();
            }
            link.heal();
        } else {
            link.cut();
        }
    }

    @Override
    public void loseAnswersToCommits() {
        answers.lost = true;
    }

    @Override
    public void shortenLag() {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, name());
        try (Admin admin = clients.admin()) {
            admin.incrementalAlterConfigs(
                            Map.of(
                                    resource,
                                    List.of(
                                            set("min.compaction.lag.ms", "0"),
                                            set("delete.retention.ms", "2000"),
                                            set("min.cleanable.dirty.ratio", "0"),
                                            set("segment.ms", "1"))))
                    .all()
                    .get();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static AlterConfigOp set(String name, String value) {
        return new AlterConfigOp(new ConfigEntry(name, value), AlterConfigOp.OpType.SET);
    }

    /** The cleaner works by itself. */
    @Override
    public void clean() {}

    @Override
    public void corrupt(int partition, long offset) {
        Path log = folder.resolve("%s-%d/%020d.log".formatted(name(), partition, 0));
        LogSegment segment = new LogSegment(log);
        try {
            segment.flip(
                    segment.batches().stream()
                            .filter(batch -> batch.firstOffset() == offset)
                            .findFirst()
                            .orElseThrow());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public boolean await(BooleanSupplier condition) {
        try {
            Awaitility.await().pollInterval(Duration.ofMillis(20)).until(condition::getAsBoolean);
            return true;
        } catch (ConditionTimeoutException _) {
            return false;
        }
    }

    @Override
    public void close() throws IOException {
        broker.close();
        link.close();
    }
}
