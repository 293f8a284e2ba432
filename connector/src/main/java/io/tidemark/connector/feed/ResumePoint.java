package io.tidemark.connector.feed;

import io.tidemark.record.Change.TideMark;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the previous writer stopped, according to the mirror topic, which is the connector's only
 * persistent state.
 */
public sealed interface ResumePoint {
    /**
     * This resume point, degraded because records that the topic should hold are lost.
     *
     * @param hiddenEpochs how many later epochs those records may have begun. A store that has read
     *     them drops what belongs to an earlier epoch, so the next one must be above all of them.
     */
    default ResumePoint asIncomplete(String why, long hiddenEpochs) {
        return switch (this) {
            case Empty() -> new Incomplete(hiddenEpochs, why);
            case At at -> new Incomplete(at.epoch() + hiddenEpochs, why);
            case Incomplete(long highest, String known) ->
                    new Incomplete(highest + hiddenEpochs, known);
        };
    }

    /** Nothing was ever written. */
    record Empty() implements ResumePoint {}

    /**
     * Every partition has a committed mark of this epoch.
     *
     * @param revision the lowest of those marks: everything after it is written again
     * @param clusterId etcd's cluster id then
     */
    record At(long epoch, long revision, long clusterId) implements ResumePoint {
        /** The same history, at a later revision. */
        public At advancedTo(long newRevision) {
            if (newRevision < revision) {
                throw new IllegalArgumentException(
                        "mark %d may not fall to %d".formatted(revision, newRevision));
            }
            return new At(epoch, newRevision, clusterId);
        }
    }

    /**
     * The topic is not a complete mirror: its list was cut off, a partition has lost its marks, or
     * it mirrors another scope.
     *
     * @param highestEpoch no record has a higher epoch, aborted and corrupt ones included; 0 when
     *     unknown
     * @param why for people
     */
    record Incomplete(long highestEpoch, String why) implements ResumePoint {}

    /**
     * Derives the resume point from the end of the topic.
     *
     * @param lastMarks last committed mark of each partition, null where there is none
     * @param highestEpoch highest epoch of any record, aborted ones included; 0 for no records
     * @param scope what is to be mirrored now: a mirror of another scope must be relisted
     */
    static ResumePoint of(List<@Nullable TideMark> lastMarks, long highestEpoch, String scope) {
        long revision = Long.MAX_VALUE;
        TideMark first = null;
        boolean missing = false;
        for (TideMark mark : lastMarks) {
            if (mark == null) {
                missing = true;
                continue;
            }
            first = first == null ? mark : first;
            revision = Math.min(revision, mark.revision());
        }
        if (first == null) {
            return highestEpoch == 0
                    ? new Empty()
                    : new Incomplete(highestEpoch, "the first list was cut off");
        }
        long highest = highestEpoch;
        for (TideMark mark : lastMarks) {
            highest = mark == null ? highest : Math.max(highest, mark.epoch());
        }
        if (missing) {
            return new Incomplete(highest, "a partition has no marks");
        }
        for (TideMark mark : lastMarks) {
            if (mark != null
                    && (mark.epoch() != highest || mark.kind() == TideMark.Kind.LIST_BEGIN)) {
                return new Incomplete(highest, "the list of epoch " + highest + " was cut off");
            }
        }
        if (!first.scope().equals(scope)) {
            return new Incomplete(highest, "it holds %s, not %s".formatted(first.scope(), scope));
        }
        return new At(highest, revision, first.clusterId());
    }
}
