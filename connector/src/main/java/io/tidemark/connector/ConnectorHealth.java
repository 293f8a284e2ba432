package io.tidemark.connector;

import io.tidemark.connector.http.ConnectorHttp;
import io.tidemark.connector.http.HealthCheck;
import io.tidemark.connector.lead.Leadership;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Liveness and readiness of a connector. */
final class ConnectorHealth implements ConnectorHttp.Health {
    /** No broker takes longer to come back, nor a group to settle. */
    private static final Duration SILENT = Duration.ofSeconds(15);

    private final Supplier<ConnectorStatus> connector;
    private final Supplier<@Nullable Leadership> elected;
    private final DoubleSupplier markAgeSeconds;

    /**
     * @param elected null before the start, and when it is not one of several
     * @param markAgeSeconds NaN before the first mark
     */
    ConnectorHealth(
            Supplier<ConnectorStatus> connector,
            Supplier<@Nullable Leadership> elected,
            DoubleSupplier markAgeSeconds) {
        this.markAgeSeconds = markAgeSeconds;
        this.connector = connector;
        this.elected = elected;
    }

    @Override
    public boolean alive() {
        return connector.get().phase() != ConnectorStatus.Phase.FAILED;
    }

    @Override
    public List<HealthCheck> checks() {
        ConnectorStatus status = connector.get();
        String error = status.lastError().isEmpty() ? "none" : status.lastError();
        return List.of(
                group(),
                new HealthCheck(
                        "feed", following(status), status.phase() + ", last error: " + error),
                new HealthCheck(
                        "revision",
                        true,
                        "%d of %d, epoch %d"
                                .formatted(
                                        status.revision(), status.etcdRevision(), status.epoch())),
                new HealthCheck("marks", true, marks()),
                new HealthCheck(
                        "list",
                        true,
                        "%d of %d objects"
                                .formatted(status.objectsListed(), status.objectsTotal())),
                new HealthCheck("gaps", true, status.gaps().text()),
                new HealthCheck(
                        "unreadable",
                        true,
                        "%d keys now, %d dead letters since the start"
                                .formatted(status.unreadableKeys(), status.deadLetters())));
    }

    /** Without fresh ones, reads of "now" do not find this connector. */
    private String marks() {
        double age = markAgeSeconds.getAsDouble();
        return Double.isNaN(age)
                ? "none written"
                : String.format(Locale.ROOT, "the last one was written %.1f s ago", age);
    }

    /** Whether it would take over, or be missed. */
    private HealthCheck group() {
        Leadership election = elected.get();
        if (election == null) {
            return new HealthCheck("group", true, "alone, without an election");
        }
        Duration sinceLastHeartbeat = election.sinceLastHeartbeat();
        return new HealthCheck(
                "group",
                sinceLastHeartbeat.compareTo(SILENT) < 0,
                "the brokers answered %d s ago".formatted(sinceLastHeartbeat.toSeconds()));
    }

    private static boolean following(ConnectorStatus status) {
        return switch (status.phase()) {
            case STANDBY, FOLLOWING, REPLAYING -> true;
            case STARTING, LISTING, WAITING, FAILED -> false;
        };
    }
}
