package io.tidemark.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.record.Bytes;
import io.tidemark.record.Change.TideMark.Kind;
import io.tidemark.record.NewerFormatException;
import io.tidemark.store.engine.KeyValueEngine.Family;
import io.tidemark.store.engine.ReadCounter;
import io.tidemark.store.engine.WriteBatch;
import io.tidemark.store.layout.KeyLayout;
import io.tidemark.store.layout.StoreSettings;
import io.tidemark.view.object.Projection;
import io.tidemark.view.request.ChangePage;
import io.tidemark.view.request.ChangePosition;
import io.tidemark.view.request.ChangesRequest;
import io.tidemark.view.request.GetRequest;
import io.tidemark.view.request.ReadOutcome.Expired;
import io.tidemark.view.request.ReadOutcome.ReplicaUnavailable;
import io.tidemark.view.request.ReadOutcome.Served;
import io.tidemark.view.request.ReadOutcome.TooNew;
import io.tidemark.view.request.VersionPage;
import io.tidemark.view.request.VersionsRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The rules of the fold, one by one. */
class PartitionStoreTest extends StoreFixture {
    @Test
    void isUnreadableUntilTheListIsComplete() {
        apply(Changes.begin(10), Changes.listed("a", 5), Changes.progress(12));
        assertThat(store.state().ready()).isFalse();
        assertThat(scan(10)).isInstanceOf(ReplicaUnavailable.class);

        apply(Changes.end(10));
        assertThat(at(10)).containsExactly("a@5");
        assertThat(store.state().floor()).isEqualTo(10);
        assertThat(store.state().watermark()).isEqualTo(10);
        assertThat(scan(9)).isEqualTo(new Expired<>(10));
        assertThat(scan(11)).isEqualTo(new TooNew<>(10));
    }

    @Test
    void showsAChangeOnceAMarkCoversIt() {
        apply(Changes.begin(10), Changes.end(10), Changes.put("a", 11, 0));
        store.write();
        assertThat(at(10)).isEmpty();
        assertThat(changes(10, 5)).isEqualTo(new Served<>(new ChangePage(List.of(), 10)));

        apply(Changes.progress(12));
        assertThat(at(12)).containsExactly("a@11");
        assertThat(at(10)).isEmpty();
    }

    /** A history that ends too early looks complete, or as if the key had never been. */
    @Test
    void refusesAHistoryThroughARevisionThatItHasNotReached() {
        apply(Changes.begin(10), Changes.end(10), Changes.put("a", 11, 0), Changes.progress(11));
        VersionsRequest later = new VersionsRequest(Bytes.utf8("a"), 0, 12, 9, 9_999);
        assertThat(store.view().read(later)).isEqualTo(new TooNew<>(11));

        apply(Changes.progress(12));
        assertThat(((Served<VersionPage>) store.view().read(later)).value().versions()).hasSize(1);
    }

    /** A client chooses how far it reads: versions after that cost nothing. */
    @Test
    void aHistoryIsReadThroughItsLastRevisionOnly() {
        ReadCounter counted = new ReadCounter(engine, Family.VERSIONS);
        store = open(counted, 1 << 20);
        apply(Changes.begin(10), Changes.end(10));
        for (int revision = 11; revision <= 500; revision++) {
            apply(Changes.put("a", revision, 0));
        }
        apply(Changes.delete("a", 501, 0), Changes.progress(501));
        assertThat(readThrough(12, counted)).isEqualTo("2 versions, 3 read");
        assertThat(readThrough(11, counted)).isEqualTo("1 versions, 2 read");
        assertThat(readThrough(10, counted)).isEqualTo("0 versions, 1 read");
        assertThat(readThrough(501, counted)).isEqualTo("491 versions, 490 read");
    }

    private String readThrough(long revision, ReadCounter counted) {
        int _ = counted.takeReads();
        VersionsRequest request = new VersionsRequest(Bytes.utf8("a"), 0, revision, 1_000, 1 << 20);
        VersionPage page = ((Served<VersionPage>) store.view().read(request)).value();
        assertThat(page.throughRevision()).isEqualTo(revision);
        return "%d versions, %d read".formatted(page.versions().size(), counted.takeReads());
    }

