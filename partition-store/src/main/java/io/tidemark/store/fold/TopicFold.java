package io.tidemark.store.fold;

import io.tidemark.record.Change;
import io.tidemark.record.Change.TideMark;
import io.tidemark.record.CompactionLag;
import io.tidemark.record.secret.PutSealer;
import io.tidemark.store.engine.KeyValueEngine;
import io.tidemark.store.engine.WriteBatch;
import io.tidemark.store.layout.FoldState;
import io.tidemark.store.layout.FoldState.Phase;
import io.tidemark.store.layout.StoreSettings;
import io.tidemark.view.RecentChanges;
import io.tidemark.view.request.ObjectChange;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rules of the fold: which changes count, and how a mark moves floor and watermark. Turns
 * changes into writes of a batch and updates of the {@link FoldState}; writes nothing itself.
 *
 * <ul>
 *   <li>LIST_BEGIN drops all before it. Listed objects count until the LIST_END of the same
 *       revision, which sets floor and watermark and is the first readable revision.
 *   <li>After the list, a change counts when it is not below the last one that counted, and its key
 *       does not have it yet. So any part of the topic may be repeated.
 *   <li>A change below the last one that counted is a repetition too, except in one case:
 *       compaction removes an aborted transaction's records piece by piece. A store that reads only
 *       the rest of them lacks changes below its position, until the next writer writes the whole
 *       transaction again. When a missing change arrives that way, the fold rewinds to it: the
 *       store is not readable, and offers no history, until it has reached that position again.
 *   <li>A progress mark raises the watermark and never lowers it.
 *   <li>The changes of a gap come in key order, each above what its key held, and count like any
 *       other once their mark has come, which also sets the floor. If the connector stops within a
 *       gap, the changes so far belong to revisions that are not readable yet; the next attempt
 *       writes them again, and its mark covers both. A gap change at or below the watermark shows
 *       that something was missing: the store is not readable until the gap's mark.
 *   <li>Changes of another epoch than the list's are dropped. A higher epoch begins with its list.
 *   <li>When a record is lost because it is corrupt in the topic, its content is unknown: all data
 *       is dropped, and nothing counts until the next list.
 *   <li>A record that is older than the {@link StoreSettings#trustedLag} when it is read may have
 *       lost a neighbour to compaction: it raises the floor to its revision, and makes no history.
 *       Until a younger record follows, the state may be incomplete: a record that would replace
 *       what is missing may not have been read yet.
 */
public final class TopicFold {
    private static final Logger LOG = LoggerFactory.getLogger(TopicFold.class);

    private final int partition;
    private final KeyValueEngine engine;
    private final BrokerClock clock;
    private final long clockMarginMillis;
    private final long trustedAgeMillis;
    private final ChangeFold changes;
    private final HistoryWindow window;
    private final FoldState state;
    private final RecentChanges recent;
    private int addedSinceTrim;
    private long unknownEpoch;
    private boolean mayBeIncomplete;

    /** Offset of the newest record that came, for messages. */
    private long applying;

    /**
     * @param clock this machine's, corrected by {@link BrokerClock}
     * @param state as stored; this changes it
     * @param recent gets the changes, see {@link #publishChanges}
     */
    public TopicFold(
            int partition,
            KeyValueEngine engine,
            StoreSettings settings,
            InstantSource clock,
            FoldState state,
            RecentChanges recent) {
        this.partition = partition;
        this.engine = engine;
        this.state = state;
        this.recent = recent;
        Duration lag = settings.trustedLag();
        this.clockMarginMillis = CompactionLag.marginMillis(lag);
        this.trustedAgeMillis = CompactionLag.trustedMillis(lag);
        this.clock = new BrokerClock(clock, clockMarginMillis);
        this.changes =
                new ChangeFold(
                        engine,
                        new AttributeExtractor(
                                SelectableFields.builtIn(),
                                settings.indexes().fields(),
                                settings.secretKeys().map(PutSealer::new)),
                        settings.indexes().ordered(),
                        new ProtobufFamily(settings.protobuf()));
        this.window = new HistoryWindow(engine, settings);
    }

    /**
     * Applies one record of the topic to the batch and the state.
     *
     * @param offset of the record; records come in this order, and some come again
     * @param timestampMillis broker's time of the record, since 1970
     */
    public void apply(WriteBatch batch, Change change, long offset, long timestampMillis) {
        clock.observeRecord(offset, timestampMillis);
        // Records at or below the applied offset have been applied before; only a list that is
        // read again moves the offset back.
        boolean again = offset <= state.appliedOffset;
        if (!again && timestampMillis < state.newestTimeMillis - clockMarginMillis) {
            // The broker's clock was ahead for a while: otherwise all later records would be old.
            state.newestTimeMillis = timestampMillis;
        }
        boolean old = isOld(timestampMillis);
        mayBeIncomplete = old;
        state.newestTimeMillis = Math.max(state.newestTimeMillis, timestampMillis);
        applying = offset;
        switch (change) {
            case TideMark mark -> {
                if (applyMark(batch, mark, offset, old)) {
                    if (!again) {
                        correctTimes(batch, mark, timestampMillis);
                    }
                    afterMark(batch, mark, timestampMillis);
                } else if (state.phase == Phase.NOTHING && mark.epoch() >= state.epoch) {
                    state.recordMissingList(mark);
                }
            }
            case Change.Put put when put.index() >= Change.GAP_INDEX -> {
                if (isOfGap(put, again)) {
                    boolean history = makesHistory(put, old);
                    afterGapChange(put, changes.put(batch, state, put, history), old);
                }
            }
            case Change.Delete delete when delete.index() >= Change.GAP_INDEX -> {
                if (isOfGap(delete, again)) {
                    boolean history = makesHistory(delete, old);
                    afterGapChange(delete, changes.delete(batch, state, delete, history), old);
                }
            }
            case Change.Put put when put.listed() -> {
                if (belongs(put, Phase.LISTING)) {
                    changes.putListed(batch, state, put);
                }
            }
            case Change.Put put -> {
                if (isBelow(put) && !again && changes.mayBeMissing(batch, state, put)) {
                    rewindTo(put.revision());
                }
                if (isNew(put)) {
                    boolean history = makesHistory(put, old);
                    afterChange(put.revision(), changes.put(batch, state, put, history), old);
                }
            }
            case Change.Delete delete -> {
                if (isBelow(delete) && !again && changes.mayBeMissing(batch, state, delete)) {
                    rewindTo(delete.revision());
                }
                if (isNew(delete)) {
                    boolean history = makesHistory(delete, old);
                    afterChange(
                            delete.revision(), changes.delete(batch, state, delete, history), old);
                }
            }
        }
        // Last: a record whose reads fail comes again, also if what was written before is kept.
        state.appliedOffset = Math.max(state.appliedOffset, offset);
    }

    /**
     * Adds the changes since the last call to the recent ones, whose readers see them once the
     * state with their revision is published. Call it in between, when the batch is written.
     */
    public void publishChanges() {
        List<ObjectChange> made = changes.takeChanges();
        if (state.phase != Phase.COMPLETE) {
            recent.clear();
            return;
        }
        if (!recent.isOf(state.epoch)) {
            // No change that was applied before is above both.
            recent.restart(state.epoch, Math.max(state.lastRevision, state.floor));
        }
        // Above the floor every change makes history.
        recent.compact(state.floor);
        recent.add(made, state.watermark);
    }

    /** Whether the newest record was old: see the class comment. */
    public boolean mayBeIncomplete() {
        return mayBeIncomplete;
    }

    /** The clock that judges the age of records. */
    public BrokerClock clock() {
        return clock;
    }

    /** Takes note that the topic has been read to its end: no missing record follows. */
    public void markCaughtUp() {
        mayBeIncomplete = false;
    }

    /** Whether the compaction of the topic may have removed a neighbour of a record. */
    private boolean isOld(long timestampMillis) {
        return timestampMillis < clock.millis(state.newestTimeMillis) - trustedAgeMillis;
    }

    private void afterChange(long revision, boolean isNew, boolean old) {
        state.lastRevision = revision;
        if (isNew) {
            addedSinceTrim++;
        }
        if (old) {
            state.floor = Math.max(state.floor, revision);
        }
    }

    private boolean isOfGap(Change change, boolean again) {
        return !again && belongs(change, Phase.COMPLETE) && change.revision() > state.listRevision;
    }

    private void afterGapChange(Change change, boolean isNew, boolean old) {
        if (!isNew) {
            return;
        }
        addedSinceTrim++;
        if (change.revision() <= state.watermark) {
            rewindTo(change.revision());
        }
        if (old) {
            state.floor = Math.max(state.floor, change.revision());
        }
        state.lastRevision = Math.max(state.lastRevision, change.revision());
    }

    private boolean isNew(Change change) {
        return belongs(change, Phase.COMPLETE)
                && change.revision() > state.listRevision
                && change.revision() >= state.lastRevision;
    }

    private boolean isBelow(Change change) {
        return belongs(change, Phase.COMPLETE)
                && change.revision() > state.listRevision
                && change.revision() < state.lastRevision;
    }

    /** See the class comment: an aborted transaction's record was missing. */
    private void rewindTo(long revision) {
        LOG.info(
                "partition {} offset {}: revision {} may be missing although {} was applied;"
                        + " rewinding to it",
                partition,
                applying,
                revision,
                state.lastRevision);
        // Readers have seen this revision: what they see next is not before it.
        long shown = Math.max(state.lastRevision, state.watermark);
        state.floor = Math.max(state.floor, shown);
        state.watermark = Math.min(state.watermark, revision - 1);
        state.lastRevision = revision;
    }

    private boolean makesHistory(Change change, boolean old) {
        return !old && change.revision() > state.floor;
    }

    private boolean belongs(Change change, Phase phase) {
        if (change.epoch() > state.epoch && change.epoch() != unknownEpoch) {
            unknownEpoch = change.epoch();
            LOG.warn(
                    "partition {} offset {}: skipped epoch {}, whose list is missing; this store is"
                            + " in epoch {}",
                    partition,
                    applying,
                    change.epoch(),
                    state.epoch);
        }
        return change.epoch() == state.epoch && state.phase == phase;
    }

    /** Whether the mark counts. */
    private boolean applyMark(WriteBatch batch, TideMark mark, long offset, boolean old) {
        return switch (mark.kind()) {
            case LIST_BEGIN -> beginList(batch, mark, offset);
            case LIST_END -> {
                boolean ends =
                        belongs(mark, Phase.LISTING) && mark.revision() == state.listRevision;
                if (ends) {
                    state.endList();
                }
                yield ends;
            }
            case GAP, BRIDGE -> {
                boolean counts = belongs(mark, Phase.COMPLETE);
                if (counts) {
                    reconcileGap(mark, old);
                }
                yield counts;
            }
            case PROGRESS -> {
                boolean counts = belongs(mark, Phase.COMPLETE);
                if (counts) {
                    state.watermark = Math.max(state.watermark, mark.revision());
                }
                if (counts && old) {
                    // A delete before it may have been compacted away after its retention.
                    state.floor = Math.max(state.floor, mark.revision());
                }
                yield counts;
            }
        };
    }

    /**
     * Only a state that was complete before the gap can be bridged. A readable state at or above
     * the mark has applied the whole gap before.
     */
    private void reconcileGap(TideMark mark, boolean old) {
        if (mark.revision() <= Math.max(state.floor, state.bridgedThrough())
                && state.isReadable()) {
            return;
        }
        boolean bridges = mark.kind() == TideMark.Kind.BRIDGE && state.isReadable() && !old;
        if (bridges && mark.revision() <= state.watermark) {
            return;
        }
        if (bridges) {
            state.bridgeGap(mark.revision());
        } else {
            state.reconcileGap(mark.revision());
        }
        LOG.info(
                "partition {} offset {}: {} a gap in etcd's history through revision {}",
                partition,
                applying,
                bridges ? "bridged" : "raised the floor over",
                mark.revision());
    }

    /** Else all states until the time that a broker's clock showed would be as of that time. */
    private void correctTimes(WriteBatch batch, TideMark mark, long timestampMillis) {
        if (MarkTime.correctsEarlier(mark, timestampMillis, state.tideMillis)) {
            LOG.warn(
                    "partition {} offset {}: the time of earlier tide marks was ahead by {} s, as a"
                            + " broker's clock was; taking it back",
                    partition,
                    applying,
                    (state.tideMillis - mark.timeMillis()) / 1000);
            state.markTimeMillis = 0;
            state.tideMillis = 0;
            window.dropSamplesAfter(batch, mark.timeMillis());
        }
    }

    private void afterMark(WriteBatch batch, TideMark mark, long timestampMillis) {
        state.clusterId = mark.clusterId();
        state.connector = mark.connector();
        state.markTimeMillis = Math.max(state.markTimeMillis, MarkTime.asOf(mark, timestampMillis));
        if (state.phase == Phase.COMPLETE) {
            state.tideMillis = Math.max(state.tideMillis, MarkTime.of(mark, timestampMillis));
            window.sample(batch, state.tideMillis, state.watermark);
            // By the topic's times: this machine's clock may be far ahead of them.
            int added = Math.min(addedSinceTrim, HistoryWindow.MOST_ADDED);
            window.trim(batch, state, state.newestTimeMillis, added);
            addedSinceTrim -= added;
        }
    }

    /** False for a repeated LIST_BEGIN of a complete list, which changes nothing. */
    private boolean beginList(WriteBatch batch, TideMark mark, long offset) {
        boolean repeated =
                mark.epoch() == state.epoch
                        && mark.revision() == state.listRevision
                        && offset <= state.listOffset;
        if (mark.epoch() < state.epoch || (repeated && state.phase == Phase.COMPLETE)) {
            return false;
        }
        clear(batch);
        // The records after it have to be applied again.
        state.appliedOffset = offset;
        state.beginList(mark.epoch(), mark.revision(), offset);
        return true;
    }

    /** Drops everything except the applied offset: nothing counts before the next list. */
    public void invalidate(WriteBatch batch) {
        clear(batch);
        state.invalidate();
        mayBeIncomplete = false;
    }

    /** Drops everything, the applied offset included. */
    public void reset(WriteBatch batch) {
        clear(batch);
        state.reset();
        unknownEpoch = 0;
        mayBeIncomplete = false;
    }

    private void clear(WriteBatch batch) {
        StoreFormat.clearContents(batch, engine);
        window.clear();
        recent.clear();
        addedSinceTrim = 0;
    }
}
