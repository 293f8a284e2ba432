package io.tidemark.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import io.tidemark.record.Change.TideMark.Kind;
import io.tidemark.store.KeyValueEngine.Family;
import io.tidemark.view.ChangePage;
import io.tidemark.view.ChangesRequest;
import io.tidemark.view.ReadOutcome;
import io.tidemark.view.ReadOutcome.Expired;
import io.tidemark.view.ReadOutcome.NotHere;
import io.tidemark.view.ReadOutcome.Served;
import io.tidemark.view.ReadOutcome.TooNew;
import io.tidemark.view.ScanPage;
import io.tidemark.view.ScanRequest;
import io.tidemark.view.Selection;
import io.tidemark.view.UnreadablePage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The rules of the fold, one by one. */
class PartitionStoreTest {
    private static final Duration LAG = Duration.ofMinutes(100);
    private final InMemoryEngine engine = new InMemoryEngine();
    private final ManualClock clock = new ManualClock(Instant.ofEpochSecond(1_700_000_000));
    private PartitionStore store = open(1 << 20);
    private long offset;

    private PartitionStore open(long maxHistoryBytes) {
        StoreSettings settings =
                new StoreSettings(LAG, maxHistoryBytes, LAG, IndexSettings.DEFAULT);
        return PartitionStore.open(3, engine, settings, clock, ReadGate.ofCores(), false);
    }

    private void apply(Change... changes) {
        for (Change change : changes) {
            applyAged(change, Duration.ZERO);
        }
    }

    private void applyAged(Change change, Duration age) {
        store.apply(change, offset++, clock.millis() - age.toMillis());
    }

    private List<String> at(long revision) {
        return scan(revision).map(StoreText::of) instanceof Served<List<String>>(var keys)
                ? keys
                : List.of("none");
    }

    private ReadOutcome<ScanPage> scan(long revision) {
        return store.view()
                .scan(
                        new ScanRequest(
                                Bytes.EMPTY, Bytes.EMPTY, revision, Selection.ALL, 100, 1 << 20));
    }

    private ReadOutcome<ChangePage> changes(long after, int maxChanges) {
        return store.view()
                .changes(new ChangesRequest(Bytes.EMPTY, after, Long.MAX_VALUE, maxChanges, 1));
    }

    @Test
    void nothingIsSeenBeforeTheListIsComplete() {
        apply(Changes.begin(10), Changes.listed("a", 5), Changes.progress(12));
        assertThat(store.state().ready()).isFalse();
        assertThat(scan(10)).isInstanceOf(NotHere.class);

        apply(Changes.end(10));
        assertThat(at(10)).containsExactly("a@5");
        assertThat(store.state().floor()).isEqualTo(10);
        assertThat(store.state().watermark()).isEqualTo(10);
        assertThat(scan(9)).isEqualTo(new Expired<>(10));
        assertThat(scan(11)).isEqualTo(new TooNew<>(10));
    }

    @Test
    void aChangeIsSeenWhenAMarkCoversIt() {
        apply(Changes.begin(10), Changes.end(10), Changes.put("a", 11, 0));
        store.write();
        assertThat(at(10)).isEmpty();
        assertThat(changes(10, 5)).isEqualTo(new Served<>(new ChangePage(List.of(), 10)));

        apply(Changes.progress(12));
        assertThat(at(12)).containsExactly("a@11");
        assertThat(at(10)).isEmpty();
    }

    @Test
    void aClockThatIsFarAheadIsNotBelievedOnceTheTopicHasShownIt() {
        apply(Changes.begin(10), Changes.end(10), Changes.put("a", 11, 0), Changes.progress(11));
        Duration ahead = LAG.multipliedBy(3);
        clock.advance(ahead);
        applyAged(Changes.put("a", 12, 0), ahead);
        applyAged(Changes.progress(12), ahead);
        assertThat(store.isSettled()).isFalse();
        store.topicEnded(offset, clock.millis());
        store.caughtUp();
        clock.advance(Duration.ofSeconds(1));
        applyAged(Changes.put("a", 13, 0), ahead);
        applyAged(Changes.progress(13), ahead);
        assertThat(store.isSettled()).isTrue();
        assertThat(store.state().floor()).isEqualTo(12);
        // A record of long ago is one by the broker's clock as well.
        applyAged(Changes.progress(14), ahead.plus(LAG));
        assertThat(store.isSettled()).isFalse();
        assertThat(store.state().floor()).isEqualTo(14);
    }

