package io.tidemark.store.layout;

import io.tidemark.record.Change.TideMark;
import io.tidemark.view.BridgedGap;
import io.tidemark.view.PartitionState;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The progress of the fold over the topic. Every batch contains it, so that the stored data and its
 * offset can never disagree. Owned by the thread that applies changes.
 *
 * <pre>
 * 0    1  phase: 0 nothing yet, 1 inside a list, 2 complete
 * 1    8  epoch                 17  8  floor            33  8  last applied revision
 * 9    8  cluster id            25  8  watermark        41  8  revision of the list
 * 49   8  offset of LIST_BEGIN  57  8  applied offset   65  8  as-of time of the newest mark
 * 73   8  newest append time    81  8  bytes of history  89  8  keys that cannot be read
 * 97   8  time of the newest mark, by its connector's clock
 * 105  8  begin of the bridged gap   113  8  end of the bridged gap
 * 121  …  address of the connector
 * </pre>
 */
public final class FoldState {
    /** Progress of the initial list. */
    public enum Phase {
        NOTHING,
        LISTING,
        COMPLETE
    }

    private static final int HEADER_LENGTH = 121;

    public Phase phase = Phase.NOTHING;
    public long epoch;
    public long clusterId;

    /** The oldest readable revision. Above the watermark: nothing is readable for now. */
    public long floor;

    public long watermark;
    public long lastRevision;
    public long listRevision;
    public long listOffset = -1;
    public long appliedOffset = -1;
    public long markTimeMillis;
    public long newestTimeMillis;
    public long historyBytes;
    long unreadable;

    /** {@link #unreadable} as of the last written batch: readers find that many keys. */
    private long writtenUnreadable;

    /**
     * Falls only after a broker's clock was far ahead: else a mark with an earlier time counts with
     * this one.
     */
    public long tideMillis;

    /** The newest bridged gap above the floor: its changes are the net change of each key. */
    BridgedGap bridged = BridgedGap.NONE;

    public String connector = "";

    /**
     * @param stored null for a store without state
     * @throws RuntimeException when it is shorter than the header, or has an unknown phase
     */
    public static FoldState decode(byte @Nullable [] stored) {
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
        state.writtenUnreadable = state.unreadable;
        state.tideMillis = in.getLong();
        state.bridged = new BridgedGap(in.getLong(), in.getLong());
        state.connector =
                new String(
                        Arrays.copyOfRange(stored, HEADER_LENGTH, stored.length),
                        StandardCharsets.UTF_8);
        return state;
    }

    /** Big-endian, in the layout above. */
    public byte[] encode() {
        byte[] address = connector.getBytes(StandardCharsets.UTF_8);
        ByteBuffer out = ByteBuffer.allocate(HEADER_LENGTH + address.length);
        out.put((byte) phase.ordinal());
        out.putLong(epoch).putLong(clusterId).putLong(floor).putLong(watermark);
        out.putLong(lastRevision).putLong(listRevision).putLong(listOffset).putLong(appliedOffset);
        out.putLong(markTimeMillis).putLong(newestTimeMillis).putLong(historyBytes);
        out.putLong(unreadable).putLong(tideMillis);
        out.putLong(bridged.after()).putLong(bridged.through());
        return out.put(address).array();
    }

    /** Takes note that the batch with this state has been written. */
    public void markWritten() {
        writtenUnreadable = unreadable;
    }

    /** Drops all that was folded before a list; offsets and times stay. */
    public void beginList(long newEpoch, long revision, long offset) {
        phase = Phase.LISTING;
        epoch = newEpoch;
        listRevision = revision;
        listOffset = offset;
        floor = 0;
        watermark = 0;
        // The new list may show an older state than the previous epoch had reached.
        markTimeMillis = 0;
        lastRevision = 0;
        historyBytes = 0;
        unreadable = 0;
        bridged = BridgedGap.NONE;
    }

    /** Drops everything. */
    public void reset() {
        beginList(0, 0, -1);
        phase = Phase.NOTHING;
        clusterId = 0;
        appliedOffset = -1;
        newestTimeMillis = 0;
        tideMillis = 0;
        connector = "";
    }

    /**
     * Drops all data after records were lost: only the next list makes it complete. The epoch
     * stays, so that no earlier one can follow; so does the applied offset.
     */
    public void invalidate() {
        beginList(epoch, 0, -1);
        phase = Phase.NOTHING;
    }

    /** Takes the epoch and connector of a mark whose list this store does not have. */
    public void recordMissingList(TideMark mark) {
        epoch = mark.epoch();
        connector = mark.connector();
    }

    /** Whether an epoch is known, but none of its list, complete or begun. */
    public boolean lacksList() {
        return phase == Phase.NOTHING && epoch > 0;
    }

    /** Makes the list readable: its revision is floor and watermark. */
    public void endList() {
        phase = Phase.COMPLETE;
        floor = listRevision;
        watermark = listRevision;
        lastRevision = listRevision;
    }

    /** Continues at {@code revision} after a gap: earlier revisions are no longer readable. */
    public void reconcileGap(long revision) {
        floor = Math.max(floor, revision);
        watermark = Math.max(watermark, revision);
        lastRevision = Math.max(lastRevision, revision);
    }

    /**
     * The same, but earlier revisions and the net changes in between stay readable. At most one gap
     * is kept: an older one, with all before it, falls below the floor.
     */
    public void bridgeGap(long revision) {
        if (bridged.through() > bridged.after()) {
            floor = Math.max(floor, bridged.through());
        }
        bridged = new BridgedGap(watermark, revision);
        watermark = revision;
        lastRevision = Math.max(lastRevision, revision);
    }

    /** The revision through which the newest bridged gap extends; 0 without one. */
    public long bridgedThrough() {
        return bridged.through();
    }

    /** Whether the revision is inside the bridged gap, where no state is known. */
    public boolean isInGap(long revision) {
        return bridged.contains(revision);
    }

    /** Whether any revision is readable. */
    public boolean isReadable() {
        return phase == Phase.COMPLETE && floor <= watermark;
    }

    /**
     * The state for readers.
     *
     * @param trusted false while later records may show that something is missing from this state
     */
    public PartitionState publish(boolean trusted) {
        return new PartitionState(
                trusted && isReadable(),
                epoch,
                clusterId,
                Math.min(floor, watermark),
                watermark,
                lastRevision,
                appliedOffset,
                markTimeMillis,
                writtenUnreadable,
                connector,
                bridged);
    }
}
