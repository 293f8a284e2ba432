package io.tidemark.connector.lead;

import java.time.Duration;

/**
 * Whether a connector that cannot reach etcd leaves the others. Pure.
 *
 * <p>Who stands by leaves first, by itself, so those that are left can take over; and who leads
 * leaves only when somebody is left. So when etcd is down for all, the standbys go and the leader
 * stays: the lead is not passed around among those who can do nothing with it.
 *
 * @param standbyAfter how long etcd is lost for one that stands by before it leaves
 * @param leaderAfter the same for one that leads; so much longer that standbys have left before
 */
record StepDownPolicy(Duration standbyAfter, Duration leaderAfter) {
    static final StepDownPolicy DEFAULT =
            new StepDownPolicy(Duration.ofSeconds(3), Duration.ofSeconds(5));

    /** What a member of the group is. */
    enum Role {
        /** The group has not said yet. */
        JOINING,
        STANDBY,
        LEADER
    }

    /** What to do. */
    enum Advice {
        STAY,
        /** Leave if there is anybody else in the group. */
        LEAVE_IF_OTHERS_REMAIN,
        LEAVE
    }

    StepDownPolicy {
        if (standbyAfter.compareTo(leaderAfter) >= 0) {
            throw new IllegalArgumentException(
                    "standbys go after %s, leaders after %s: they must go first"
                            .formatted(standbyAfter, leaderAfter));
        }
    }

    /**
     * @param lost for how long etcd has been asked in vain
     */
    Advice advice(Role role, Duration lost) {
        return switch (role) {
            case JOINING -> Advice.STAY;
            case STANDBY -> mayRejoin(lost) ? Advice.STAY : Advice.LEAVE;
            case LEADER ->
                    lost.compareTo(leaderAfter) < 0 ? Advice.STAY : Advice.LEAVE_IF_OTHERS_REMAIN;
        };
    }

    /** Whether one that has left may come back, as a standby. */
    boolean mayRejoin(Duration lost) {
        return lost.compareTo(standbyAfter) < 0;
    }
}