    /** What was there before may have been compacted meanwhile; what comes afterwards was not. */
    @Test
    void aBrokersClockThatWasAheadForAMomentTakesNoLaterHistory() {
        apply(Changes.begin(10), Changes.end(10), Changes.put("a", 11, 0), Changes.progress(11));
        applyAged(Changes.put("a", 12, 0), LAG.multipliedBy(3).negated());
        applyAged(Changes.progress(12), LAG.multipliedBy(3).negated());
        long floor = store.state().floor();
        clock.advance(Duration.ofSeconds(1));
        apply(Changes.put("a", 13, 0), Changes.put("a", 14, 0), Changes.progress(14));
        assertThat(store.isSettled()).isTrue();
        assertThat(store.state().floor()).isEqualTo(floor).isLessThanOrEqualTo(12);
        assertThat(at(13)).containsExactly("a@13");
    }

    @Test
    void aClockThatWasSetRightIsBelievedAgain() {
        BrokerClock broker = new BrokerClock(clock, 1_000);
        long now = clock.millis();
        broker.ended(5, now + LAG.toMillis());
        broker.read(4, now);
        assertThat(broker.millis(0)).isEqualTo(now);
        clock.advance(LAG);
        broker.ended(5, clock.millis());
        broker.read(5, now);
        assertThat(broker.millis(now)).isEqualTo(now + 1_000);
        assertThat(broker.millis(now + LAG.toMillis())).isEqualTo(now + LAG.toMillis());
        assertThat(broker.millis(now)).isEqualTo(now + LAG.toMillis());
    }

    @Test
    void aPageOfChangesNeverEndsInsideARevision() {
        apply(Changes.begin(10), Changes.end(10));
        for (int i = 0; i < 5; i++) {
            apply(Changes.put("k" + i, 11, i));
        }
        apply(Changes.put("z", 12, 0), Changes.progress(12));

        assertThat(changes(10, 1))
                .isInstanceOfSatisfying(
                        Served.class,
                        served -> {
                            ChangePage page = (ChangePage) served.value();
                            assertThat(page.changes()).hasSize(5);
                            assertThat(page.throughRevision()).isEqualTo(11);
                        });
    }

    @Test
    void aNewListVoidsWhatWasBefore() {
        apply(Changes.begin(10), Changes.listed("a", 5), Changes.end(10), Changes.put("b", 11, 0));
        apply(Changes.progress(11), Changes.begin(20));
        assertThat(scan(11)).isInstanceOf(NotHere.class);
        apply(Changes.listed("c", 15), Changes.end(20));
        assertThat(at(20)).containsExactly("c@15");
        assertThat(scan(11)).isEqualTo(new Expired<>(20));
    }

    @Test
    void aRepeatedListChangesNothing() {
        apply(Changes.begin(10), Changes.listed("a", 5), Changes.end(10));
        apply(Changes.put("b", 11, 0), Changes.progress(11));
        offset = 0;
        apply(Changes.begin(10), Changes.listed("a", 5), Changes.end(10));
        assertThat(store.state().watermark()).isEqualTo(11);
        assertThat(at(10)).containsExactly("a@5");
        assertThat(at(11)).containsExactly("a@5", "b@11");
    }

    @Test
    void aListThatIsOrderedAgainAtTheSameRevisionCounts() {
        apply(Changes.begin(10), Changes.listed("a", 5), Changes.end(10));
        apply(Changes.begin(10), Changes.listed("b", 6), Changes.end(10));
        assertThat(at(10)).containsExactly("b@6");
    }

    @Test
    void anEpochBeginsWithItsListAndEndsTheOneBefore() {
        apply(Changes.begin(10), Changes.listed("a", 5), Changes.end(10));
        apply(Changes.mark(2, 50, Kind.PROGRESS));
        apply(Changes.put(2, Bytes.utf8("x"), 51, 0, false, Changes.podJson("x", 51, Map.of())));
        assertThat(at(10)).containsExactly("a@5");

        apply(Changes.mark(2, 3, Kind.LIST_BEGIN), Changes.mark(2, 3, Kind.LIST_END));
        apply(Changes.progress(60), Changes.put("b", 60, 0));
        assertThat(store.state().epoch()).isEqualTo(2);
        assertThat(store.state().watermark()).isEqualTo(3);
        assertThat(at(3)).isEmpty();
    }

