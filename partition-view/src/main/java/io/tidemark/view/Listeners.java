package io.tidemark.view;

import io.tidemark.view.PartitionView.Subscription;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Who is told of changes of one copy, or of all copies, of a partition. For any thread. */
public final class Listeners {
    private static final Logger LOG = LoggerFactory.getLogger(Listeners.class);

    private final int partition;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    /**
     * @param partition whose, for the log
     */
    public Listeners(int partition) {
        this.partition = partition;
    }

    public Subscription add(Runnable listener) {
        // An object of its own, so that one that is given twice can be taken back once.
        Runnable own = listener::run;
        listeners.add(own);
        return () -> listeners.remove(own);
    }

    /** Calls all of them; one that fails does not keep it from the others. */
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
