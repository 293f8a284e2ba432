package io.tidemark.simulation.node;

import io.tidemark.serving.watch.DispatchRunner;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The dispatchers of one node, turned in virtual time. */
public final class SimulatedDispatch implements DispatchRunner {
    private final Set<Loop> running = new LinkedHashSet<>();

    @Override
    public Runnable start(String name, Loop loop) {
        running.add(loop);
        return () -> running.remove(loop);
    }

    /**
     * Each does one turn.
     *
     * @return whether one of them has more to do
     */
    public boolean turn() throws InterruptedException {
        boolean more = false;
        for (Loop each : List.copyOf(running)) {
            if (each.isCurrent()) {
                more |= each.turn();
            }
        }
        return more;
    }
}