    @Test
    void aMarkThatWaitedForTheBrokerTellsWhatWasTrueWhenItWasMade() {
        apply(Changes.begin(10), Changes.end(10));
        long now = clock.millis();

        apply(Changes.mark(1, 20, Kind.PROGRESS).withTime(now - 10_000));
        assertThat(store.state().markTimeMillis()).isEqualTo(now);

        clock.advance(Duration.ofSeconds(30));
        apply(Changes.mark(1, 30, Kind.PROGRESS).withTime(now + 5_000));
        assertThat(store.state().markTimeMillis()).isEqualTo(now + 5_000);

        apply(Changes.mark(1, 31, Kind.PROGRESS).withTime(clock.millis() + 7_000));
        assertThat(store.state().markTimeMillis()).isEqualTo(clock.millis());
    }

    @Test
    void aMarkNeverLowersTheWatermark() {
        apply(Changes.begin(10), Changes.end(10), Changes.progress(20), Changes.progress(15));
        assertThat(store.state().watermark()).isEqualTo(20);
    }

    @Test
    void theWindowEndsByTime() {
        apply(Changes.begin(10), Changes.end(10));
        clock.advance(Duration.ofMinutes(1));
        apply(Changes.put("a", 11, 0), Changes.progress(11));
        clock.advance(LAG.dividedBy(2));
        apply(Changes.put("a", 12, 0), Changes.progress(12));
        assertThat(store.state().floor()).isEqualTo(10);
        clock.advance(LAG.dividedBy(2).plusSeconds(1));
        apply(Changes.progress(13));
        assertThat(store.state().floor()).isEqualTo(11);
        assertThat(changes(10, 5)).isEqualTo(new Expired<>(11));
        assertThat(at(11)).containsExactly("a@11");
        assertThat(at(13)).containsExactly("a@12");
    }

    @Test
    void theWindowEndsByBytes() {
        store.close();
        engine.reopen();
        store = open(1_000);
        apply(Changes.begin(10), Changes.end(10));
        for (int i = 11; i < 60; i++) {
            apply(Changes.put("a", i, 0), Changes.progress(i));
        }
        assertThat(store.state().floor()).isBetween(50L, 58L);
        assertThat(at(store.state().floor())).containsExactly("a@" + store.state().floor());
        int versions = engine.size(Family.VERSIONS);
        assertThat(versions).isLessThan(8);
    }

    @Test
    void aQuietPartitionKeepsItsFloor() {
        apply(Changes.begin(10), Changes.end(10), Changes.put("a", 11, 0), Changes.progress(11));
        for (int i = 0; i < 300; i++) {
            clock.advance(Duration.ofMinutes(1));
            apply(Changes.progress(12 + i));
        }
        assertThat(store.state().floor()).isEqualTo(11);
        assertThat(engine.size(Family.META)).isLessThan(150);
    }

    @Test
    void anOldRecordRaisesTheFloorAndAnOldStateWaitsForAYoungRecord() {
        applyAged(Changes.begin(10), LAG);
        applyAged(Changes.end(10), LAG);
        applyAged(Changes.put("a", 11, 0), LAG);
        applyAged(Changes.put("b", 12, 0), LAG);
        applyAged(Changes.progress(12), LAG);
        assertThat(store.state().ready()).isFalse();
        apply(Changes.put("a", 13, 0), Changes.progress(13));
        assertThat(store.state().ready()).isTrue();
        assertThat(store.state().floor()).isEqualTo(12);
        assertThat(at(12)).containsExactly("a@11", "b@12");
        assertThat(at(13)).containsExactly("a@13", "b@12");
    }

    @Test
    void aChangeThatTheListHasAlreadyIsDropped() {
        apply(Changes.begin(10), Changes.listed("a", 10), Changes.end(10));
        apply(Changes.put("a", 10, 0), Changes.put("b", 10, 1), Changes.delete("a", 10, 2));
        apply(Changes.progress(10));
        assertThat(at(10)).containsExactly("a@10");
        assertThat(engine.size(Family.HISTORY)).isZero();
    }

    @Test
    void anOldChangeThatIsWrittenAgainMakesNoHistory() {
        apply(Changes.begin(10), Changes.end(10));
        applyAged(Changes.put("a", 11, 0), LAG);
        apply(Changes.put("a", 11, 0), Changes.progress(11));
        assertThat(at(11)).containsExactly("a@11");
        assertThat(engine.size(Family.HISTORY)).isZero();
    }

