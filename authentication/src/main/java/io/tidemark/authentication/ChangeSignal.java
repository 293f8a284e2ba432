package io.tidemark.authentication;

import io.tidemark.concurrent.ListenerList;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A version that only rises, and those who are called after it did. Thread-safe. */
public final class ChangeSignal {
    private static final Logger LOG = LoggerFactory.getLogger(ChangeSignal.class);

    private final AtomicLong version = new AtomicLong();

    private final ListenerList listeners =
            new ListenerList(
                    e -> LOG.error("a listener to changes of credentials or rules failed", e));

    public long version() {
        return version.get();
    }

    /**
     * @return ends the calls
     */
    public Runnable onChange(Runnable listener) {
        return listeners.add(listener);
    }

    public boolean hasListeners() {
        return !listeners.isEmpty();
    }

    /**
     * Raises the version, then calls the listeners on this thread; one that fails prevents neither
     * the others nor the caller, which often is the only thread that follows a file.
     */
    public void raise() {
        version.incrementAndGet();
        listeners.callAll();
    }
}
