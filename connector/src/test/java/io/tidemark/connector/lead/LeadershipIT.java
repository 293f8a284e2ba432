package io.tidemark.connector.lead;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.connector.sink.KafkaClients;
import io.tidemark.connector.source.EtcdSource;
import io.tidemark.connector.source.EtcdView;
import io.tidemark.connector.topic.TopicSettings;
import io.tidemark.etcd.EtcdWatch;
import io.tidemark.etcd.RangePage;
import io.tidemark.local.kafka.EmbeddedKafka;
import io.tidemark.local.kafka.KafkaSettings;
import io.tidemark.reading.ClockStepDetector;
import io.tidemark.record.Bytes;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LeadershipIT {

    @TempDir private Path data;

    /**
     * Kafka's broker shares this process's real clock, so its reaction to the step is not tested.
     */
    @Test
    void stepsDownAndRejoinsAfterABackwardClockStep() throws Exception {
        AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ofHours(1));
        Recorded candidate = new Recorded();
        try (EmbeddedKafka kafka = EmbeddedKafka.start(KafkaSettings.loopback(data))) {
            Leadership leadership =
                    new Leadership(
                            new KafkaClients(kafka.bootstrapServers(), Map.of()),
                            TopicSettings.DEFAULT,
                            candidate,
                            new EtcdReachabilityProbe(new ReachableEtcd()),
                            new ClockStepDetector(
                                    () -> Instant.now().plus(ahead.get()), System::nanoTime));
            leadership.start();
            await().until(() -> candidate.calls().contains("lead"));

            ahead.set(Duration.ZERO);

            await().untilAsserted(() ->
                    assertThat(candidate.calls()).containsSubsequence("lead", "step down", "lead"));
            leadership.close();
            leadership.awaitEnd();
        }
        assertThat(candidate.calls()).endsWith("step down");
    }

    @Test
    void measuresHowLongBrokersHaveNotAnswered() throws Exception {
        KafkaSettings settings = KafkaSettings.loopback(data);
        Recorded candidate = new Recorded();
        int port;
        Leadership leadership;
        try (EmbeddedKafka kafka = EmbeddedKafka.start(settings)) {
            port = kafka.port();
            leadership =
                    new Leadership(
                            new KafkaClients(kafka.bootstrapServers(), Map.of()),
                            TopicSettings.DEFAULT,
                            candidate,
                            new EtcdReachabilityProbe(new ReachableEtcd()));
            leadership.start();
            await().until(() -> candidate.calls().contains("lead"));
        }
        Duration some = Duration.ofSeconds(2);
        await().until(() -> leadership.sinceLastHeartbeat().compareTo(some) > 0);
        try (EmbeddedKafka _ = EmbeddedKafka.start(settings.withPort(port))) {
            await().until(() -> leadership.sinceLastHeartbeat().compareTo(some) < 0);
            leadership.close();
            leadership.awaitEnd();
        }
    }

    /** Writes nothing; records its calls, except those without effect. */
    private static final class Recorded implements Leadership.Candidate {
        private final List<String> calls = new CopyOnWriteArrayList<>();

        List<String> calls() {
            return List.copyOf(calls);
        }

        @Override
        public void lead() {
            calls.add("lead");
        }

        @Override
        public void enterStandby() {}

        @Override
        public void stepDown() {
            if (!calls.isEmpty() && calls.getLast().equals("lead")) {
                calls.add("step down");
            }
        }

        @Override
        public void leaveElection(String why) {
            calls.add("left: " + why);
        }

        @Override
        public Leadership.LeadershipState state() {
            return Leadership.LeadershipState.ACTIVE;
        }
    }

    /** Answers only {@link #newest}. */
    private static final class ReachableEtcd implements EtcdSource {
        @Override
        public Newest newest() {
            return new Newest(1, 1);
        }

        @Override
        public EtcdView view() {
            throw new UnsupportedOperationException();
        }

        @Override
        public long oldestRevision() {
            throw new UnsupportedOperationException();
        }

        @Override
        public RangePage list(Bytes fromKeyInclusive, long revision, int limit) {
            throw new UnsupportedOperationException();
        }

        @Override
        public EtcdWatch watch(long revision) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {}
    }
}
