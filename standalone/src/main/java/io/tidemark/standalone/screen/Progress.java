package io.tidemark.standalone.screen;

import io.tidemark.connector.ConnectorStatus;
import io.tidemark.streams.NodeProgress;
import java.util.concurrent.TimeUnit;

/**
 * Describes the progress of the connector and the node while they start. Keeps the previous sample
 * to compute rates.
 */
public final class Progress {
    /** Rates are measured over at least this long. */
    private static final long RATE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private long lastNanos;
    private long lastRestored;
    private long restoredPerSecond;

    /** A line about the connector; empty when it is ready. */
    public static String of(ConnectorStatus status) {
        return switch (status.phase()) {
            case STARTING -> "connecting to etcd and Kafka";
            case STANDBY -> "on standby: another connector leads";
            case LISTING -> listing(status);
            case REPLAYING ->
                    "replaying revision %s of %s"
                            .formatted(
                                    Screen.count(status.revision()),
                                    Screen.count(status.etcdRevision()));
            case WAITING -> "waiting: " + status.lastError();
            case FOLLOWING, FAILED -> "";
        };
    }

    private static String listing(ConnectorStatus status) {
        if (status.objectsTotal() == 0) {
            return "listing objects";
        }
        long remaining = Math.max(0, status.objectsTotal() - status.objectsListed());
        return "listing %s of %s objects, %s/s, %s"
                .formatted(
                        Screen.count(status.objectsListed()),
                        Screen.count(status.objectsTotal()),
                        Screen.count(Math.round(status.objectsPerSecond())),
                        remaining(remaining, Math.round(status.objectsPerSecond())));
    }

    /**
     * A line about the node; empty when it is ready.
     *
     * @param nowNanos {@link System#nanoTime}
     */
    public String of(NodeProgress progress, long nowNanos) {
        return switch (progress.phase()) {
            case NEW -> "starting";
            case WAITING_FOR_TOPIC ->
                    progress.detail().isEmpty() ? "waiting for the topic" : progress.detail();
            case RESTORING -> restoring(progress, nowNanos);
            case RUNNING, CLOSED, FAILED -> "";
        };
    }

    private String restoring(NodeProgress progress, long nowNanos) {
        if (progress.total() == 0) {
            return "joining the group";
        }
        if (nowNanos - lastNanos >= RATE_NANOS) {
            restoredPerSecond =
                    lastNanos == 0
                            ? 0
                            : (progress.restored() - lastRestored)
                                    * TimeUnit.SECONDS.toNanos(1)
                                    / (nowNanos - lastNanos);
            lastNanos = nowNanos;
            lastRestored = progress.restored();
        }
        long remaining = Math.max(0, progress.total() - progress.restored());
        return "restoring %s of %s records, %s/s, %s"
                .formatted(
                        Screen.count(progress.restored()),
                        Screen.count(progress.total()),
                        Screen.count(Math.max(0, restoredPerSecond)),
                        remaining(remaining, restoredPerSecond));
    }

    private static String remaining(long items, long perSecond) {
        String text = Screen.count(items) + " remaining";
        return perSecond <= 0
                ? text
                : text + " (%d s)".formatted((items + perSecond - 1) / perSecond);
    }
}
