package io.tidemark.connector.lead;

import java.time.Duration;

/**
 * Decides whether a connector that cannot reach etcd leaves the election. Pure.
 *
 * <p>A standby leaves first, unconditionally, so the remaining members can take over; the leader
 * leaves only when another member remains. So when etcd is down for all, the standbys leave and the
 * leader stays: leadership does not move among connectors that cannot use it.
 *
 * @param standbyAfter how long etcd is unreachable before a standby leaves
 * @param leaderAfter the same for the leader; longer, so that standbys have left by then
 */
public record StepDownPolicy(Duration standbyAfter, Duration leaderAfter) {
    public static final StepDownPolicy DEFAULT =
            new StepDownPolicy(Duration.ofSeconds(3), Duration.ofSeconds(5));

    /** Role of a group member. */
    enum Role {
        /** The group has not assigned one yet. */
        JOINING,
        STANDBY,
        LEADER
    }

    /** What a connector should do. */
    enum Advice {
        STAY,
        /** Leave if the group has another member. */
        LEAVE_IF_OTHERS_REMAIN,
        LEAVE
    }

    public StepDownPolicy {
        if (standbyAfter.compareTo(leaderAfter) >= 0) {
            throw new IllegalArgumentException(
                    "standbys leave after %s, leaders after %s: standbys must leave first"
                            .formatted(standbyAfter, leaderAfter));
        }
    }

    /**
     * @param unreachable for how long etcd has not answered
     */
    Advice advice(Role role, Duration unreachable) {
        return switch (role) {
            case JOINING -> Advice.STAY;
            case STANDBY -> mayRejoin(unreachable) ? Advice.STAY : Advice.LEAVE;
            case LEADER ->
                    unreachable.compareTo(leaderAfter) < 0
                            ? Advice.STAY
                            : Advice.LEAVE_IF_OTHERS_REMAIN;
        };
    }

    /** Whether a connector that left may rejoin, as a standby. */
    boolean mayRejoin(Duration unreachable) {
        return unreachable.compareTo(standbyAfter) < 0;
    }
}