    @Test
    void pageOfChangesEndsWhenFull() {
        apply(Changes.begin(10), Changes.end(10));
        for (int i = 0; i < 5; i++) {
            apply(Changes.put("k" + i, 11, i));
        }
        apply(Changes.put("z", 12, 0), Changes.progress(12));

        assertThat(page(10, 1).changes()).hasSize(1);
        assertThat(page(10, 1).through()).isEqualTo(new ChangePosition(11, 0));
        assertThat(page(10, 1).throughRevision()).isEqualTo(10);

        List<ChangePosition> positions = new ArrayList<>();
        List<String> keys = new ArrayList<>();
        ChangePosition from = ChangePosition.endOf(10);
        while (from.wholeRevision() < 12) {
            ChangesRequest request =
                    new ChangesRequest(
                            Bytes.EMPTY, from, Long.MAX_VALUE, 2, 1 << 20, Projection.WHOLE);
            ChangePage page = ((Served<ChangePage>) store.view().read(request)).value();
            page.changes().forEach(change -> keys.add(change.key().utf8()));
            from = page.through();
            positions.add(from);
        }
        assertThat(keys).containsExactly("k0", "k1", "k2", "k3", "k4", "z");
        assertThat(positions)
                .containsExactly(
                        new ChangePosition(11, 1),
                        new ChangePosition(11, 3),
                        ChangePosition.endOf(12));
    }

    @Test
    void writesALargeRevisionInPartsAndShowsItWhole() {
        store = open(1L << 30);
        apply(Changes.begin(10), Changes.end(10));
        int keys = 12_000;
        for (int i = 0; i < keys; i++) {
            apply(Changes.put("k%05d".formatted(i), 11, i));
        }
        assertThat(store.writtenOffset()).as("parts are written").isGreaterThan(10_000);
        assertThat(store.state().watermark()).isEqualTo(10);
        assertThat(at(10)).isEmpty();
        assertThat(changes(10, 5)).isEqualTo(new Served<>(new ChangePage(List.of(), 10)));

        apply(Changes.progress(11));
        for (int i = 0; i < keys; i++) {
            apply(Changes.delete("k%05d".formatted(i), 12, i));
        }
        apply(Changes.progress(12));
        ChangePage page = page(11, 7);
        assertThat(page.changes()).hasSize(7).allMatch(change -> change.current() == null);
        assertThat(page.changes().getLast().previous()).isNotNull();
        assertThat(page.through()).isEqualTo(new ChangePosition(12, 6));
        assertThat(at(12)).isEmpty();
        assertThat(at(11)).hasSize(100); // One page.
    }

    private ChangePage page(long after, int maxChanges) {
        ChangesRequest request =
                new ChangesRequest(Bytes.EMPTY, after, Long.MAX_VALUE, maxChanges, 1 << 20);
        return ((Served<ChangePage>) store.view().read(request)).value();
    }

    @Test
    void newListDropsEarlierData() {
        apply(Changes.begin(10), Changes.listed("a", 5), Changes.end(10), Changes.put("b", 11, 0));
        apply(Changes.progress(11), Changes.begin(20));
        assertThat(scan(11)).isInstanceOf(ReplicaUnavailable.class);
        apply(Changes.listed("c", 15), Changes.end(20));
        assertThat(at(20)).containsExactly("c@15");
        assertThat(scan(11)).isEqualTo(new Expired<>(20));
    }

    @Test
    void repeatedListChangesNothing() {
        apply(Changes.begin(10), Changes.listed("a", 5), Changes.end(10));
        apply(Changes.put("b", 11, 0), Changes.progress(11));
        offset = 0;
        apply(Changes.begin(10), Changes.listed("a", 5), Changes.end(10));
        assertThat(store.state().watermark()).isEqualTo(11);
        assertThat(at(10)).containsExactly("a@5");
        assertThat(at(11)).containsExactly("a@5", "b@11");
    }

