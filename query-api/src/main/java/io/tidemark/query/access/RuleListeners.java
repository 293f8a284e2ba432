package io.tidemark.query.access;

import io.tidemark.authorization.Authorizer.Standing;
import io.tidemark.concurrent.ListenerList;
import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tasks that are notified of rules: of each new version, or once when the rules are known
 * through a revision. Marks arrive often and versions seldom, so a mark costs only what waits for
 * it. A task that fails does not prevent the others. Thread-safe; bounded by the requests that are
 * open.
 */
final class RuleListeners {
    private static final Logger LOG = LoggerFactory.getLogger(RuleListeners.class);

    private final ListenerList listeners =
            new ListenerList(e -> LOG.error("a listener to the rules failed", e));

    private final ConcurrentSkipListMap<Awaited, Runnable> waiting =
            new ConcurrentSkipListMap<>(
                    Comparator.comparingLong(Awaited::epoch)
                            .thenComparingLong(Awaited::revision)
                            .thenComparingLong(Awaited::number));
    private final AtomicLong numbers = new AtomicLong();

    /**
     * @param number makes it unique
     */
    private record Awaited(long epoch, long revision, long number) {}

    /**
     * @return removes the listener
     */
    Runnable add(Runnable listener) {
        return listeners.add(listener);
    }

    /**
     * Adds a task that {@link #covered} runs. The caller calls that afterwards, since the rules may
     * have advanced meanwhile.
     *
     * @return removes the task
     */
    Runnable await(long epoch, long revision, Runnable task) {
        Awaited awaited = new Awaited(epoch, revision, numbers.incrementAndGet());
        waiting.put(awaited, task);
        return () -> waiting.remove(awaited);
    }

    /** Runs each listener. */
    void changed() {
        listeners.callAll();
    }

    /** Runs and removes the tasks whose revision is covered. */
    void covered(Standing standing) {
        Map.Entry<Awaited, Runnable> next = waiting.firstEntry();
        while (next != null && isCovered(standing, next.getKey())) {
            // Another thread may have run or removed it.
            if (waiting.remove(next.getKey(), next.getValue())) {
                listeners.call(next.getValue());
            }
            next = waiting.firstEntry();
        }
    }

    /** How many tasks wait. */
    int waiting() {
        return waiting.size();
    }

    private static boolean isCovered(Standing standing, Awaited awaited) {
        return standing.covers(awaited.epoch(), awaited.revision());
    }
}
