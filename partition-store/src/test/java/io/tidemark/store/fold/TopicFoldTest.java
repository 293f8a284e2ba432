package io.tidemark.store.fold;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.record.Change;
import io.tidemark.record.Change.TideMark;
import io.tidemark.record.Change.TideMark.Kind;
import io.tidemark.record.CompactionLag;
import io.tidemark.store.Changes;
import io.tidemark.store.ManualClock;
import io.tidemark.store.engine.InMemoryEngine;
import io.tidemark.store.engine.KeyValueEngine.Family;
import io.tidemark.store.engine.WriteBatch;
import io.tidemark.store.layout.FoldState;
import io.tidemark.store.layout.IndexSettings;
import io.tidemark.store.layout.StoreSettings;
import io.tidemark.store.layout.TimeSamples;
import io.tidemark.view.RecentChanges;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** The boundaries of the fold's decisions, each after a list at revision 10. */
class TopicFoldTest {
    /** Both the history window and the topic's compaction lag. */
    private static final Duration LAG = Duration.ofMinutes(100);

    private static final long MARGIN = CompactionLag.marginMillis(LAG);
    private static final long TRUSTED = CompactionLag.trustedMillis(LAG);

    /** The cost in history of a new key of one letter. */
    private static final long COST = 66;

    private final InMemoryEngine engine = new InMemoryEngine();
    private final ManualClock clock = new ManualClock(Instant.ofEpochSecond(1_700_000_000));
    private FoldState state = new FoldState();
    private TopicFold fold = fold(1 << 20);
    private long offset;

    private TopicFold fold(long maxHistoryBytes) {
        return fold(maxHistoryBytes, LAG);
    }

    private TopicFold fold(long maxHistoryBytes, Duration compactionLag) {
        StoreSettings settings =
                new StoreSettings(LAG, maxHistoryBytes, compactionLag, IndexSettings.DEFAULT);
        return new TopicFold(0, engine, settings, clock, state, new RecentChanges(1, 1));
    }

    private void list() {
        apply(Changes.begin(10), Changes.end(10));
    }

    private void apply(Change... changes) {
        for (Change change : changes) {
            applyAt(change, clock.millis());
        }
    }

    private void applyAt(Change change, long timestampMillis) {
        WriteBatch batch = new WriteBatch();
        fold.apply(batch, change, offset++, timestampMillis);
        engine.write(batch);
    }

    private void applyAged(Change change, long ageMillis) {
        applyAt(change, clock.millis() - ageMillis);
    }

    private int history() {
        return engine.size(Family.HISTORY);
    }

    private int objects() {
        return engine.size(Family.OBJECTS);
    }

    @Test
    void aRecordOlderThanTheTrustedAgeMakesNoHistory() {
        list();
        applyAged(Changes.put("a", 11, 0), TRUSTED);
        assertThat(history()).isEqualTo(1);
        assertThat(state.floor).isEqualTo(10);
        assertThat(fold.mayBeIncomplete()).isFalse();

        applyAged(Changes.put("b", 12, 0), TRUSTED + 1);
        assertThat(history()).isEqualTo(1);
        assertThat(state.floor).isEqualTo(12);
        assertThat(fold.mayBeIncomplete()).isTrue();

        apply(Changes.put("c", 12, 1));
        assertThat(history()).as("the floor is at the same revision").isEqualTo(1);
        assertThat(fold.mayBeIncomplete()).isFalse();
        apply(Changes.put("d", 13, 0));
        assertThat(history()).isEqualTo(2);
        assertThat(objects()).isEqualTo(4);
    }

    @Test
    void aRaisedCompactionLagMakesNoOlderRecordTrusted() {
        fold = fold(1 << 20, LAG.multipliedBy(4));
        list();
        applyAged(Changes.put("a", 11, 0), TRUSTED + 1);
        assertThat(history()).isZero();
        assertThat(state.floor).isEqualTo(11);
    }

    @Test
    void aShorterCompactionLagThanTheWindowCounts() {
        fold = fold(1 << 20, LAG.dividedBy(4));
        list();
        applyAged(Changes.put("a", 11, 0), TRUSTED / 2);
        assertThat(history()).isZero();
        assertThat(state.floor).isEqualTo(11);
    }

