package io.tidemark.store;

import io.tidemark.record.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * An ordered key-value store of a few families, each a map in unsigned lexicographic order of its
 * keys. One thread writes; any thread reads. Arrays that are handed in or out are never written to
 * again by either side.
 */
public interface KeyValueEngine extends AutoCloseable {
    /** The families; what lies in each is drawn in {@link KeyLayout}. */
    enum Family {
        OBJECTS,
        METADATA,
        VERSIONS,
        HISTORY,
        INDEX,
        META
    }

    /** The newest written value, null for none. */
    byte @Nullable [] get(Family family, Bytes key);

    /** Writes all of a batch or, after a crash, nothing of it. Visible to readers as one step. */
    void write(WriteBatch batch);

    /** What is written now, unmoved by later writes until it is closed. */
    Snapshot snapshot();

    /** Returns once everything written so far survives a crash. */
    void flush();

    /** Begins to make everything written so far survive a crash; does not wait for it. */
    void flushSoon();

    /** Flushes and ends. No read may be under way, and none may follow. */
    @Override
    void close();

    /** Reads of one moment; for one thread at a time. */
    interface Snapshot extends AutoCloseable {
        byte @Nullable [] get(Family family, Bytes key);

        /**
         * The entries of a range, in order.
         *
         * @param toExclusive {@link Bytes#EMPTY} for no end
         */
        Cursor scan(Family family, Bytes fromInclusive, Bytes toExclusive);

        @Override
        void close();
    }

    /** A place in a range. Begins at the first entry, if there is one. */
    interface Cursor extends AutoCloseable {
        /** Whether it stands on an entry; the other methods below may be called only then. */
        boolean isValid();

        Bytes key();

        byte[] value();

        /**
         * Copies the beginning of the value, as much as there is room for.
         *
         * @return the length of the whole value
         */
        default int readValue(byte[] into) {
            byte[] value = value();
            System.arraycopy(value, 0, into, 0, Math.min(value.length, into.length));
            return value.length;
        }

        void next();

        /** Moves to the first entry at or after a key; may be called at any time. */
        void seek(Bytes keyInclusive);

        @Override
        void close();
    }
}