    @Test
    void anIndexHoldsNothingOfWhatIsGone() {
        apply(Changes.begin(10), Changes.end(10));
        String a = "/registry/pods/x/a";
        String b = "/registry/pods/x/b";
        apply(Changes.pod(a, 11, 0, false, Map.of("node", "n1")));
        apply(Changes.pod(b, 12, 0, false, Map.of("node", "n1")), Changes.progress(12));
        apply(Changes.pod("/registry/z", 12, 1, false, Map.of("node", "n1")), Changes.progress(12));
        assertThat(engine.size(Family.INDEX)).isEqualTo(2);
        apply(Changes.put(a, 13, 0), Changes.delete(b, 14, 0), Changes.progress(14));
        assertThat(engine.size(Family.INDEX)).as("that it has no node is indexed").isEqualTo(1);
        apply(Changes.delete(a, 15, 0), Changes.progress(15));
        assertThat(engine.size(Family.INDEX)).isZero();
        assertThat(engine.size(Family.METADATA)).isEqualTo(engine.size(Family.OBJECTS));
    }

    @Test
    void anOldStateIsReadyWhenNothingFollows() {
        applyAged(Changes.begin(10), LAG);
        applyAged(Changes.end(10), LAG);
        store.caughtUp();
        assertThat(store.state().ready()).isTrue();
    }

    @Test
    void anOldRecordBeyondTheWatermarkHidesTheStateUntilItsMark() {
        apply(Changes.begin(10), Changes.end(10), Changes.progress(11));
        applyAged(Changes.put("a", 12, 0), LAG);
        apply(Changes.put("b", 13, 0));
        store.write();
        assertThat(store.state().ready()).isFalse();
        assertThat(scan(11)).isInstanceOf(NotHere.class);
        apply(Changes.progress(13));
        assertThat(at(13)).containsExactly("a@12", "b@13");
    }

    @Test
    void whatIsNotFlushedIsLostWithItsOffset() {
        apply(Changes.begin(10), Changes.end(10));
        store.flush();
        long flushed = store.writtenOffset();
        apply(Changes.put("a", 11, 0), Changes.progress(11));
        engine.crash();
        store = open(1 << 20);
        assertThat(store.appliedOffset()).isEqualTo(flushed);
        assertThat(store.state().watermark()).isEqualTo(10);
        assertThat(at(10)).isEmpty();
    }

    @Test
    void aMalformedRecordIsCountedAndPassed() {
        apply(Changes.begin(10), Changes.end(10));
        store.applyRecord(new byte[] {1}, null, _ -> null, 77, clock.millis());
        assertThat(store.malformedRecords()).isEqualTo(1);
        assertThat(store.appliedOffset()).isEqualTo(77);
        assertThat(store.state().ready()).isTrue();
    }

    @Test
    void aStoreThatLostRecordsShowsNothingUntilTheNextList() {
        apply(Changes.begin(10), Changes.end(10), Changes.put("a", 11, 0), Changes.progress(11));
        store.recordsLost(40);
        apply(Changes.put("b", 13, 0), Changes.progress(13));
        store.caughtUp();
        assertThat(store.state().ready()).isFalse();
        assertThat(store.needsList()).isTrue();
        assertThat(store.state().epoch()).isEqualTo(1);
        store.flush();
        engine.crash();
        store = open(1 << 20);
        store.caughtUp();
        assertThat(store.state().ready()).isFalse();
        assertThat(store.needsList()).isTrue();

        apply(Changes.begin(13), Changes.end(13));
        assertThat(store.needsList()).isFalse();
        assertThat(store.state().ready()).isTrue();
        assertThat(at(13)).isEmpty();
    }

    @Test
    void aStoreThatNeverSawTheListKnowsWhomToAskForOne() {
        store.recordsLost(2);
        assertThat(store.needsList()).isFalse();
        apply(Changes.put("a", 11, 0), Changes.progress(11));
        assertThat(store.needsList()).isFalse(); // There may be a list further on.
        store.caughtUp();
        assertThat(store.needsList()).isTrue();
        assertThat(store.state().epoch()).isEqualTo(1);
        assertThat(store.state().connector()).isNotEmpty();
    }

