package io.tidemark.connector.lead;

import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.Metric;
import org.jspecify.annotations.Nullable;

/**
 * Measures how long ago the brokers answered a heartbeat. Kafka's consumer does not report that it
 * has lost its membership and cannot rejoin, and a connector outside the group cannot take over.
 * One thread updates it, any thread reads it.
 */
final class HeartbeatMonitor {
    private static final String HEARTBEAT_COUNT = "heartbeat-total";

    private volatile long answeredNanos = System.nanoTime();
    private @Nullable Metric heartbeats;
    private Object before = 0.0;

    /** Tracks this consumer from now on. */
    void track(Consumer<?, ?> member) {
        before = 0.0;
        heartbeats =
                member.metrics().entrySet().stream()
                        .filter(each -> each.getKey().name().equals(HEARTBEAT_COUNT))
                        .findAny()
                        .<Metric>map(Map.Entry::getValue)
                        .orElse(null);
    }

    /** Checks whether a heartbeat was answered since the last call. */
    void update() {
        Metric counted = heartbeats;
        if (counted != null && !counted.metricValue().equals(before)) {
            before = counted.metricValue();
            answeredNanos = System.nanoTime();
        }
    }

    /** Time since the last answered heartbeat. */
    Duration sinceLastHeartbeat() {
        return Duration.ofNanos(System.nanoTime() - answeredNanos);
    }
}
