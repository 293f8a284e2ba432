package io.tidemark.simulation.mutant;

import io.tidemark.simulation.cluster.Mutation;
import io.tidemark.simulation.promise.Promise;
import java.util.ArrayList;
import java.util.List;

/**
 * A plausible mistake, and the promise that must detect it.
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
