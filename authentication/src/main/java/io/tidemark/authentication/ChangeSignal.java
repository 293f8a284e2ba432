package io.tidemark.authentication;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** A version that only rises, and those who are called after it did. Thread-safe. */
public final class ChangeSignal {
    private final AtomicLong version = new AtomicLong();

    /** By an identity of each registration: one listener may be registered twice. */
    private final Map<Object, Runnable> listeners = new ConcurrentHashMap<>();

    public long version() {
        return version.get();
    }

    /**
     * @return ends the calls
     */
    public Runnable onChange(Runnable listener) {
        Object registration = new Object();
        listeners.put(registration, listener);
        return () -> listeners.remove(registration);
    }

    public boolean hasListeners() {
        return !listeners.isEmpty();
    }

    /** Raises the version, then calls the listeners on this thread. */
    public void raise() {
        version.incrementAndGet();
        listeners.values().forEach(Runnable::run);
    }
}
