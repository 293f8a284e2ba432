package io.tidemark.demo;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A queue of named steps without duplicates, so that it holds at most a few steps for each object.
 * Confined to one thread.
 */
final class WorkQueue {
    private final Map<String, Step> steps = new LinkedHashMap<>();

    /** Does at most one write to etcd; returns false without one, or after a concurrent write. */
    interface Step {
        boolean run();
    }

    /** Queues a step, unless one of that name is queued. */
    void enqueue(String name, Step step) {
        steps.putIfAbsent(name, step);
    }

    Optional<Step> next() {
        Iterator<Step> first = steps.values().iterator();
        if (!first.hasNext()) {
            return Optional.empty();
        }
        Step step = first.next();
        first.remove();
        return Optional.of(step);
    }

    int size() {
        return steps.size();
    }
}
