package io.tidemark.view;

import io.tidemark.concurrent.ListenerList;
import io.tidemark.view.PartitionView.Subscription;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The listeners to the state changes of a partition's view. Thread-safe. */
public final class Listeners {
    private static final Logger LOG = LoggerFactory.getLogger(Listeners.class);

    private final ListenerList listeners;

    /**
     * @param partition for the log
     */
    public Listeners(int partition) {
        this.listeners =
                new ListenerList(e -> LOG.error("partition {}: a listener failed", partition, e));
    }

    /** Calls {@code listener} after every later change, until the subscription is closed. */
    public Subscription add(Runnable listener) {
        return listeners.add(listener)::run;
    }

    /** Calls all listeners; one that fails does not prevent the others. */
    public void notifyListeners() {
        listeners.callAll();
    }
}
