package io.tidemark.connector.lead;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.tidemark.connector.lead.Leadership.Candidate;
import io.tidemark.connector.lead.Leadership.LeadershipState;
import io.tidemark.connector.sink.KafkaClients;
import io.tidemark.connector.topic.TopicSettings;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class LeadershipTest {
    /** Never leads, since it finds no group. */
    private static final class Waiting implements Candidate {
        private final AtomicBoolean steppedDown = new AtomicBoolean();

        @Override
        public void lead() {
            throw new AssertionError("no group elects it");
        }

        @Override
        public void enterStandby() {}

        @Override
        public void stepDown() {
            steppedDown.set(true);
        }

        @Override
        public void leaveElection(String why) {}

        @Override
        public LeadershipState state() {
            return LeadershipState.ACTIVE;
        }
    }

    @Test
    void endsInTimeWhileKafkaIsUnreachable() {
        Waiting candidate = new Waiting();
        Leadership election =
                new Leadership(
                        new KafkaClients("127.0.0.1:1", Map.of()),
                        TopicSettings.DEFAULT,
                        candidate,
                        new EtcdReachabilityProbe(new UnreachableEtcd()));
        election.start();
        // Now a request to Kafka is on its way.
        Awaitility.await().until(LeadershipTest::hasAdminThread);
        election.close();
        assertTimeoutPreemptively(
                Duration.ofMinutes(1), () -> election.awaitEnd(Duration.ofSeconds(1)));
        assertTimeoutPreemptively(Duration.ofMinutes(1), () -> election.awaitEnd());
        assertThat(candidate.steppedDown).isTrue();
    }

    private static boolean hasAdminThread() {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(each -> each.getName().contains("kafka-admin-client-thread"));
    }
}
