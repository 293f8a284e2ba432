package io.tidemark.store;

import io.tidemark.record.Change.TideMark;
import io.tidemark.view.PartitionState;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Where the fold over the topic stands: written with every batch, so that what is stored and how
 * far it reaches can never disagree. Owned by the thread that applies changes.
 *
 * <pre>
 * 0    1  phase: 0 nothing yet, 1 inside a list, 2 complete
 * 1    8  epoch                 17  8  floor            33  8  last applied revision
 * 9    8  cluster id            25  8  watermark        41  8  revision of the list
 * 49   8  offset of LIST_BEGIN  57  8  applied offset   65  8  as of when the newest mark is
 * 73   8  newest append time    81  8  bytes of history  89  8  keys that cannot be read
 * 97   8  time of the newest mark, by its connector's clock
 * 105  8  begin of the bridged gap   113  8  end of the bridged gap
 * 121  …  address of the connector
 * </pre>
 */
final class FoldState {
    /** How far it got with the list that everything else builds on. */
    enum Phase {
        NOTHING,
        LISTING,
        COMPLETE
    }

    private static final int HEADER_LENGTH = 121;

    Phase phase = Phase.NOTHING;
    long epoch;
    long clusterId;

    /** No history at or below it is offered. Above the watermark: nothing can be shown for now. */
    long floor;

    long watermark;
    long lastRevision;
    long listRevision;
    long listOffset = -1;
    long appliedOffset = -1;
    long markTimeMillis;
    long newestTimeMillis;
    long historyBytes;
    long unreadable;

    /** Never falls. What comes from here on is of a later time, or counts as of this one. */
    long tideMillis;

    /**
     * Between this revision and {@link #bridgedThrough}, both not included, no state is known: etcd
     * compacted it away. What is told of the changes there is the net change of each key. Equal
     * when there is no such stretch above the floor.
     */
    long bridgedAfter;

    long bridgedThrough;

    String connector = "";

    static FoldState decode(byte @Nullable [] stored) {
        FoldState state = new FoldState();
        if (stored == null) {
            return state;
        }
        ByteBuffer in = ByteBuffer.wrap(stored);
        state.phase = Phase.values()[in.get()];
        state.epoch = in.getLong();
        state.clusterId = in.getLong();
        state.floor = in.getLong();
        state.watermark = in.getLong();
        state.lastRevision = in.getLong();
        state.listRevision = in.getLong();
        state.listOffset = in.getLong();
        state.appliedOffset = in.getLong();
        state.markTimeMillis = in.getLong();
        state.newestTimeMillis = in.getLong();
        state.historyBytes = in.getLong();
        state.unreadable = in.getLong();
        state.tideMillis = in.getLong();
        state.bridgedAfter = in.getLong();
        state.bridgedThrough = in.getLong();
        state.connector =
                new String(
                        Arrays.copyOfRange(stored, HEADER_LENGTH, stored.length),
                        StandardCharsets.UTF_8);
        return state;
    }

    byte[] encode() {
        byte[] address = connector.getBytes(StandardCharsets.UTF_8);
        ByteBuffer out = ByteBuffer.allocate(HEADER_LENGTH + address.length);
        out.put((byte) phase.ordinal());
        out.putLong(epoch).putLong(clusterId).putLong(floor).putLong(watermark);
        out.putLong(lastRevision).putLong(listRevision).putLong(listOffset).putLong(appliedOffset);
        out.putLong(markTimeMillis).putLong(newestTimeMillis).putLong(historyBytes);
        out.putLong(unreadable).putLong(tideMillis);
        out.putLong(bridgedAfter).putLong(bridgedThrough);
        return out.put(address).array();
    }

    /** Forgets all that the changes before a list said; the offsets and times go on. */
    void beginList(long newEpoch, long revision, long offset) {
        phase = Phase.LISTING;
        epoch = newEpoch;
        listRevision = revision;
        listOffset = offset;
        floor = 0;
        watermark = 0;
        // It may be of an older state than the history before it had come to.
        markTimeMillis = 0;
        lastRevision = 0;
        historyBytes = 0;
        unreadable = 0;
        bridgedAfter = 0;
        bridgedThrough = 0;
    }

    /** Forgets everything. */
    void reset() {
        beginList(0, 0, -1);
        phase = Phase.NOTHING;
        clusterId = 0;
        appliedOffset = -1;
        newestTimeMillis = 0;
        tideMillis = 0;
        connector = "";
    }

    /**
     * Something of the topic is lost, nobody knows what: only the next list makes it whole. The
     * epoch stays, as none before it can follow; so does the place in the topic.
     */
    void invalidate() {
        beginList(epoch, 0, -1);
        phase = Phase.NOTHING;
    }

    /** Hears of a history whose list it does not have. */
    void recordMissingList(TideMark mark) {
        epoch = mark.epoch();
        connector = mark.connector();
    }

    /** Whether it knows of a history, and of no list of it, neither whole nor begun. */
    boolean lacksList() {
        return phase == Phase.NOTHING && epoch > 0;
    }

    void endList() {
        phase = Phase.COMPLETE;
        floor = listRevision;
        watermark = listRevision;
        lastRevision = listRevision;
    }

    /** What led to {@code revision} is not known: it is where this store begins to know again. */
    void reconcileGap(long revision) {
        floor = Math.max(floor, revision);
        watermark = Math.max(watermark, revision);
        lastRevision = Math.max(lastRevision, revision);
    }

    /**
     * The same, but what came before stays, and so do the net changes in between. There is one such
     * stretch at most: what lies before an older one is given up.
     */
    void bridgeGap(long revision) {
        if (bridgedThrough > bridgedAfter) {
            floor = Math.max(floor, bridgedThrough);
        }
        bridgedAfter = watermark;
        bridgedThrough = revision;
        watermark = revision;
        lastRevision = Math.max(lastRevision, revision);
    }

    /** Whether nobody knows the state at a revision at or above the floor. */
    boolean isInGap(long revision) {
        return bridgedAfter < revision && revision < bridgedThrough;
    }

    /** Whether there is a revision that can be read. */
    boolean isReadable() {
        return phase == Phase.COMPLETE && floor <= watermark;
    }

    /**
     * For readers.
     *
     * @param trusted false while newer records may show that this state lacks something
     */
    PartitionState publish(boolean trusted) {
        return new PartitionState(
                trusted && isReadable(),
                epoch,
                clusterId,
                Math.min(floor, watermark),
                watermark,
                lastRevision,
                appliedOffset,
                markTimeMillis,
                unreadable,
                connector);
    }
}
