package io.tidemark.demo;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What is still to be done, in order; each thing at most once, so that it holds no more than a few
 * steps for each object. Confined to one thread.
 */
final class WorkQueue {
    private final Map<String, Step> steps = new LinkedHashMap<>();

    /** At most one write to etcd; false if there was nothing to write, or somebody was faster. */
    interface Step {
        boolean run();
    }

    /** Does {@code step} later, unless one of that name is waiting already. */
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
