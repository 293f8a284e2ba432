package io.tidemark.store.engine;

import io.tidemark.record.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * An ordered key-value store with a few families, each a map in unsigned lexicographic order of its
 * keys. One thread writes; any thread reads. Neither side modifies an array after passing it.
 */
public interface KeyValueEngine extends AutoCloseable {
    /** The families; {@code KeyLayout} describes their content. */
    enum Family {
        OBJECTS,
        METADATA,
        CHECKSUMS,
        VERSIONS,
        HISTORY,
        INDEX,
        META,

        /** This and the next only in an engine whose store keeps that form; else not to be used. */
        PROTOBUF,
        PROTOBUF_LENGTH
    }

    /**
     * Key of {@link Family#META}: what made {@link Family#PROTOBUF}. It is there only while that is
     * complete, so it goes before the family does.
     */
    Bytes PROTOBUF_MAKER = Bytes.utf8("protobuf");

    /** The newest written value; null for none. */
    byte @Nullable [] get(Family family, Bytes key);

    /** Writes the batch atomically, for readers and after a crash. */
    void write(WriteBatch batch);

    /** A consistent view of all that is written now, until it is closed. */
    Snapshot snapshot();

    /**
     * The same, but nothing in it waits for the disk: a read throws {@link NotCachedException}
     * unless memory holds all that it needs. Only the index and the history can be scanned, which
     * have small entries; other scans always throw it.
     *
     * @throws NotCachedException if no read would succeed
     */
    Snapshot cachedSnapshot();

    /** Returns once everything written so far is durable. */
    void flush();

    /** Starts a {@link #flush} without waiting for it. */
    void flushSoon();

    /** Flushes and closes. No read may be running, and none may follow. */
    @Override
    void close();

    /** Consistent reads; for one thread at a time. */
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

    /** A position in a range; at the first entry initially. */
    interface Cursor extends AutoCloseable {
        /** Whether the cursor is on an entry; if not, only {@link #seek} and close are allowed. */
        boolean isValid();

        Bytes key();

        byte[] value();

        /**
         * Copies the beginning of the value, as far as the array allows.
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
