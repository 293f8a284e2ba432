package io.tidemark.simulation;

import io.tidemark.simulation.fault.Mutation;
import io.tidemark.simulation.promise.Promise;
import io.tidemark.simulation.promise.Violation;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs the simulation as another class loader has loaded it. Its methods are called by reflection,
 * and take and return types of the JDK only.
 */
public final class PatchedRun {
    private PatchedRun() {}

    /**
     * Runs seeds until one breaks a promise.
     *
     * @param promise its name
     * @param from the first seed
     * @param seeds how many at most
     * @return by promise, the first seed that broke it, of those that were run
     */
    public static Map<String, Long> hunt(String promise, long from, int seeds) {
        Map<String, Long> broken = new LinkedHashMap<>();
        for (long seed = from; seed < from + seeds && !broken.containsKey(promise); seed++) {
            for (Violation violation : Simulation.run(seed).violations()) {
                broken.putIfAbsent(violation.promise().name(), seed);
            }
        }
        return broken;
    }

    /**
     * Shrinks the plan of a seed that breaks a promise, and prints what happens.
     *
     * @return the steps that are left
     */
    public static List<String> story(String promise, long seed) {
        Simulation.Result failed = Simulation.run(seed);
        Simulation.Result small = Shrinker.shrink(failed, Mutation.NONE, Promise.valueOf(promise));
        System.out.println(Campaign.report(failed, small));
        return small.plan().steps().stream().map(Object::toString).toList();
    }
}
