package io.tidemark.view;

import io.tidemark.view.PartitionView.Subscription;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The listeners to the state changes of a partition's view. Thread-safe. */
public final class Listeners {
    private static final Logger LOG = LoggerFactory.getLogger(Listeners.class);

    private final int partition;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    /**
     * @param partition for the log
     */
    public Listeners(int partition) {
        this.partition = partition;
    }

    /** Calls {@code listener} after every later change, until the subscription is closed. */
    public Subscription add(Runnable listener) {
        // A distinct object, so that a listener that was added twice can be removed once.
        Runnable registered = listener::run;
        listeners.add(registered);
        return () -> listeners.remove(registered);
    }

    /** Calls all listeners; one that fails does not prevent the others. */
    public void notifyListeners() {
        for (Runnable listener : listeners) {
            try {
                listener.run();
            } catch (RuntimeException e) {
                LOG.error("partition {}: a listener failed", partition, e);
            }
        }
    }
}
