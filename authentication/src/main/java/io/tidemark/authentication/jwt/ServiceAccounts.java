package io.tidemark.authentication.jwt;

import java.time.Instant;
import java.util.Optional;

/** The objects of a cluster that its ServiceAccounts' tokens are bound to. */
public interface ServiceAccounts {
    /** What is known about an object. */
    sealed interface Found {
        /**
         * @param deletion its {@code deletionTimestamp}; empty if it is not being deleted
         */
        record Present(String uid, Optional<Instant> deletion) implements Found {}

        record Missing() implements Found {}

        /** The objects cannot be read well enough to tell. */
        record Unknown() implements Found {}
    }

    Found serviceAccount(String namespace, String name) throws InterruptedException;

    Found pod(String namespace, String name) throws InterruptedException;

    Found node(String name) throws InterruptedException;

    /** Moves when an object that was found may have been deleted or replaced. Does not block. */
    long version();

    /**
     * Calls {@code listener} after {@link #version} moved, on any thread: it must be quick.
     *
     * @return ends the calls
     */
    Runnable onChange(Runnable listener);
}
