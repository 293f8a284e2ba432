package io.tidemark.store.read;

import java.util.function.Supplier;

/** Runs every read on an engine: decides on which thread, and when. */
public interface ReadExecutor {
    /** The kind of a read. A read queues behind reads of the same kind only. */
    enum Kind {
        /** One key, or a few. */
        POINT,
        /** A page of the history: watches. */
        CHANGES,
        /** A page of objects or versions: lists. */
        SCAN,
        /** A page of all keys, for the self-check. */
        CHECK
    }

    /**
     * Runs a read and returns what it returned, or throws what it threw.
     *
     * @param read bounds its own work, and opens and closes what it reads from: it may still run
     *     after this has given up
     * @throws BusyException if it did not start or end in time, or the caller was interrupted (the
     *     interrupt flag stays set)
     */
    <T> T pass(Kind kind, Supplier<T> read) throws BusyException;

    /** Runs reads on the caller's thread, which may then block for as long as the disk does. */
    ReadExecutor DIRECT =
            new ReadExecutor() {
                @Override
                public <T> T pass(Kind kind, Supplier<T> read) {
                    return read.get();
                }
            };

    /** The read was not run, or has not ended: the caller may ask another replica. */
    final class BusyException extends Exception {
        private static final long serialVersionUID = 1L;

        BusyException(String message) {
            super(message, null, false, false);
        }
    }
}
