package io.tidemark.simulation.mutant;

import io.tidemark.simulation.fault.Mutation;
import io.tidemark.simulation.promise.Promise;
import java.util.ArrayList;
import java.util.List;

/**
 * A plausible mistake, and the promise that must detect it. It overrides the seam of {@link
 * Mutation} at which the mistake is.
 */
abstract class Mutant implements Mutation {
    final String name;
    final String does;
    final Promise detectedBy;

    Mutant(String name, String does, Promise detectedBy) {
        this.name = name;
        this.does = does;
        this.detectedBy = detectedBy;
    }

    /** All of them. */
    static List<Mutant> all() {
        List<Mutant> all = new ArrayList<>();
        all.addAll(ConnectorMutants.all());
        all.addAll(StoreMutants.all());
        all.addAll(ReadMutants.all());
        all.addAll(WatchMutants.all());
        all.addAll(AccessMutants.all());
        return List.copyOf(all);
    }

    @Override
    public String toString() {
        return name;
    }
}
