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

/** Liveness and readiness checks of a connector. */
final class ConnectorHealth implements ConnectorHttp.Health {
    /** Longer than a broker restart and a group rebalance take. */
    private static final Duration MAX_HEARTBEAT_SILENCE = Duration.ofSeconds(15);

    private final Supplier<ConnectorStatus> connector;
    private final Supplier<@Nullable Leadership> elected;
    private final DoubleSupplier markAgeSeconds;

    /**
     * @param elected supplies null before the start, and without an election
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

    /**
     * How fresh the tide marks are: without fresh ones, reads of "now" cannot find this connector.
     */
    private String marks() {
        double age = markAgeSeconds.getAsDouble();
        return Double.isNaN(age)
                ? "none written"
                : String.format(Locale.ROOT, "the last one was written %.1f s ago", age);
    }

    /** Whether this connector is a live member of the election group. */
    private HealthCheck group() {
        Leadership election = elected.get();
        if (election == null) {
            return new HealthCheck("group", true, "alone, without an election");
        }
        Duration sinceLastHeartbeat = election.sinceLastHeartbeat();
        return new HealthCheck(
                "group",
                sinceLastHeartbeat.compareTo(MAX_HEARTBEAT_SILENCE) < 0,
                "the brokers answered %d s ago".formatted(sinceLastHeartbeat.toSeconds()));
    }

    private static boolean following(ConnectorStatus status) {
        return switch (status.phase()) {
            case STANDBY, FOLLOWING, REPLAYING -> true;
            case STARTING, LISTING, WAITING, FAILED -> false;
        };
    }
}
