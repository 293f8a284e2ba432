package io.tidemark.store.layout;

import io.tidemark.record.Bytes;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The value of a {@code history} entry: one change.
 *
 * <pre>
 * 0   1  1 put, 2 delete
 * 1   8  revision of the version that this change replaced, 0 when there was none
 * 9   4  stored length of that version
 * 13  …  etcd key
 * </pre>
 */
public record HistoryEntry(boolean put, long previousRevision, int previousLength, Bytes key) {
    private static final int HEADER_LENGTH = 13;

    /** Approximate disk cost of an entry besides its key and the version it keeps. */
    private static final int OVERHEAD = 64;

    public static HistoryEntry decode(byte[] stored) {
        ByteBuffer in = ByteBuffer.wrap(stored);
        return new HistoryEntry(
                in.get(0) == 1,
                in.getLong(1),
                in.getInt(9),
                Bytes.wrap(Arrays.copyOfRange(stored, HEADER_LENGTH, stored.length)));
    }

    public Bytes encode() {
        ByteBuffer out = ByteBuffer.allocate(HEADER_LENGTH + key.length());
        out.put((byte) (put ? 1 : 2)).putLong(previousRevision).putInt(previousLength);
        return Bytes.wrap(out.put(key.array()).array());
    }

    /** Whether the change replaced or deleted a version, which is in {@code versions} then. */
    public boolean hasPrevious() {
        return previousLength > 0;
    }

    /** Bytes that count towards the window, with the version that the entry keeps. */
    public long cost() {
        return OVERHEAD + 2L * key.length() + previousLength;
    }
}
