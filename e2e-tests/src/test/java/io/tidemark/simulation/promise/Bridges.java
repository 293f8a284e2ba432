package io.tidemark.simulation.promise;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The stretches of a history of which only the net change of each key is told. */
final class Bridges {
    private final List<Stretch> stretches = new ArrayList<>();
    private final Set<Long> looks = new TreeSet<>();

    /**
     * One of them.
     *
     * @param after exclusive: through it everything is told
     * @param through inclusive: the state there is etcd's again
     * @param pure whether exactly the net changes are told. Otherwise something was sent before, by
     *     an attempt that was cut off or by a connector that never committed: some of what happened
     *     in between may be told as well
     */
    record Stretch(long after, long through, boolean pure) {
        boolean covers(long revision) {
            return after < revision && revision <= through;
        }

        private boolean overlaps(Stretch other) {
            return after < other.through && other.after < through;
        }

        private Stretch with(Stretch other) {
            return new Stretch(
                    Math.min(after, other.after), Math.max(through, other.through), false);
        }
    }

    void add(Stretch added) {
        Stretch whole = added;
        for (Stretch known : List.copyOf(stretches)) {
            if (known.overlaps(whole)) {
                stretches.remove(known);
                whole = known.with(whole);
            }
        }
        stretches.add(whole);
        stretches.sort(Comparator.comparingLong(Stretch::after));
    }

    /** What is gone then is told as deleted then. */
    void looked(long revision) {
        looks.add(revision);
    }

    boolean hasLooked(long revision) {
        return looks.contains(revision);
    }

    List<Stretch> stretches() {
        return stretches;
    }

    Optional<Stretch> at(long revision) {
        return stretches.stream().filter(stretch -> stretch.covers(revision)).findFirst();
    }
}
