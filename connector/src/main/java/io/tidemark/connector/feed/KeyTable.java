package io.tidemark.connector.feed;

import io.tidemark.record.Bytes;
import io.tidemark.record.CompactionLag;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The keys that the topic holds, with their versions; compact, since there may be millions. A key
 * takes its bytes and about 70 more. It only grows; single-threaded.
 */
public final class KeyTable {
    private static final int CHUNK = 1 << 20;
    private static final int FIRST_SLOTS = 1 << 4;
    private static final int NUMBERS = 4;
    private static final int REVISION = 0;
    private static final int CREATED = 1;
    private static final int VERSION = 2;
    private static final int UNCOMMITTED = 3;

    /** Bytes of keys, concatenated. */
    private final List<byte[]> chunks = new ArrayList<>();

    private int usedOfLast = CHUNK;

    /** For each entry, its chunk and the offset in it. */
    private long[] places = new long[FIRST_SLOTS];

    private int[] lengths = new int[FIRST_SLOTS];
    private boolean[] listed = new boolean[FIRST_SLOTS];
    private long[] numbers = new long[FIRST_SLOTS * NUMBERS];
    private int size;
    private String incompleteReason = "";
    private long oldestMarkMillis = Long.MAX_VALUE;

    /** Entry + 1 by hash, with open addressing; 0 is free. At most half full. */
    private int[] slots = new int[FIRST_SLOTS * 2];

    /** The last committed record of a key is this put. */
    public void put(Bytes key, long revision, long createRevision, long version) {
        int entry = add(key);
        numbers[entry * NUMBERS + REVISION] = revision;
        numbers[entry * NUMBERS + CREATED] = createRevision;
        numbers[entry * NUMBERS + VERSION] = version;
    }

    /** The last committed record of a key is a delete. */
    public void delete(Bytes key) {
        int entry = find(key);
        if (entry >= 0) {
            Arrays.fill(numbers, entry * NUMBERS, entry * NUMBERS + UNCOMMITTED, 0);
        }
    }

    /**
     * A put or a delete that was aborted, and that read-uncommitted consumers have seen: where the
     * history is still the same, the key's version in etcd is not older.
     */
    public void putUncommitted(Bytes key, long revision) {
        int at = add(key) * NUMBERS + UNCOMMITTED;
        numbers[at] = Math.max(numbers[at], revision);
    }

    /**
     * Records a partition's last committed mark: every write aborted after it is younger.
     *
     * @param timestampMillis the broker's time of the mark
     */
    public void marked(long timestampMillis) {
        oldestMarkMillis = Math.min(oldestMarkMillis, timestampMillis);
    }

    /**
     * Whether the topic may have dropped aborted writes that stores still hold: then the keys they
     * hold are unknown.
     *
     * @param lag the topic's compaction lag: younger records are all there
     */
    public boolean mayMissAbortedWrites(Duration lag, long nowMillis) {
        return oldestMarkMillis < nowMillis - CompactionLag.trustedMillis(lag);
    }

    /** A part of the topic could not be read, so this table may lack keys. */
    public void markIncomplete(String why) {
        incompleteReason = why;
    }

    /** Why this table may lack keys; empty when it is complete. */
    public String incompleteReason() {
        return incompleteReason;
    }

    /** A key's entry; -1 when no reader can hold the key. */
    public int find(Bytes key) {
        int entry = slots[slotOf(key)] - 1;
        return entry >= 0 && (revision(entry) > 0 || uncommitted(entry) > 0) ? entry : -1;
    }

    /** Revision of the committed version; 0 when the key is deleted, or was never committed. */
    public long revision(int entry) {
        return numbers[entry * NUMBERS + REVISION];
    }

    public long createRevision(int entry) {
        return numbers[entry * NUMBERS + CREATED];
    }

    public long version(int entry) {
        return numbers[entry * NUMBERS + VERSION];
    }

    /** The key's highest aborted revision; 0 for none. */
    public long uncommitted(int entry) {
        return numbers[entry * NUMBERS + UNCOMMITTED];
    }

    /** Records that etcd has the key. */
    public void listed(int entry) {
        listed[entry] = true;
    }

    /** Keys that some reader may hold. */
    public long held() {
        long held = 0;
        for (int entry = 0; entry < size; entry++) {
            held += revision(entry) > 0 || uncommitted(entry) > 0 ? 1 : 0;
        }
        return held;
    }

    /** Whether it has a committed key: without one, nothing can prove that etcd is the same. */
    public boolean hasCommitted() {
        for (int entry = 0; entry < size; entry++) {
            if (revision(entry) > 0) {
                return true;
            }
        }
        return false;
    }

    /** Receives keys. */
    @FunctionalInterface
    public interface Visitor<E extends Exception> {
        void visit(Bytes key) throws E;
    }

    /** Visits the keys that some reader may hold and that {@link #listed} was not called for. */
    public <E extends Exception> void eachNotListed(Visitor<E> visitor) throws E {
        for (int entry = 0; entry < size; entry++) {
            if (!listed[entry] && (revision(entry) > 0 || uncommitted(entry) > 0)) {
                visitor.visit(key(entry));
            }
        }
    }

    private Bytes key(int entry) {
        byte[] chunk = chunks.get((int) (places[entry] >>> 32));
        int from = (int) places[entry];
        return Bytes.wrap(Arrays.copyOfRange(chunk, from, from + lengths[entry]));
    }

    private int add(Bytes key) {
        int slot = slotOf(key);
        if (slots[slot] != 0) {
            return slots[slot] - 1;
        }
        if (size == places.length) {
            grow();
            slot = slotOf(key);
        }
        places[size] = store(key.array());
        lengths[size] = key.length();
        slots[slot] = size + 1;
        return size++;
    }

    private long store(byte[] key) {
        if (usedOfLast + key.length > CHUNK || chunks.isEmpty()) {
            chunks.add(new byte[Math.max(CHUNK, key.length)]);
            usedOfLast = 0;
        }
        int chunk = chunks.size() - 1;
        System.arraycopy(key, 0, chunks.get(chunk), usedOfLast, key.length);
        long place = (long) chunk << 32 | usedOfLast;
        usedOfLast += key.length;
        return place;
    }

    private void grow() {
        int capacity = Math.multiplyExact(places.length, 2);
        places = Arrays.copyOf(places, capacity);
        lengths = Arrays.copyOf(lengths, capacity);
        listed = Arrays.copyOf(listed, capacity);
        numbers = Arrays.copyOf(numbers, Math.multiplyExact(capacity, NUMBERS));
        slots = new int[Math.multiplyExact(capacity, 2)];
        for (int entry = 0; entry < size; entry++) {
            slots[slotOf(key(entry))] = entry + 1;
        }
    }

    /** The key's slot, or the free one where it belongs. */
    private int slotOf(Bytes key) {
        byte[] bytes = key.array();
        int hash = Arrays.hashCode(bytes) * 0x9E3779B9;
        int slot = (hash ^ hash >>> 16) & slots.length - 1;
        while (slots[slot] != 0 && !isAt(slots[slot] - 1, bytes)) {
            slot = slot + 1 & slots.length - 1;
        }
        return slot;
    }

    private boolean isAt(int entry, byte[] key) {
        int from = (int) places[entry];
        return lengths[entry] == key.length
                && Arrays.equals(
                        chunks.get((int) (places[entry] >>> 32)),
                        from,
                        from + key.length,
                        key,
                        0,
                        key.length);
    }
}
