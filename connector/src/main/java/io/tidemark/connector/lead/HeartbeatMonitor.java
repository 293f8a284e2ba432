package io.tidemark.connector.lead;

import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.Metric;
import org.jspecify.annotations.Nullable;

/**
 * How long ago the brokers answered a heartbeat. Kafka's consumer says nothing when it is no member
 * of its group any more and does not become one: whoever the group has forgotten takes nothing
 * over. Told by one thread, asked by any.
 */
final class HeartbeatMonitor {
    private static final String ANSWERS = "heartbeat-total";

    private volatile long heardNanos = System.nanoTime();
    private @Nullable Metric answers;
    private Object before = 0.0;

    /** This consumer is the member from now on. */
    void track(Consumer<?, ?> member) {
        before = 0.0;
        answers =
                member.metrics().entrySet().stream()
                        .filter(each -> each.getKey().name().equals(ANSWERS))
                        .findAny()
                        .<Metric>map(Map.Entry::getValue)
                        .orElse(null);
    }

    /** Looks whether there was an answer since the last look. */
    void update() {
        Metric counted = answers;
        if (counted != null && !counted.metricValue().equals(before)) {
            before = counted.metricValue();
            heardNanos = System.nanoTime();
        }
    }

    /** Since when there has been none. */
    Duration sinceLastHeartbeat() {
        return Duration.ofNanos(System.nanoTime() - heardNanos);
    }
}
