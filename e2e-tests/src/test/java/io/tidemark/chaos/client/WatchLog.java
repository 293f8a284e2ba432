package io.tidemark.chaos.client;

import io.tidemark.chaos.load.EtcdOracleWatch;
import io.tidemark.chaos.load.ObjectSpace;
import io.tidemark.record.Bytes;
import io.tidemark.simulation.model.EventType;
import io.tidemark.simulation.model.ModelFilter;
import io.tidemark.simulation.model.Received;
import io.tidemark.simulation.promise.RecordedWatch;
import java.util.Arrays;
import java.util.OptionalLong;

/**
 * What one watch received over all its connections, 21 bytes per event: millions of them fit into
 * memory. It becomes a {@link RecordedWatch} when it is checked. Written by one thread.
 */
public final class WatchLog {
    private static final byte BOOKMARK = 3;
    private static final byte EXPIRED = 4;
    private static final byte ENDED = 5;
    private static final EventType[] TYPES = EventType.values();

    private final String name;
    private final ModelFilter interest;
    private final long afterRevision;

    private byte[] kinds = new byte[64];
    private int[] indexes = new int[64];
    private long[] revisions = new long[64];
    private long[] hashes = new long[64];
    private int size;

    /**
     * @param name of the client
     * @param afterRevision where it begins, exclusive
     */
    public WatchLog(String name, ModelFilter interest, long afterRevision) {
        this.name = name;
        this.interest = interest;
        this.afterRevision = afterRevision;
    }

    public String name() {
        return name;
    }

    public void event(EventType type, int index, long revision, long hash) {
        add((byte) type.ordinal(), index, revision, hash);
    }

    public void bookmark(long revision) {
        add(BOOKMARK, 0, revision, 0);
    }

    /** ERROR 410; the client knows no floor. */
    public void expired() {
        add(EXPIRED, 0, 0, 0);
    }

    /** A connection ended, and the client resumes from {@code cursor}. */
    public void ended(long cursor) {
        add(ENDED, 0, cursor, 0);
    }

    private void add(byte kind, int index, long revision, long hash) {
        if (size == kinds.length) {
            int more = size * 2;
            kinds = Arrays.copyOf(kinds, more);
            indexes = Arrays.copyOf(indexes, more);
            revisions = Arrays.copyOf(revisions, more);
            hashes = Arrays.copyOf(hashes, more);
        }
        kinds[size] = kind;
        indexes[size] = index;
        revisions[size] = revision;
        hashes[size] = hash;
        size++;
    }

    /**
     * In the promises' types; an object that the run did not write stays recognizable.
     *
     * @param most the maximum number of entries, from the first one on
     */
    public RecordedWatch recorded(ObjectSpace space, int most) {
        RecordedWatch watch = new RecordedWatch(1, interest, OptionalLong.of(afterRevision), 1);
        for (int i = 0; i < Math.min(size, most); i++) {
            long revision = revisions[i];
            watch.add(
                    switch (kinds[i]) {
                        case BOOKMARK -> new Received.Bookmark(revision, false);
                        case EXPIRED -> new Received.Expired(0);
                        case ENDED -> new Received.Ended(revision);
                        default -> event(space, i);
                    });
        }
        return watch;
    }

    private Received event(ObjectSpace space, int i) {
        Bytes key = indexes[i] < 0 ? Bytes.utf8("unknown") : space.key(indexes[i]);
        return new Received.Event(
                1, TYPES[kinds[i]], revisions[i], key, EtcdOracleWatch.shown(hashes[i]));
    }
}
