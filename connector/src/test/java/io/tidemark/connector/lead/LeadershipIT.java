package io.tidemark.connector.lead;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.connector.sink.KafkaClients;
import io.tidemark.connector.source.EtcdSource;
import io.tidemark.connector.source.EtcdView;
import io.tidemark.connector.topic.TopicSettings;
import io.tidemark.local.EmbeddedKafka;
import io.tidemark.local.KafkaSettings;
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
    private static final Duration LONG = Duration.ofSeconds(60);

    @TempDir private Path data;

    /** Kafka's own clocks are the machine's: what it would do then is not seen here. */
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
            await().atMost(LONG).until(() -> candidate.told().equals(List.of("lead")));

            ahead.set(Duration.ZERO);

            await().atMost(LONG)
                    .until(() -> candidate.told().equals(List.of("lead", "step down", "lead")));
            leadership.close();
            leadership.awaitEnd();
        }
        assertThat(candidate.told()).endsWith("step down");
    }

    @Test
    void whomTheBrokersDoNotAnswerKnowsSo() throws Exception {
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
            await().atMost(LONG).until(() -> candidate.told().equals(List.of("lead")));
        }
        Duration some = Duration.ofSeconds(2);
        await().atMost(LONG).until(() -> leadership.sinceLastHeartbeat().compareTo(some) > 0);
        try (EmbeddedKafka _ = EmbeddedKafka.start(settings.withPort(port))) {
            await().atMost(LONG).until(() -> leadership.sinceLastHeartbeat().compareTo(some) < 0);
            leadership.close();
            leadership.awaitEnd();
        }
    }

    /** Writes nothing; what it was told, but for what changes nothing. */
    private static final class Recorded implements Leadership.Candidate {
        private final List<String> told = new CopyOnWriteArrayList<>();

        List<String> told() {
            return List.copyOf(told);
        }

        @Override
        public void lead() {
            told.add("lead");
        }

        @Override
        public void enterStandby() {}

        @Override
        public void stepDown() {
            if (!told.isEmpty() && told.getLast().equals("lead")) {
                told.add("step down");
            }
        }

        @Override
        public void leaveElection(String why) {
            told.add("away: " + why);
        }

        @Override
        public Leadership.LeadershipState state() {
            return Leadership.LeadershipState.ACTIVE;
        }
    }

    /** Asked for nothing but where it is. */
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
        public Page list(Bytes fromKeyInclusive, long revision, int limit) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Watch watch(long fromRevisionInclusive) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {}
    }
}
