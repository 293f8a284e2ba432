package io.tidemark.simulation.model;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The ranges of a history of which only the net change of each key is mirrored. */
public final class ReconciledGaps {
    private final List<ReconciledGap> gaps = new ArrayList<>();
    private final Set<Long> deleteRevisions = new TreeSet<>();

    /**
     * One gap.
     *
     * @param after exclusive: through it everything is mirrored
     * @param through inclusive: the state there is etcd's again
     * @param exact whether exactly the net changes are mirrored. Otherwise a part was sent before,
     *     by an interrupted attempt or by a connector that never committed: watchers may get some
     *     of the changes in between as well
     */
    public record ReconciledGap(long after, long through, boolean exact) {
        public boolean covers(long revision) {
            return after < revision && revision <= through;
        }

        private boolean overlaps(ReconciledGap other) {
            return after < other.through && other.after < through;
        }

        private ReconciledGap with(ReconciledGap other) {
            return new ReconciledGap(
                    Math.min(after, other.after), Math.max(through, other.through), false);
        }
    }

    void add(ReconciledGap added) {
        ReconciledGap whole = added;
        for (ReconciledGap known : List.copyOf(gaps)) {
            if (known.overlaps(whole)) {
                gaps.remove(known);
                whole = known.with(whole);
            }
        }
        gaps.add(whole);
        gaps.sort(Comparator.comparingLong(ReconciledGap::after));
    }

    /** Keys missing then are deleted at that revision. */
    void deletesWrittenAt(long revision) {
        deleteRevisions.add(revision);
    }

    boolean wroteDeletesAt(long revision) {
        return deleteRevisions.contains(revision);
    }

    List<ReconciledGap> all() {
        return gaps;
    }

    Optional<ReconciledGap> at(long revision) {
        for (ReconciledGap gap : gaps) {
            if (gap.covers(revision)) {
                return Optional.of(gap);
            }
        }
        return Optional.empty();
    }
}
