package io.tidemark.concurrent;

import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Listeners, called in the order in which they were added; one that fails prevents neither the
 * others nor the caller. Thread-safe.
 */
public final class ListenerList {
    /** By number, since one listener may be added twice. */
    private final ConcurrentSkipListMap<Long, Runnable> listeners = new ConcurrentSkipListMap<>();

    private final AtomicLong numbers = new AtomicLong();
    private final Consumer<RuntimeException> failed;

    /**
     * @param failed receives what a listener has thrown, such as for the log
     */
    public ListenerList(Consumer<RuntimeException> failed) {
        this.failed = failed;
    }

    /**
     * Adds a listener.
     *
     * @return removes it; more than once has no effect
     */
    public Runnable add(Runnable listener) {
        Long number = numbers.incrementAndGet();
        listeners.put(number, listener);
        return () -> listeners.remove(number);
    }

    public boolean isEmpty() {
        return listeners.isEmpty();
    }

    /** Calls all listeners on this thread. */
    public void callAll() {
        listeners.values().forEach(this::call);
    }

    /** Calls a listener on this thread that need not be in the list. */
    public void call(Runnable listener) {
        try {
            listener.run();
        } catch (RuntimeException e) {
            failed.accept(e);
        }
    }
}
