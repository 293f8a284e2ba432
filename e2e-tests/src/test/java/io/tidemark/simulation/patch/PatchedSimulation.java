package io.tidemark.simulation.patch;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/** The simulation over production with one patch. */
final class PatchedSimulation {
    private static final String ENTRY = "io.tidemark.simulation.PatchedRun";

    private final Patch patch;
    private final Class<?> entry;

    /**
     * @throws IllegalStateException when the patch does not fit its class
     */
    PatchedSimulation(Patch patch) throws IOException, ClassNotFoundException {
        this.patch = patch;
        this.entry = new PatchedClasses(patch).loadClass(ENTRY);
    }

    /**
     * Runs seeds from 1 on until one breaks the patch's promise.
     *
     * @param seeds how many at most
     * @return by promise, the first seed that broke it, of those that were run
     */
    Map<String, Long> hunt(int seeds) throws ReflectiveOperationException {
        Object broken =
                entry.getMethod("hunt", String.class, long.class, int.class)
                        .invoke(null, patch.breaks().name(), 1L, seeds);
        @SuppressWarnings("unchecked") // See PatchedRun.
        Map<String, Long> typed = (Map<String, Long>) broken;
        return typed;
    }

    /**
     * Prints what happens in the smallest plan of a seed that breaks the patch's promise.
     *
     * @return its steps
     */
    List<?> story(long seed) throws ReflectiveOperationException {
        return (List<?>)
                entry.getMethod("story", String.class, long.class)
                        .invoke(null, patch.breaks().name(), seed);
    }
}