    @Test
    void aStoreBuiltForSomethingElseIsVoid() {
        StoreSettings settings = StoreSettings.DEFAULT;
        assertThat(PartitionStore.prepare(engine, settings, "topic-1")).isFalse();
        store = open(1 << 20);
        apply(Changes.begin(10), Changes.listed("a", 5), Changes.end(10));
        assertThat(PartitionStore.prepare(engine, settings, "topic-1")).isFalse();
        assertThat(open(1 << 20).state().watermark()).isEqualTo(10);
        assertThat(PartitionStore.prepare(engine, settings, "topic-2")).isTrue();
        assertThat(open(1 << 20).appliedOffset()).isEqualTo(-1);
    }

    @Test
    void listenersHearOfEachMoveAndNotAfterTheyLeave() {
        AtomicInteger heard = new AtomicInteger();
        var subscription = store.view().onChange(heard::incrementAndGet);
        apply(Changes.begin(10), Changes.end(10), Changes.progress(11));
        assertThat(heard).hasValue(3);
        subscription.close();
        apply(Changes.progress(12));
        assertThat(heard).hasValue(3);
    }

    @Test
    void aClosedStoreAnswersThatItIsNotHere() {
        apply(Changes.begin(10), Changes.end(10));
        store.close();
        assertThat(store.view().get(Bytes.utf8("a"), 10)).isInstanceOf(NotHere.class);
        assertThat(store.state().ready()).isFalse();
    }

    @Test
    void theLargestNumbersDoNoHarm() {
        apply(Changes.begin(Long.MAX_VALUE - 1), Changes.end(Long.MAX_VALUE - 1));
        apply(
                Changes.put("a", Long.MAX_VALUE, Integer.MAX_VALUE),
                Changes.progress(Long.MAX_VALUE));
        assertThat(at(Long.MAX_VALUE)).containsExactly("a@" + Long.MAX_VALUE);
        assertThat(at(Long.MAX_VALUE - 1)).isEmpty();
        assertThat(changes(Long.MAX_VALUE - 1, 5))
                .isInstanceOfSatisfying(
                        Served.class,
                        served -> assertThat(((ChangePage) served.value()).changes()).hasSize(1));
        assertThat(changes(Long.MAX_VALUE, 5)).isInstanceOf(Served.class);
    }

    private List<String> unreadable(String prefix, int max) {
        if (store.view().unreadable(Bytes.utf8(prefix), max)
                instanceof Served<UnreadablePage>(UnreadablePage page)) {
            List<String> told = new ArrayList<>();
            page.keys().forEach(key -> told.add(key.key().utf8() + " " + key.reason()));
            if (page.more()) {
                told.add("more");
            }
            return told;
        }
        return List.of("none");
    }

    @Test
    void keysThatCannotBeReadAreCountedUntilTheyCan() {
        apply(
                Changes.begin(10),
                Changes.unreadable("p/a", 5, true, "broken"),
                Changes.unreadable("q", 6, true, "empty"),
                Changes.listed("p/b", 7),
                Changes.end(10));
        assertThat(store.state().unreadable()).isEqualTo(2);
        assertThat(unreadable("", 9)).containsExactly("p/a broken", "q empty");

        apply(
                Changes.unreadable("p/b", 11, false, "x".repeat(1000)),
                Changes.unreadable("p/a", 12, false, "still broken"),
                Changes.delete("q", 13, 0),
                Changes.progress(13));
        assertThat(store.state().unreadable()).isEqualTo(2);
        assertThat(unreadable("p/", 1)).containsExactly("p/a still broken", "more");
        assertThat(unreadable("p/b", 9)).containsExactly("p/b " + "x".repeat(256));
        assertThat(unreadable("q", 9)).isEmpty();

        store = open(1 << 20);
        assertThat(store.state().unreadable()).isEqualTo(2);
        apply(Changes.put("p/a", 14, 0), Changes.delete("p/b", 15, 0), Changes.progress(15));
        assertThat(store.state().unreadable()).isZero();
        assertThat(unreadable("", 9)).isEmpty();
    }

    @Test
    void aNewListForgetsWhatCouldNotBeRead() {
        apply(Changes.begin(10), Changes.unreadable("a", 5, true, "broken"), Changes.end(10));
        apply(Changes.mark(2, 20, Kind.LIST_BEGIN), Changes.mark(2, 20, Kind.LIST_END));
        assertThat(store.state().unreadable()).isZero();
        assertThat(unreadable("", 9)).isEmpty();
    }
}
