package io.tidemark.simulation;

import io.tidemark.simulation.promise.Promise;
import java.util.ArrayList;
import java.util.List;

/**
 * A mistake that somebody could make, and the promise that is bound to notice it.
 *
 * @param does for people
 */
record Mutant(String name, String does, Promise detectedBy, Mutation mistake) {
    /** All of them. */
    static List<Mutant> all() {
        List<Mutant> all = new ArrayList<>();
        all.addAll(ConnectorMutants.all());
        all.addAll(StoreMutants.all());
        all.addAll(ReadMutants.all());
        all.addAll(WatchMutants.all());
        return List.copyOf(all);
    }

    @Override
    public String toString() {
        return name;
    }
}
