package io.tidemark.simulation;

import io.tidemark.simulation.fault.Mutation;
import io.tidemark.simulation.promise.Promise;
import io.tidemark.simulation.world.Plan;
import io.tidemark.simulation.world.Settings;
import io.tidemark.simulation.world.Step;
import java.util.ArrayList;
import java.util.List;

/**
 * Shrinks a failing plan while the same promise stays broken: a smaller world, fewer steps by delta
 * debugging, fewer keys in each write; until nothing can be left out, or after many runs.
 */
final class Shrinker {
    private static final int MAX_RUNS = 2_000;

    private final long seed;
    private final Mutation mutation;
    private final Promise broken;
    private Simulation.Result smallest;
    private int runs;

    private Shrinker(Simulation.Result failed, Mutation mutation, Promise broken) {
        this.seed = failed.seed();
        this.mutation = mutation;
        this.broken = broken;
        this.smallest = failed;
    }

    /**
     * A run of a smaller plan that breaks the same promise; the same run if there is none.
     *
     * @param broken a promise that the run broke
     */
    static Simulation.Result shrink(Simulation.Result failed, Mutation mutation, Promise broken) {
        Shrinker shrinker = new Shrinker(failed, mutation, broken);
        Plan before;
        do {
            before = shrinker.smallest.plan();
            shrinker.shrinkWorld();
            shrinker.shrinkSteps();
            shrinker.shrinkWrites();
        } while (!shrinker.smallest.plan().equals(before) && !shrinker.isOver());
        return Simulation.run(failed.seed(), shrinker.smallest.plan(), mutation, true);
    }

    private boolean isOver() {
        return runs >= MAX_RUNS;
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

    private void shrinkWrites() {
        for (int i = 0; i < smallest.plan().steps().size(); i++) {
            for (int key = 0;
                    smallest.plan().steps().get(i) instanceof Step.Write write
                            && write.keys().size() > 1
                            && key < write.keys().size(); ) {
                List<Step.KeyWrite> keys = new ArrayList<>(write.keys());
                keys.remove(key);
                List<Step> steps = new ArrayList<>(smallest.plan().steps());
                steps.set(i, new Step.Write(write.atMillis(), keys, write.leased()));
                if (!tried(smallest.plan().with(steps))) {
                    key++;
                }
            }
        }
    }

    /** Keeps a smaller plan that still fails. */
    private boolean tried(Plan plan) {
        if (plan.equals(smallest.plan()) || isOver()) {
            return false;
        }
        runs++;
        Simulation.Result result = Simulation.run(seed, plan, mutation, false);
        if (result.breaks(broken)) {
            smallest = result;
            return true;
        }
        return false;
    }
}
