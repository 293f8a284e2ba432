package io.tidemark.simulation;

import io.tidemark.simulation.promise.Promise;
import java.util.ArrayList;
import java.util.List;

/** Leaves out steps of a failing plan for as long as the same promise stays broken. */
final class Shrinker {
    private static final int MAX_RUNS = 150;

    private final long seed;
    private final Settings settings;
    private final Mutation mutation;
    private final Promise broken;
    private int runs;

    private Shrinker(long seed, Settings settings, Mutation mutation, Promise broken) {
        this.seed = seed;
        this.settings = settings;
        this.mutation = mutation;
        this.broken = broken;
    }

    /** A run of a shorter plan that breaks the same promise; the same run if there is none. */
    static Simulation.Result shrink(
            Simulation.Result failed, Settings settings, Mutation mutation) {
        Promise broken = failed.violations().getFirst().promise();
        return new Shrinker(failed.seed(), settings, mutation, broken).shrink(failed);
    }

    private Simulation.Result shrink(Simulation.Result failed) {
        Simulation.Result shortest = failed;
        for (int chunk = failed.plan().steps().size() / 2; chunk > 0; chunk /= 2) {
            for (int from = 0; from < shortest.plan().steps().size() && runs < MAX_RUNS; ) {
                Simulation.Result shorter = without(shortest.plan(), from, chunk);
                if (breaksIt(shorter)) {
                    shortest = shorter;
                } else {
                    from += chunk;
                }
            }
        }
        return shortest;
    }

    private Simulation.Result without(Plan plan, int from, int count) {
        runs++;
        List<Step> steps = new ArrayList<>(plan.steps());
        steps.subList(from, Math.min(steps.size(), from + count)).clear();
        return Simulation.run(seed, settings, new Plan(steps, plan.millis()), mutation);
    }

    private boolean breaksIt(Simulation.Result result) {
        return result.violations().stream().anyMatch(violation -> violation.promise() == broken);
    }
}