    @Test
    void relistAtTheSameRevisionReplacesTheList() {
        apply(Changes.begin(10), Changes.listed("a", 5), Changes.end(10));
        apply(Changes.begin(10), Changes.listed("b", 6), Changes.end(10));
        assertThat(at(10)).containsExactly("b@6");
    }

    @Test
    void epochBeginsWithItsListAndEndsThePrevious() {
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
    void markNeverLowersTheWatermark() {
        apply(Changes.begin(10), Changes.end(10), Changes.progress(20), Changes.progress(15));
        assertThat(store.state().watermark()).isEqualTo(20);
    }

    @Test
    void dropsAChangeThatTheListContains() {
        apply(Changes.begin(10), Changes.listed("a", 10), Changes.end(10));
        apply(Changes.put("a", 10, 0), Changes.put("b", 10, 1), Changes.delete("a", 10, 2));
        apply(Changes.progress(10));
        assertThat(at(10)).containsExactly("a@10");
        assertThat(engine.size(Family.HISTORY)).isZero();
    }

    @Test
    void indexHasNoEntriesOfDeletedObjects() {
        apply(Changes.begin(10), Changes.end(10));
        String a = "/registry/pods/x/a";
        String b = "/registry/pods/x/b";
        apply(Changes.pod(a, 11, 0, false, Map.of("node", "n1")));
        apply(Changes.pod(b, 12, 0, false, Map.of("node", "n1")), Changes.progress(12));
        apply(Changes.pod("/registry/z", 12, 1, false, Map.of("node", "n1")), Changes.progress(12));
        int hashes = 2;
        assertThat(engine.size(Family.INDEX)).isEqualTo(2 + 3 * hashes);
        apply(Changes.put(a, 13, 0), Changes.delete(b, 14, 0), Changes.progress(14));
        assertThat(engine.size(Family.INDEX))
                .as("an unset field is indexed")
                .isEqualTo(1 + 2 * hashes);
        apply(Changes.delete(a, 15, 0), Changes.progress(15));
        assertThat(engine.size(Family.INDEX)).as("of z").isEqualTo(hashes);
        assertThat(engine.size(Family.METADATA)).isEqualTo(engine.size(Family.OBJECTS));
        assertThat(engine.size(Family.CHECKSUMS)).isEqualTo(engine.size(Family.OBJECTS));
    }

    @Test
    void crashLosesUnflushedChangesWithTheirOffset() {
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
    void countsAndSkipsAMalformedRecord() {
        apply(Changes.begin(10), Changes.end(10));
        store.applyRecord(new byte[] {1}, null, _ -> null, 77, clock.millis());
        assertThat(store.malformedRecords()).isEqualTo(1);
        assertThat(store.appliedOffset()).isEqualTo(77);
        assertThat(store.state().ready()).isTrue();
    }

    @Test
    void countsAMalformedRecordOnceThatIsDeliveredTwice() {
        apply(Changes.begin(10), Changes.end(10));
        store.applyRecord(new byte[] {1}, null, _ -> null, 77, clock.millis());
        store.applyRecord(new byte[] {1}, null, _ -> null, 77, clock.millis());
        assertThat(store.malformedRecords()).isEqualTo(1);
    }

    @Test
    void isUnreadableAfterLostRecordsUntilTheNextList() {
        apply(Changes.begin(10), Changes.end(10), Changes.put("a", 11, 0), Changes.progress(11));
        store.recordsLost(40);
        apply(Changes.put("b", 13, 0), Changes.progress(13));
        store.markCaughtUp();
        assertThat(store.state().ready()).isFalse();
        assertThat(store.needsList()).isTrue();
        assertThat(store.state().epoch()).isEqualTo(1);
        store.flush();
        engine.crash();
        store = open(1 << 20);
        store.markCaughtUp();
        assertThat(store.state().ready()).isFalse();
        assertThat(store.needsList()).isTrue();

        apply(Changes.begin(13), Changes.end(13));
        assertThat(store.needsList()).isFalse();
        assertThat(store.state().ready()).isTrue();
        assertThat(at(13)).isEmpty();
    }

    @Test
    void needsListWithEpochAndConnectorWhenTheListWasMissed() {
        store.recordsLost(2);
        assertThat(store.needsList()).isFalse();
        apply(Changes.put("a", 11, 0), Changes.progress(11));
        assertThat(store.needsList()).isFalse(); // There may be a list further on.
        store.markCaughtUp();
        assertThat(store.needsList()).isTrue();
        assertThat(store.state().epoch()).isEqualTo(1);
        assertThat(store.state().connector()).isNotEmpty();
    }

    @Test
    void clearsAStoreOfAnotherTopic() {
        StoreSettings settings = StoreSettings.DEFAULT;
        assertThat(PartitionStore.prepare(engine, settings, "topic-1")).isEmpty();
        store = open(1 << 20);
        apply(Changes.begin(10), Changes.listed("a", 5), Changes.end(10));
        assertThat(PartitionStore.prepare(engine, settings, "topic-1")).isEmpty();
        assertThat(open(1 << 20).state().watermark()).isEqualTo(10);
        assertThat(PartitionStore.prepare(engine, settings, "topic-2"))
                .hasValueSatisfying(why -> assertThat(why).startsWith("another topic"));
        assertThat(open(1 << 20).appliedOffset()).isEqualTo(-1);
    }

    /** What an older release does after a downgrade, and a newer one after an upgrade. */
    @Test
    void clearsAStoreOfAnotherLayout() {
        StoreSettings settings = StoreSettings.DEFAULT;
        assertThat(PartitionStore.prepare(engine, settings, "topic-1")).isEmpty();
        String current = Bytes.wrap(engine.get(Family.META, KeyLayout.FINGERPRINT)).utf8();
        int layout = Integer.parseInt(current.substring(0, current.indexOf(' ')));
        for (int other : new int[] {layout + 1, layout - 1}) {
            store = open(1 << 20);
            apply(Changes.begin(10), Changes.listed("a", 5), Changes.end(10));
            store.flush();
            WriteBatch otherRelease = new WriteBatch();
            otherRelease.put(
                    Family.META,
                    KeyLayout.FINGERPRINT,
                    Bytes.utf8(current.replaceFirst("^\\d+", Integer.toString(other))));
            otherRelease.put(Family.META, KeyLayout.STATE, Bytes.utf8("of another layout"));
            engine.write(otherRelease);
            assertThat(PartitionStore.prepare(engine, settings, "topic-1"))
                    .contains("layout %d, this release has layout %d".formatted(other, layout));
            store = open(1 << 20);
            assertThat(store.appliedOffset()).isEqualTo(-1);
            assertThat(store.state().ready()).isFalse();
            assertThat(PartitionStore.prepare(engine, settings, "topic-1")).isEmpty();
        }
    }

    @Test
    void changesNothingBeforeARecordOfANewerFormat() {
        apply(Changes.begin(10), Changes.listed("a", 5), Changes.end(10));
        long applied = store.appliedOffset();
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() ->
                            store.applyRecord(
                                    new byte[] {1},
                                    null,
                                    name -> name.equals("format") ? new byte[] {'2'} : null,
                                    applied + 1,
                                    clock.millis()))
                    .isInstanceOf(NewerFormatException.class);
        }
        assertThat(store.appliedOffset()).isEqualTo(applied);
        assertThat(store.malformedRecords()).isZero();
        assertThat(store.state().watermark()).isEqualTo(10);
        assertThat(at(10)).isNotEmpty();
    }

    @Test
    void notifiesListenersUntilTheyUnsubscribe() {
        AtomicInteger heard = new AtomicInteger();
        var subscription = store.view().onChange(heard::incrementAndGet);
        apply(Changes.begin(10), Changes.end(10), Changes.progress(11));
        assertThat(heard).hasValue(3);
        subscription.close();
        apply(Changes.progress(12));
        assertThat(heard).hasValue(3);
    }

    @Test
    void closedStoreIsUnavailable() {
        apply(Changes.begin(10), Changes.end(10));
        store.close();
        assertThat(store.view().read(new GetRequest(Bytes.utf8("a"), 10)))
                .isInstanceOf(ReplicaUnavailable.class);
        assertThat(store.state().ready()).isFalse();
    }

    @Test
    void handlesTheLargestRevisions() {
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
}
