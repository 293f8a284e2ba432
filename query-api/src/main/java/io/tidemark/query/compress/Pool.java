package io.tidemark.query.compress;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Objects with native memory that are used again. It keeps as many as there are processors, since
 * those who use them do not wait meanwhile. Thread-safe.
 */
final class Pool<T> implements AutoCloseable {
    private final Supplier<T> make;
    private final Consumer<T> free;
    private final BlockingQueue<T> idle =
            new ArrayBlockingQueue<>(Runtime.getRuntime().availableProcessors());
    private volatile boolean closed;

    /**
     * @param free frees the native memory of one that is not kept
     */
    Pool(Supplier<T> make, Consumer<T> free) {
        this.make = make;
        this.free = free;
    }

    /** Lends one. It is not used again when the use throws. */
    <R> R use(Function<T, R> use) {
        T lent = idle.poll();
        T used = lent == null ? make.get() : lent;
        boolean kept = false;
        try {
            R result = use.apply(used);
            kept = !closed && idle.offer(used);
            return result;
        } finally {
            if (!kept) {
                free.accept(used);
            }
        }
    }

    /** Frees those that are idle; one that is lent is freed when it returns. */
    @Override
    public void close() {
        closed = true;
        for (T next = idle.poll(); next != null; next = idle.poll()) {
            free.accept(next);
        }
    }
}
