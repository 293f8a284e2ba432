package io.tidemark.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class PodsTest {
    private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");

    private final RandomValues values = new RandomValues(1);
    private final ObjectNode replicaSet =
            InitialCluster.generate(1, NOW).values().stream()
                    .filter(json -> json.get("kind").asText().equals("ReplicaSet"))
                    .findFirst()
                    .orElseThrow();

    @Test
    void goesFromPendingToRunning() {
        ObjectNode pod = Pods.pending(replicaSet, values, NOW);
        assertThat(pod.at("/status/phase").asText()).isEqualTo("Pending");
        assertThat(Pods.isScheduled(pod)).isFalse();
        Pods.schedule(pod, "pier-1", NOW);
        assertThat(Pods.isScheduled(pod)).isTrue();
        assertThat(Pods.isStarted(pod)).isFalse();
        Pods.start(pod, Pods.running(replicaSet, values, NOW, "10.0.0.1", "10.1.0.1"));
        assertThat(pod.at("/status/phase").asText()).isEqualTo("Running");
        assertThat(pod.at("/status/podIP").asText()).isEqualTo("10.1.0.1");
        assertThat(pod.at("/spec/nodeName").asText()).isEqualTo("pier-1");
        assertThat(Pods.isReady(pod)).isTrue();
    }

    @Test
    void failedContainerRestartsAndRecordsTheReason() {
        ObjectNode pod = Pods.running(replicaSet, values, NOW, "10.0.0.1", "10.1.0.1");
        Pods.fail(pod, NOW.plusSeconds(5));
        assertThat(Pods.isReady(pod)).isFalse();
        Pods.restart(pod, NOW.plusSeconds(9));
        assertThat(Pods.isReady(pod)).isTrue();
        assertThat(pod.at("/status/containerStatuses/0/restartCount").asInt()).isEqualTo(1);
        assertThat(pod.at("/status/containerStatuses/0/lastState/terminated/exitCode").asInt())
                .isEqualTo(137);
        assertThat(pod.at("/status/containerStatuses/0/state/running/startedAt").asText())
                .isEqualTo("2026-11-21T10:00:09Z");
    }

    @Test
    void deletedPodStaysForItsGracePeriod() {
        ObjectNode pod = Pods.running(replicaSet, values, NOW, "10.0.0.1", "10.1.0.1");
        Pods.terminate(pod, NOW);
        assertThat(Pods.isTerminating(pod)).isTrue();
        assertThat(Pods.isReady(pod)).isFalse();
        assertThat(pod.at("/metadata/deletionTimestamp").asText())
                .isEqualTo("2026-11-21T10:00:30Z");
    }
}
