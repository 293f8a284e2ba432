package io.tidemark.store;

import java.util.function.Supplier;

/** The way of every read into an engine. Decides on which thread it runs, and when. */
public interface ReadExecutor {
    /** What a read looks at. A read waits behind reads of its own kind only. */
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
     * @param read bounded by itself; what it reads it opens and closes itself, since it may still
     *     run when this has given up
     * @throws BusyException if it did not begin or end in time, or the caller was interrupted,
     *     which it still is then
     */
    <T> T pass(Kind kind, Supplier<T> read) throws BusyException;

    /** Runs reads on the thread that asks: for one that may block as long as the disk does. */
    ReadExecutor DIRECT =
            new ReadExecutor() {
                @Override
                public <T> T pass(Kind kind, Supplier<T> read) {
                    return read.get();
                }
            };

    /** A read was not run, or has not ended: another replica may be asked. */
    final class BusyException extends Exception {
        private static final long serialVersionUID = 1L;

        BusyException(String message) {
            super(message, null, false, false);
        }
    }
}
