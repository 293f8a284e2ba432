package io.tidemark.simulation;

import io.tidemark.simulation.cluster.Mutation;
import io.tidemark.simulation.promise.Promise;
import io.tidemark.simulation.world.Plan;
import io.tidemark.simulation.world.Settings;
import io.tidemark.simulation.world.Step;
import java.util.ArrayList;
import java.util.List;

/**
 * Shrinks a failing plan while the same promise stays broken: a smaller world and fewer steps, by
 * delta debugging.
 */
final class Shrinker {
    private static final int MAX_RUNS = 400;

    private final long seed;
    private final Mutation mutation;
    private final Promise broken;
    private Simulation.Result smallest;
    private int runs;

    private Shrinker(Simulation.Result failed, Mutation mutation) {
        this.seed = failed.seed();
        this.mutation = mutation;
        this.broken = failed.violations().getFirst().promise();
        this.smallest = failed;
    }

    /** A run of a smaller plan that breaks the same promise; the same run if there is none. */
    static Simulation.Result shrink(Simulation.Result failed, Mutation mutation) {
        Shrinker shrinker = new Shrinker(failed, mutation);
        int before;
        do {
            before = shrinker.smallest.plan().steps().size();
            shrinker.shrinkWorld();
            shrinker.shrinkSteps();
        } while (shrinker.smallest.plan().steps().size() < before && shrinker.runs < MAX_RUNS);
        return Simulation.run(failed.seed(), shrinker.smallest.plan(), mutation, true);
    }

    private void shrinkWorld() {
        while (tried(smaller(1, 0, 0, 0))
                || tried(smaller(0, 1, 0, 0))
                || tried(smaller(0, 0, 1, 0))
                || tried(smaller(0, 0, 0, smallest.plan().settings().millis() / 4))) {}
    }

    private Plan smaller(int nodes, int connectors, int clients, long millis) {
        Plan plan = smallest.plan();
        Settings now = plan.settings();
        return plan.with(
                now.with(
                        Math.max(1, now.nodes() - nodes),
                        Math.max(1, now.connectors() - connectors),
                        Math.max(0, now.clients() - clients),
                        Math.max(1_000, now.millis() - millis)));
    }

    private void shrinkSteps() {
        for (int chunk = smallest.plan().steps().size() / 2; chunk > 0; chunk /= 2) {
            for (int from = 0; from < smallest.plan().steps().size(); ) {
                List<Step> steps = new ArrayList<>(smallest.plan().steps());
                steps.subList(from, Math.min(steps.size(), from + chunk)).clear();
                if (!tried(smallest.plan().with(steps))) {
                    from += chunk;
                }
            }
        }
    }

    /** Keeps a smaller plan that still fails. */
    private boolean tried(Plan plan) {
        if (plan.equals(smallest.plan()) || runs++ >= MAX_RUNS) {
            return false;
        }
        Simulation.Result result = Simulation.run(seed, plan, mutation, false);
        if (result.breaks(broken)) {
            smallest = result;
            return true;
        }
        return false;
    }
}
