package io.tidemark.simulation.patch;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/** The simulation over production with one of several patches at a time. For one thread. */
final class PatchedSimulation {
    private static final String ENTRY = "io.tidemark.simulation.PatchedRun";

    private final PatchedClasses classes;
    private final Class<?> entry;

    private PatchedSimulation(PatchedClasses classes) throws ClassNotFoundException {
        this.classes = classes;
        this.entry = classes.loadClass(ENTRY);
    }

    /**
     * With any of these patches. They share their classes, which are loaded and compiled once.
     *
     * @throws IllegalStateException when a patch does not fit its class
     */
    static PatchedSimulation of(List<Patch> patches)
            throws IOException, ReflectiveOperationException {
        return new PatchedSimulation(PatchedClasses.of(patches));
    }

    /** With one patch, which is active before the classes are initialized. */
    static PatchedSimulation of(Patch patch) throws IOException, ReflectiveOperationException {
        return new PatchedSimulation(PatchedClasses.of(patch));
    }

    /**
     * Runs seeds until one breaks the patch's promise.
     *
     * @param from the first seed
     * @param seeds how many at most
     * @return by promise, the first seed that broke it, of those that were run
     */
    Map<String, Long> hunt(Patch patch, long from, int seeds) throws ReflectiveOperationException {
        classes.activate(patch);
        Object broken =
                entry.getMethod("hunt", String.class, long.class, int.class)
                        .invoke(null, patch.breaks().name(), from, seeds);
        @SuppressWarnings("unchecked") // See PatchedRun.
        Map<String, Long> typed = (Map<String, Long>) broken;
        return typed;
    }

    /**
     * Prints what happens in the smallest plan of a seed that breaks the patch's promise.
     *
     * @return its steps
     */
    List<?> story(Patch patch, long seed) throws ReflectiveOperationException {
        classes.activate(patch);
        return (List<?>)
                entry.getMethod("story", String.class, long.class)
                        .invoke(null, patch.breaks().name(), seed);
    }
}
