package io.tidemark.selfcheck;

import io.tidemark.concurrent.Backoff;
import java.time.Duration;

/**
 * The check's history of one partition on this node, and the repair policy. Immutable and pure:
 * every finding leads to the next state.
 *
 * <p>A replica that differs is rebuilt from the topic once. When the rebuilt one differs too, the
 * topic itself is wrong, and another rebuild would not help: the log and the report say so instead.
 * Rebuilds are bounded for any findings: the second comes at the earliest ten minutes after the
 * first, and every further one after twice as long, up to six hours; a day without any resets this.
 *
 * @param provenRevision newest revision at which the replica was proven equal to etcd; 0 for none
 * @param provenAtMillis when that was
 * @param rebuilds in a row, without a day in between
 * @param unprovenRebuilds how many of those came after the last proof
 * @param rebuiltAtMillis when the last one began; 0 for none
 * @param finding the difference that was found and not disproved since; empty for none
 * @param topicSuspected whether a rebuilt replica was found to differ
 */
record RepairState(
        long provenRevision,
        long provenAtMillis,
        int rebuilds,
        int unprovenRebuilds,
        long rebuiltAtMillis,
        String finding,
        boolean topicSuspected) {
    static final RepairState BEGIN = new RepairState(0, 0, 0, 0, 0, "", false);

    private static final Backoff PAUSES = new Backoff(Duration.ofMinutes(10), Duration.ofHours(6));
    private static final Duration FORGOTTEN = Duration.ofDays(1);

    enum Action {
        NOTHING,
        REBUILD
    }

    /**
     * The next state and the action to take.
     *
     * @param isNewFinding whether it differs from the last finding, and is worth a log line
     */
    record Decision(RepairState next, Action action, boolean isNewFinding) {}

    RepairState proven(long revision, long nowMillis) {
        boolean forgotten = isOver(FORGOTTEN, nowMillis);
        return new RepairState(
                revision,
                nowMillis,
                forgotten ? 0 : rebuilds,
                0,
                forgotten ? 0 : rebuiltAtMillis,
                "",
                false);
    }

    /** Single keys of the replica differ from etcd. */
    Decision differs(String what, long nowMillis) {
        return found(what, unprovenRebuilds > 0, nowMillis);
    }

    /** The replica is corrupt, which proves nothing about the topic. */
    Decision unreadable(String why, long nowMillis) {
        return found(why, topicSuspected, nowMillis);
    }

    /** A clock that was ahead at the last rebuild, and has been set back, must not prolong it. */
    private boolean isOver(Duration sinceRebuild, long nowMillis) {
        long elapsed = nowMillis - rebuiltAtMillis;
        return elapsed < 0 || elapsed >= sinceRebuild.toMillis();
    }

    private Decision found(String what, boolean suspected, long nowMillis) {
        boolean rebuild = rebuilds == 0 || isOver(PAUSES.after(rebuilds), nowMillis);
        RepairState next =
                new RepairState(
                        provenRevision,
                        provenAtMillis,
                        rebuild ? rebuilds + 1 : rebuilds,
                        rebuild ? unprovenRebuilds + 1 : unprovenRebuilds,
                        rebuild ? nowMillis : rebuiltAtMillis,
                        what,
                        suspected);
        boolean isNewFinding = finding.isEmpty() || suspected != topicSuspected;
        return new Decision(next, rebuild ? Action.REBUILD : Action.NOTHING, isNewFinding);
    }
}