    @Test
    void anOldMarkRaisesTheFloor() {
        list();
        applyAged(Changes.progress(20), TRUSTED);
        assertThat(state.floor).isEqualTo(10);
        applyAged(Changes.progress(20), TRUSTED + 1);
        assertThat(state.floor).isEqualTo(20);
        assertThat(state.isReadable()).isTrue();
    }

    @Test
    void anOldBridgeBecomesTheFloor() {
        list();
        apply(Changes.bridge(40));
        assertThat(state.floor).isEqualTo(10);
        applyAged(Changes.bridge(60), TRUSTED + 1);
        assertThat(state.floor).isEqualTo(60);
        assertThat(state.watermark).isEqualTo(60);
    }

    @Test
    void forgetsTheTimesOfABrokerWhoseClockWasAhead() {
        list();
        long ahead = clock.millis();
        applyAt(Changes.put("a", 11, 0), ahead - MARGIN);
        assertThat(state.newestTimeMillis).isEqualTo(ahead);
        applyAt(Changes.put("b", 12, 0), ahead - MARGIN - 1);
        assertThat(state.newestTimeMillis).isEqualTo(ahead - MARGIN - 1);
    }

    @Test
    void takesEpochAndConnectorOfMarksWhoseListIsMissing() {
        apply(mark(2, 10, Kind.PROGRESS, "first"));
        assertThat(state.epoch).isEqualTo(2);
        apply(mark(2, 10, Kind.PROGRESS, "second"), mark(1, 10, Kind.PROGRESS, "third"));
        assertThat(state.epoch).isEqualTo(2);
        assertThat(state.connector).isEqualTo("second");
        assertThat(state.lacksList()).isTrue();
    }

    @Test
    void aRepeatedListChangesNothing() {
        apply(mark(1, 10, Kind.LIST_BEGIN, "first"));
        assertThat(state.connector).isEqualTo("first");
        apply(Changes.listed("a", 5), mark(1, 10, Kind.LIST_END, "first"));
        offset = 0;
        apply(mark(1, 10, Kind.LIST_BEGIN, "repeated"));
        assertThat(state.connector).isEqualTo("first");
        assertThat(state.isReadable()).isTrue();
        assertThat(objects()).isEqualTo(1);
    }

    @Test
    void aListOfAnEarlierEpochChangesNothing() {
        apply(mark(2, 10, Kind.LIST_BEGIN, ""), mark(2, 10, Kind.LIST_END, ""));
        apply(mark(1, 20, Kind.LIST_BEGIN, ""), mark(1, 20, Kind.LIST_END, ""));
        assertThat(state.epoch).isEqualTo(2);
        assertThat(state.watermark).isEqualTo(10);
    }

    @Test
    void listsTheNewestVersionOfAKey() {
        apply(Changes.begin(10), Changes.listed("a", 5), Changes.listed("a", 7));
        apply(Changes.listed("a", 6), Changes.end(10), Changes.delete("a", 11, 0));
        assertThat(objects()).isZero();
        assertThat(history()).isEqualTo(1);
    }

    @Test
    void dropsChangesThatTheListCovers() {
        list();
        apply(Changes.put("a", 12, 0), Changes.progress(12));
        apply(Changes.put("b", 10, 0), Changes.inGap("c", 10, 0), Changes.delete("a", 10, 1));
        assertThat(objects()).isEqualTo(1);
        assertThat(state.watermark).isEqualTo(12);
        assertThat(state.lastRevision).isEqualTo(12);
    }

    @Test
    void aKeyChangesOncePerRevision() {
        list();
        apply(Changes.put("a", 12, 0), Changes.delete("a", 12, 1), Changes.put("a", 12, 2));
        assertThat(objects()).isEqualTo(1);
        assertThat(history()).isEqualTo(1);
    }

