package io.tidemark.selfcheck;

import java.time.Duration;

/**
 * What the checks of one partition on this node have come to so far, and what is to be done about
 * it. Immutable and pure: every finding leads to the next course.
 *
 * <p>A copy that differs is rebuilt from the topic once. When the rebuilt one differs too, the
 * topic itself is wrong, and another rebuild would not help: that is told instead. Rebuilds are
 * bounded whatever is found: the second comes ten minutes after the first at the earliest, and
 * every further one after twice as long, up to six hours; a day without any makes the next free.
 *
 * @param provenRevision newest revision at which the copy was proven equal to etcd; 0 for none
 * @param provenAtMillis when that was
 * @param rebuilds in a row, each at the earliest moment or not
 * @param unprovenRebuilds how many of those no proof has followed
 * @param rebuiltAtMillis when the last one began; 0 for none
 * @param finding what was found wrong and not been disproved since; empty for nothing
 * @param topicSuspected whether a rebuilt copy was found to differ
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

    private static final Duration FIRST_PAUSE = Duration.ofMinutes(10);
    private static final Duration LONGEST_PAUSE = Duration.ofHours(6);
    private static final Duration FORGOTTEN = Duration.ofDays(1);

    /** What to do now. */
    enum Action {
        NOTHING,
        REBUILD
    }

    /**
     * A course and what it asks for at once.
     *
     * @param isNewFinding whether it is another finding than the last one, for people to hear of
     */
    record Decision(RepairState next, Action action, boolean isNewFinding) {}

    RepairState proven(long revision, long nowMillis) {
        boolean forgotten = nowMillis - rebuiltAtMillis >= FORGOTTEN.toMillis();
        return new RepairState(
                revision,
                nowMillis,
                forgotten ? 0 : rebuilds,
                0,
                forgotten ? 0 : rebuiltAtMillis,
                "",
                false);
    }

    /** The copy was found to differ, key by key. */
    Decision differs(String what, long nowMillis) {
        return found(what, unprovenRebuilds > 0, nowMillis);
    }

    /** The copy cannot be read. That says nothing of the topic. */
    Decision unreadable(String why, long nowMillis) {
        return found(why, topicSuspected, nowMillis);
    }

    private Decision found(String what, boolean suspected, long nowMillis) {
        boolean rebuild = rebuilds == 0 || nowMillis - rebuiltAtMillis >= pause().toMillis();
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

    private Duration pause() {
        Duration doubled = FIRST_PAUSE.multipliedBy(1L << Math.min(rebuilds - 1, 10));
        return doubled.compareTo(LONGEST_PAUSE) < 0 ? doubled : LONGEST_PAUSE;
    }
}
