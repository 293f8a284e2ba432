package io.tidemark.store.read;

import io.tidemark.record.Bytes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The keys that all of some streams have. The streams advance to each other's keys, so that the
 * shortest one bounds the work. So that a step is bounded too where the streams have little in
 * common, it may end at a key that not all of them have.
 */
final class CommonKeys extends KeyStream {
    /** How often the streams may disagree in one step. */
    private static final int MAX_LEAPS = 32;

    private final List<? extends KeyStream> streams;

    /**
     * @param streams at least one
     */
    CommonKeys(List<? extends KeyStream> streams) {
        this.streams = streams;
        settle(Bytes.EMPTY);
    }

    @Override
    void next() {
        if (key != null) {
            settle(key.successor());
        }
    }

    @Override
    void advance(Bytes from) {
        if (key != null && key.compareTo(from) < 0) {
            settle(from);
        }
    }

    private void settle(Bytes from) {
        Bytes candidate = from;
        for (int leap = 0; leap < MAX_LEAPS; leap++) {
            @Nullable Bytes highest = highestFrom(candidate);
            if (highest == null || highest.equals(candidate)) {
                key = highest;
                return;
            }
            candidate = highest;
        }
        key = candidate;
    }

    /**
     * Advances the streams to a key or after it; the highest key that one is at, null at an end.
     */
    private @Nullable Bytes highestFrom(Bytes from) {
        Bytes highest = from;
        for (KeyStream stream : streams) {
            stream.advance(highest);
            if (stream.key == null) {
                return null;
            }
            highest = stream.key;
        }
        return highest;
    }

    @Override
    public void close() {
        streams.forEach(KeyStream::close);
    }
}
