package io.tidemark.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import io.tidemark.store.engine.InMemoryEngine;
import io.tidemark.store.engine.KeyValueEngine;
import io.tidemark.store.engine.KeyValueEngine.Family;
import io.tidemark.store.engine.ReadCounter;
import io.tidemark.store.layout.IndexSettings;
import io.tidemark.store.layout.StoreSettings;
import io.tidemark.store.read.ReadExecutor;
import io.tidemark.view.BridgedGap;
import io.tidemark.view.object.Projection;
import io.tidemark.view.object.Selection;
import io.tidemark.view.request.ChangePage;
import io.tidemark.view.request.ChangesRequest;
import io.tidemark.view.request.KeysPage;
import io.tidemark.view.request.KeysRequest;
import io.tidemark.view.request.ReadOutcome;
import io.tidemark.view.request.ScanPage;
import io.tidemark.view.request.ScanRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Gaps: etcd compacted changes before the connector read them; how a store folds the result. */
class GapTest {
    private static final Duration LAG = Duration.ofMinutes(100);

    private final ManualClock clock = new ManualClock(Instant.ofEpochSecond(1_700_000_000));
    private final InMemoryEngine engine = new InMemoryEngine();
    private PartitionStore store = open();
    private long offset;

    private PartitionStore open() {
        return open(engine);
    }

    private PartitionStore open(KeyValueEngine wrapped) {
        return PartitionStore.open(
                0,
                wrapped,
                new StoreSettings(LAG, 1 << 20, LAG, IndexSettings.DEFAULT),
                clock,
                ReadExecutor.DIRECT,
                false);
    }

    @Test
    void hidesAGapUntilItsMarkWhichBecomesTheFloor() {
        beforeTheGap();
        apply(Changes.inGap("a", 30, 0), Changes.inGap("new", 25, 1));
        apply(Changes.goneInGap("c", 40, 2));
        assertThat(state(12)).containsExactly("a@11", "b@10", "c@12");
        assertThat(store.state().watermark()).isEqualTo(12);

        apply(Changes.gap(40));
        assertThat(state(40)).containsExactly("a@30", "b@10", "new@25");
        assertThat(store.state().floor()).isEqualTo(40);
        assertThat(scan(39)).isInstanceOf(ReadOutcome.Expired.class);
        assertThat(changes(12)).isInstanceOf(ReadOutcome.Expired.class);

        apply(Changes.put("b", 41, 0), Changes.progress(41));
        assertThat(texts(40)).containsExactly("b@41");
        assertThat(state(40)).containsExactly("a@30", "b@10", "new@25");
    }

    @Test
    void bridgeOffersNetChangesInOrderButNoStatesInside() {
        beforeTheGap();
        apply(Changes.inGap("a", 30, 0), Changes.inGap("new", 25, 1));
        apply(Changes.goneInGap("c", 40, 2), Changes.bridge(40));
        assertThat(texts(12)).containsExactly("new@25", "a@30", "-c@40");
        assertThat(texts(10)).containsExactly("a@11", "c@12", "new@25", "a@30", "-c@40");
        assertThat(texts(25)).containsExactly("a@30", "-c@40");
        assertThat(state(12)).containsExactly("a@11", "b@10", "c@12");
        assertThat(state(40)).containsExactly("a@30", "b@10", "new@25");
        assertThat(scan(13)).isInstanceOf(ReadOutcome.Expired.class);
        assertThat(scan(39)).isInstanceOf(ReadOutcome.Expired.class);
        assertThat(store.state().gap()).isEqualTo(new BridgedGap(12, 40));
    }

    /** A connector that starts over writes the same deletes again: each looks at its key only. */
    @Test
    void aGapThatIsWrittenAgainReadsEachKeyOnce() {
        int deletes = 1_000;
        ReadCounter counted = new ReadCounter(engine, Family.HISTORY);
        store = open(counted);
        apply(Changes.begin(10));
        for (int i = 0; i < deletes; i++) {
            apply(Changes.listed("k" + i, 5));
        }
        apply(Changes.end(10));
        deleteInGap(deletes);
        store.write();
        assertThat(counted.takeReads()).isLessThanOrEqualTo(deletes);
        deleteInGap(deletes);
        assertThat(counted.takeReads()).isZero();
        apply(Changes.gap(40));
        assertThat(state(40)).isEmpty();
    }