    @Test
    void doesNotRewindToRepeatedChangesInItsHistory() {
        list();
        apply(Changes.put("a", 11, 0), Changes.put("a", 12, 0), Changes.put("b", 13, 0));
        apply(Changes.delete("b", 14, 0), Changes.put("b", 15, 0), Changes.progress(15));
        apply(Changes.put("a", 11, 0), Changes.put("a", 12, 0), Changes.delete("b", 14, 0));
        apply(Changes.delete("never", 14, 1));
        assertThat(state.watermark).isEqualTo(15);
        assertThat(state.floor).isEqualTo(10);
        assertThat(history()).isEqualTo(5);
    }

    @Test
    void rewindsToAPutThatIsMissing() {
        list();
        apply(Changes.put("a", 11, 0), Changes.put("b", 13, 0), Changes.progress(13));
        apply(Changes.put("missing", 12, 0));
        assertThat(state.watermark).isEqualTo(11);
        assertThat(state.lastRevision).isEqualTo(12);
        assertThat(state.floor).as("what readers have seen").isEqualTo(13);
        assertThat(state.isReadable()).isFalse();
        assertThat(objects()).isEqualTo(3);
    }

    @Test
    void rewindsToADeleteThatIsMissing() {
        list();
        apply(Changes.put("a", 11, 0), Changes.put("b", 13, 0), Changes.progress(13));
        apply(Changes.delete("a", 12, 0));
        assertThat(state.watermark).isEqualTo(11);
        assertThat(objects()).isEqualTo(1);
        apply(Changes.put("b", 13, 0), Changes.progress(13));
        assertThat(state.isReadable()).isTrue();
    }

    @Test
    void atAndBelowTheFloorOnlyTheStateProvesAChange() {
        list();
        apply(Changes.put("a", 11, 0), Changes.put("a", 12, 0), Changes.put("b", 13, 0));
        apply(Changes.put("c", 14, 0));
        applyAged(Changes.progress(13), TRUSTED + 1);
        assertThat(state.floor).isEqualTo(13);
        apply(Changes.put("a", 12, 0), Changes.put("b", 13, 0));
        assertThat(state.watermark).isEqualTo(13);
        apply(Changes.delete("never", 13, 1));
        assertThat(state.watermark).isEqualTo(12);
        apply(Changes.put("a", 11, 0));
        assertThat(state.watermark).isEqualTo(10);
    }

    @Test
    void aResetFoldStartsAfresh() {
        list();
        applyAged(Changes.put("a", 11, 0), TRUSTED + 1);
        WriteBatch batch = new WriteBatch();
        fold.reset(batch);
        engine.write(batch);
        assertThat(state.encode()).isEqualTo(new FoldState().encode());
        assertThat(fold.mayBeIncomplete()).isFalse();
        assertThat(objects()).isZero();
        assertThat(engine.size(Family.META)).isZero();
    }

    @Test
    void anInvalidFoldKeepsItsEpochUntilTheNextList() {
        list();
        applyAged(Changes.put("a", 11, 0), TRUSTED + 1);
        WriteBatch batch = new WriteBatch();
        fold.invalidate(batch);
        engine.write(batch);
        assertThat(state.lacksList()).isTrue();
        assertThat(fold.mayBeIncomplete()).isFalse();
        assertThat(objects()).isZero();

        apply(Changes.begin(5), Changes.end(5));
        assertThat(state.isReadable()).isTrue();
        assertThat(engine.size(Family.META)).as("a sample of the new list").isEqualTo(1);
    }

    @Test
    void keepsHistoryOfExactlyTheWindow() {
        list();
        long changed = clock.millis() + 60_000;
        applyAt(Changes.put("a", 11, 0), changed);
        applyAt(Changes.progress(11), changed);
        long sampled = TimeSamples.slotOf(changed, slotMillis());
        applyAt(Changes.put("b", 12, 0), sampled + LAG.toMillis() - 1);
        applyAt(Changes.progress(12), sampled + LAG.toMillis() - 1);
        assertThat(state.floor).isEqualTo(10);
        assertThat(history()).isEqualTo(2);

        applyAt(Changes.progress(12), sampled + LAG.toMillis());
        assertThat(state.floor).isEqualTo(11);
        assertThat(history()).isEqualTo(1);
        assertThat(state.historyBytes).isEqualTo(COST);
        assertThat(engine.size(Family.META)).as("samples").isEqualTo(2);
    }

