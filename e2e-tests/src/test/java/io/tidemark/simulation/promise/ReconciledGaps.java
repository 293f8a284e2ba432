package io.tidemark.simulation.promise;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The stretches of a history of which only the net change of each key is told. */
final class ReconciledGaps {
    private final List<ReconciledGap> stretches = new ArrayList<>();
    private final Set<Long> deleteRevisions = new TreeSet<>();

    /**
     * One of them.
     *
     * @param after exclusive: through it everything is told
     * @param through inclusive: the state there is etcd's again
     * @param exact whether exactly the net changes are told. Otherwise something was sent before,
     *     by an attempt that was cut off or by a connector that never committed: some of what
     *     happened in between may be told as well
     */
    record ReconciledGap(long after, long through, boolean exact) {
        boolean covers(long revision) {
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
        for (ReconciledGap known : List.copyOf(stretches)) {
            if (known.overlaps(whole)) {
                stretches.remove(known);
                whole = known.with(whole);
            }
        }
        stretches.add(whole);
        stretches.sort(Comparator.comparingLong(ReconciledGap::after));
    }

    /** What is gone then is told as deleted then. */
    void deletesWrittenAt(long revision) {
        deleteRevisions.add(revision);
    }

    boolean wroteDeletesAt(long revision) {
        return deleteRevisions.contains(revision);
    }

    List<ReconciledGap> all() {
        return stretches;
    }

    Optional<ReconciledGap> at(long revision) {
        return stretches.stream().filter(stretch -> stretch.covers(revision)).findFirst();
    }
}