    private void deleteInGap(int keys) {
        for (int i = 0; i < keys; i++) {
            apply(Changes.goneInGap("k" + i, 40, i));
        }
    }

    /** Else the self-check compares a state that etcd never had, and rebuilds the replica. */
    @Test
    void bridgeRefusesTheSelfCheckKeysInside() {
        beforeTheGap();
        apply(Changes.goneInGap("c", 40, 0), Changes.bridge(40));
        assertThat(keys(12)).isInstanceOf(ReadOutcome.Served.class);
        assertThat(keys(13)).isInstanceOf(ReadOutcome.Expired.class);
        assertThat(keys(39)).isInstanceOf(ReadOutcome.Expired.class);
        assertThat(keys(40)).isInstanceOf(ReadOutcome.Served.class);
    }

    @Test
    void secondBridgeRaisesTheFloorOverTheFirst() {
        beforeTheGap();
        apply(Changes.inGap("a", 30, 0), Changes.bridge(40));
        apply(Changes.put("a", 41, 0), Changes.progress(42));
        apply(Changes.inGap("b", 55, 0), Changes.bridge(60));
        assertThat(store.state().floor()).isEqualTo(40);
        assertThat(texts(40)).containsExactly("a@41", "b@55");
        assertThat(scan(41)).isInstanceOf(ReadOutcome.Served.class);
        assertThat(scan(50)).isInstanceOf(ReadOutcome.Expired.class);
    }

    @Test
    void bridgeToAnAppliedRevisionKeepsTheHistory() {
        beforeTheGap();
        // Written by a connector that did not commit it, so that the next one met a gap.
        apply(Changes.put("a", 13, 0), Changes.progress(15));
        apply(Changes.inGap("a", 13, 0), Changes.bridge(15));
        assertThat(store.state().floor()).isEqualTo(10);
        assertThat(store.state().watermark()).isEqualTo(15);
        assertThat(texts(12)).containsExactly("a@13");
        assertThat(state(14)).containsExactly("a@13", "b@10", "c@12");
    }

    @Test
    void bridgeWithAMissedChangeBecomesTheFloor() {
        beforeTheGap();
        apply(Changes.progress(15));
        apply(Changes.goneInGap("c", 15, 0), Changes.bridge(15));
        assertThat(store.state().ready()).isTrue();
        assertThat(store.state().floor()).isEqualTo(15);
        assertThat(state(15)).containsExactly("a@11", "b@10");
    }

    @Test
    void nextGapCoversAnUnfinishedOne() {
        beforeTheGap();
        apply(Changes.inGap("a", 30, 0), Changes.inGap("new", 25, 1));
        apply(Changes.goneInGap("c", 40, 2));
        // The connector crashes; meanwhile c was created again and new was deleted.
        apply(Changes.inGap("a", 44, 0), Changes.inGap("c", 43, 1));
        apply(Changes.goneInGap("new", 50, 2));
        assertThat(state(12)).containsExactly("a@11", "b@10", "c@12");
        apply(Changes.bridge(50));
        assertThat(state(50)).containsExactly("a@44", "b@10", "c@43");
        assertThat(texts(12)).containsExactly("new@25", "a@30", "-c@40", "c@43", "a@44", "-new@50");
    }

    @Test
    void nextGapKeepsTheChangesOfAnUnfinishedOne() {
        beforeTheGap();
        // Of the first attempt, only the second change of a transaction is left.
        apply(Changes.inGap("y", 30, 1));
        apply(Changes.inGap("x", 30, 1), Changes.inGap("y", 30, 2));
        assertThat(state(12)).containsExactly("a@11", "b@10", "c@12");
        apply(Changes.bridge(40));
        assertThat(texts(12)).containsExactly("y@30", "x@30");
    }

    @Test
    void gapWithAMissedChangeIsUnreadableUntilItsMark() {
        beforeTheGap();
        apply(Changes.inGap("missed", 11, 0));
        store.write();
        assertThat(store.state().ready()).isFalse();
        apply(Changes.inGap("later", 20, 1), Changes.bridge(40));
        assertThat(store.state().ready()).isTrue();
        assertThat(store.state().floor()).isEqualTo(40);
        assertThat(state(40)).containsExactly("a@11", "b@10", "c@12", "later@20", "missed@11");
    }