    private static long slotMillis() {
        return TimeSamples.slotMillis(new StoreSettings(LAG, 1, LAG, IndexSettings.DEFAULT));
    }

    @Test
    void aReopenedFoldKnowsTheTimesOfItsHistory() {
        list();
        long changed = clock.millis() + 60_000;
        applyAt(Changes.put("a", 11, 0), changed);
        applyAt(Changes.progress(11), changed);
        state = FoldState.decode(state.encode());
        fold = fold(1 << 20);
        applyAt(Changes.progress(12), TimeSamples.slotOf(changed, slotMillis()) + LAG.toMillis());
        assertThat(state.floor).isEqualTo(11);
        assertThat(history()).isZero();
    }

    @Test
    void dropsTheOldestHistoryAboveItsBytes() {
        fold = fold(2 * COST);
        list();
        apply(Changes.put("a", 11, 0), Changes.put("b", 12, 0), Changes.progress(12));
        assertThat(state.historyBytes).isEqualTo(2 * COST);
        assertThat(state.floor).isEqualTo(10);
        apply(Changes.put("c", 13, 0), Changes.progress(13));
        assertThat(history()).isEqualTo(2);
        assertThat(state.historyBytes).isEqualTo(2 * COST);
        assertThat(state.floor).isEqualTo(11);
    }

    @Test
    void keepsHistoryThatIsNotReadableYet() {
        fold = fold(2 * COST);
        list();
        apply(Changes.put("a", 11, 0), Changes.put("b", 12, 0), Changes.put("c", 13, 0));
        apply(Changes.put("d", 14, 0), Changes.progress(11));
        assertThat(history()).isEqualTo(3);
        assertThat(state.floor).isEqualTo(11);
    }

    @Test
    void dropsTheVersionsWithTheirHistory() {
        fold = fold(1);
        list();
        apply(Changes.put("a", 11, 0), Changes.put("a", 12, 0), Changes.put("a", 13, 0));
        assertThat(engine.size(Family.VERSIONS)).isEqualTo(2);
        apply(Changes.progress(13));
        assertThat(engine.size(Family.VERSIONS)).isZero();
        assertThat(history()).isZero();
        assertThat(state.historyBytes).isZero();
    }

    @Test
    void aFloorInsideABridgedGapRisesToItsEnd() {
        fold = fold(1);
        list();
        apply(Changes.put("a", 11, 0), Changes.progress(12));
        apply(Changes.inGap("a", 30, 0), Changes.bridge(40));
        assertThat(history()).isZero();
        assertThat(state.floor).isEqualTo(40);
    }

    /** A mark trims twice what was added since the last one, and at least a thousand changes. */
    @Test
    void trimsFasterThanHistoryGrows() {
        fold = fold(1);
        list();
        for (int i = 0; i < 1_500; i++) {
            apply(Changes.put("k" + i, 11, i));
        }
        apply(Changes.progress(11));
        assertThat(history()).isZero();
        for (int i = 0; i < 1_500; i++) {
            apply(Changes.inGap("k" + i, 20, i));
        }
        apply(Changes.gap(30));
        assertThat(history()).isZero();
        assertThat(state.floor).isEqualTo(30);
    }

    @Test
    void trimsAThousandChangesAtAMarkWithoutChanges() {
        fold = fold(1 << 30);
        list();
        for (int i = 0; i < 1_500; i++) {
            apply(Changes.put("k" + i, 11, i));
        }
        apply(Changes.progress(11));
        assertThat(history()).isEqualTo(1_500);
        fold = fold(1);
        apply(Changes.progress(11));
        assertThat(history()).isEqualTo(500);
        apply(Changes.progress(11));
        assertThat(history()).isZero();
    }

    private static TideMark mark(long epoch, long revision, Kind kind, String connector) {
        return new TideMark(epoch, revision, kind, 7, connector);
    }
}
