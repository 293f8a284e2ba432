package io.tidemark.simulation.model;

import io.tidemark.record.Bytes;

/** One thing that a watcher received, in order. */
public sealed interface Received {
    /** A change, as the watcher's selector sees it; {@code shown} as in {@link Payload#shown}. */
    record Event(long epoch, EventType type, long revision, Bytes key, String shown)
            implements Received {
        @Override
        public String toString() {
            return "%s %s@%d".formatted(type, key, revision);
        }
    }

    /** An object of the initial state that some watches begin with. */
    record Initial(Item item) implements Received {}

    /**
     * @param endsInitial the initial state is complete, as of {@code revision}
     */
    record Bookmark(long revision, boolean endsInitial) implements Received {}

    /** The in-stream ERROR 410. */
    record Expired(long floor) implements Received {}

    /** The stream's end; a client resumes from {@code resumeRevision}. */
    record Ended(long resumeRevision) implements Received {}
}