    @Test
    void repeatedGapRecordsChangeNothing() {
        beforeTheGap();
        long from = offset;
        Change[] gap = {
            Changes.inGap("a", 30, 0), Changes.goneInGap("c", 40, 1), Changes.bridge(40)
        };
        apply(gap);
        apply(Changes.delete("a", 41, 0), Changes.progress(41));
        long end = offset;
        offset = from;
        apply(gap);
        offset = end;
        assertThat(state(41)).containsExactly("b@10");
        assertThat(texts(12)).containsExactly("a@30", "-c@40", "-a@41");
    }

    @Test
    void rebuildFromOldRecordsHasTheSameStateAndAHigherFloor() {
        long then = clock.millis();
        clock.advance(LAG.plus(LAG));
        for (Change change : gapAndMore()) {
            store.apply(change, offset++, then);
        }
        apply(Changes.progress(45));
        assertThat(state(45)).containsExactly("a@30", "b@44", "new@25");
        assertThat(store.state().floor()).isGreaterThanOrEqualTo(40);
    }

    @Test
    void toleratesAGapMarkThatCompactionRemoved() {
        long then = clock.millis();
        clock.advance(LAG.plus(LAG));
        for (Change change : gapAndMore()) {
            if (!(change instanceof Change.TideMark mark
                    && mark.kind() == Change.TideMark.Kind.GAP)) {
                store.apply(change, offset++, then);
            }
        }
        store.apply(Changes.gap(60), offset++, then);
        apply(Changes.progress(61));
        assertThat(state(61)).containsExactly("a@30", "b@44", "new@25");
        assertThat(store.state().floor()).isEqualTo(60);
    }

    private static List<Change> gapAndMore() {
        return List.of(
                Changes.begin(10),
                Changes.listed("b", 10),
                Changes.end(10),
                Changes.put("a", 11, 0),
                Changes.put("c", 12, 0),
                Changes.progress(12),
                Changes.inGap("a", 30, 0),
                Changes.inGap("new", 25, 1),
                Changes.goneInGap("c", 40, 2),
                Changes.gap(40),
                Changes.put("b", 44, 0),
                Changes.progress(44));
    }

    @Test
    void continuesAGapAfterReopening() {
        beforeTheGap();
        apply(Changes.inGap("a", 30, 0));
        store.flush();
        store = open();
        assertThat(state(12)).containsExactly("a@11", "b@10", "c@12");
        apply(Changes.goneInGap("c", 40, 1), Changes.bridge(40));
        store.flush();
        store = open();
        assertThat(texts(12)).containsExactly("a@30", "-c@40");
        assertThat(scan(20)).isInstanceOf(ReadOutcome.Expired.class);
    }

    private void beforeTheGap() {
        apply(Changes.begin(10), Changes.listed("b", 10), Changes.end(10));
        apply(Changes.put("a", 11, 0), Changes.put("c", 12, 0), Changes.progress(12));
    }

    private void apply(Change... changes) {
        for (Change change : changes) {
            store.apply(change, offset++, clock.millis());
        }
    }

    private ReadOutcome<ScanPage> scan(long revision) {
        return store.view()
                .read(
                        new ScanRequest(
                                Bytes.EMPTY, Bytes.EMPTY, revision, Selection.ALL, 100, 1 << 20));
    }

    private ReadOutcome<KeysPage> keys(long revision) {
        return store.keys(new KeysRequest(Projection.WHOLE, 1, revision, Bytes.EMPTY, 100));
    }

    private List<String> state(long revision) {
        return ((ReadOutcome.Served<ScanPage>) scan(revision))
                .value().objects().stream()
                        .map(object -> object.key() + "@" + object.revision())
                        .toList();
    }

    private ReadOutcome<ChangePage> changes(long after) {
        return store.view()
                .read(new ChangesRequest(Bytes.EMPTY, after, Long.MAX_VALUE, 100, 1 << 20));
    }

    private List<String> texts(long after) {
        return ((ReadOutcome.Served<ChangePage>) changes(after))
                .value().changes().stream()
                        .map(change ->
                                "%s%s@%d"
                                        .formatted(
                                                change.current() == null ? "-" : "",
                                                change.key(),
                                                change.revision()))
                        .toList();
    }
}
