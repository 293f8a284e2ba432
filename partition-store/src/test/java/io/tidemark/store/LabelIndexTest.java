package io.tidemark.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.record.Bytes;
import io.tidemark.store.engine.InMemoryEngine;
import io.tidemark.store.engine.KeyValueEngine.Family;
import io.tidemark.store.engine.ScanRecorder;
import io.tidemark.store.layout.IndexSettings;
import io.tidemark.store.layout.StoreSettings;
import io.tidemark.store.read.ReadExecutor;
import io.tidemark.view.object.HashRange;
import io.tidemark.view.object.Selection;
import io.tidemark.view.object.Selection.Operator;
import io.tidemark.view.object.Selection.Requirement;
import io.tidemark.view.object.Selection.Source;
import io.tidemark.view.object.StoredObject;
import io.tidemark.view.request.ReadOutcome.Served;
import io.tidemark.view.request.ScanPage;
import io.tidemark.view.request.ScanRequest;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Which keys a list by labels visits, without a declaration. */
class LabelIndexTest {
    private static final Bytes PODS = Bytes.utf8("/registry/pods/");
    private static final int COUNT = 400;

    private final ScanRecorder engine = new ScanRecorder(new InMemoryEngine(), Family.OBJECTS);
    private final PartitionStore store =
            PartitionStore.open(
                    0,
                    engine,
                    new StoreSettings(
                            StoreFixture.LAG, 1 << 20, StoreFixture.LAG, IndexSettings.DEFAULT),
                    new ManualClock(Instant.EPOCH),
                    ReadExecutor.DIRECT,
                    false);
    private long offset;

    /** On all, {@code all}; on every hundredth, {@code rare}; on every tenth, {@code some}. */
    private void fill() {
        store.apply(Changes.begin(10), offset++, 0);
        for (int i = 0; i < COUNT; i++) {
            Map<String, String> labels = new HashMap<>(Map.of("all", "x"));
            if (i % 100 == 0) {
                labels.put("rare", "x");
            }
            if (i % 10 == 0) {
                labels.put("some", i % 20 == 0 ? "even" : "odd");
            }
            store.apply(Changes.pod(key(i), 5, 0, true, labels), offset++, 0);
        }
        store.apply(Changes.end(10), offset++, 0);
    }

    private static String key(int number) {
        return PODS.utf8() + "x/p%03d".formatted(number);
    }

    private ScanPage scan(Requirement... requirements) {
        engine.takeBegins();
        ScanRequest request =
                new ScanRequest(
                        PODS,
                        Bytes.EMPTY,
                        10,
                        new Selection(true, List.of(requirements)),
                        1_000,
                        1 << 20);
        if (store.view().read(request) instanceof Served<ScanPage>(ScanPage page)) {
            return page;
        }
        throw new AssertionError("not served");
    }

    private static Requirement in(String label, String... values) {
        return new Requirement(Source.LABEL, label, Operator.IN, Set.of(values));
    }

    @Test
    void visitsOnlyTheKeysWithTheLabel() {
        fill();
        ScanPage rare = scan(in("rare", "x"));
        assertThat(rare.objects()).hasSize(4);
        assertThat(rare.keysScanned()).isEqualTo(4);
        assertThat(rare.index()).isEqualTo("labels");
        assertThat(engine.takeBegins()).isEmpty();

        ScanPage some = scan(in("some", "even", "odd"));
        assertThat(some.objects()).hasSize(40);
        assertThat(some.keysScanned()).isEqualTo(40);
        assertThat(engine.takeBegins()).as("a scan was tried").hasSize(1);

        assertThat(scan(in("none", "x")).keysScanned()).isZero();
    }

    @Test
    void aShardVisitsTheBucketsOfItsHashes() {
        store.apply(Changes.begin(10), offset++, 0);
        for (int i = 0; i < COUNT; i++) {
            store.apply(Changes.pod(key(i), 5, 0, true, Map.of("uid", uid(i))), offset++, 0);
        }
        store.apply(Changes.end(10), offset++, 0);
        Set<StoredObject> seen = new HashSet<>();
        for (long quarter = 0; quarter < 4; quarter++) {
            ScanPage page = scan(shard(quarter << 62, (quarter << 62) + (1L << 62) - 1));
            assertThat(page.keysScanned()).isEqualTo(page.objects().size()).isBetween(70, 130);
            assertThat(page.index()).isEqualTo("f:metadata.uid");
            assertThat(page.objects()).allMatch(seen::add);
        }
        assertThat(seen).hasSize(COUNT);
        ScanPage tiny = scan(shard(HashRange.hash(uid(7)), HashRange.hash(uid(7))));
        assertThat(tiny.objects()).hasSize(1);
        assertThat(tiny.keysScanned()).isLessThan(COUNT / 16);
        ScanPage most = scan(shard(0, -2));
        assertThat(most.keysScanned()).as("too wide for the index").isEqualTo(COUNT);
    }

    private static String uid(int number) {
        return UUID.nameUUIDFromBytes(new byte[] {(byte) (number >> 8), (byte) number}).toString();
    }

    private static Requirement shard(long first, long last) {
        return new Requirement(
                Source.FIELD,
                "metadata.uid",
                Operator.HASH_IN,
                Set.of(new HashRange(first, last).toString()));
    }

    @Test
    void theRarestOfSeveralLabelsDecides() {
        fill();
        for (Requirement[] both :
                new Requirement[][] {
                    {in("all", "x"), in("rare", "x")}, {in("rare", "x"), in("all", "x")}
                }) {
            ScanPage page = scan(both);
            assertThat(page.objects()).hasSize(4);
            assertThat(page.keysScanned()).isEqualTo(4);
        }
        ScanPage common = scan(in("some", "even"), in("rare", "x"), in("all", "x"));
        assertThat(common.objects()).hasSize(4);
        assertThat(scan(in("some", "odd"), in("rare", "x")).objects()).isEmpty();
    }

    @Test
    void scansTheObjectsWhenTheLabelIsOnMostOfThem() {
        fill();
        ScanPage page = scan(in("all", "x"));
        assertThat(page.objects()).hasSize(COUNT);
        assertThat(engine.takeBegins()).hasSize(1);
    }

    @Test
    void otherRequirementsReadAllKeysUnlessOneIsIndexed() {
        fill();
        Requirement exists = new Requirement(Source.LABEL, "rare", Operator.EXISTS, Set.of());
        ScanPage all = scan(exists);
        assertThat(all.objects()).hasSize(4);
        assertThat(all.keysScanned()).isEqualTo(COUNT);
        assertThat(all.index()).isEmpty();

        ScanPage some = scan(exists, in("some", "even"));
        assertThat(some.objects()).hasSize(4);
        assertThat(some.keysScanned()).isEqualTo(20);
    }

    @Test
    void findsObjectsWithTooManyLabels() {
        fill();
        Map<String, String> many = new HashMap<>();
        for (int i = 0; i < 100; i++) {
            many.put("label-" + i, "x");
        }
        store.apply(Changes.pod(key(3), 11, 0, false, many), offset++, 0);
        store.apply(Changes.progress(11), offset++, 0);
        ScanRequest request =
                new ScanRequest(
                        PODS,
                        Bytes.EMPTY,
                        11,
                        new Selection(true, List.of(in("label-77", "x"))),
                        10,
                        1 << 20);
        assertThat(store.view().read(request))
                .isInstanceOfSatisfying(
                        Served.class,
                        served ->
                                assertThat(((ScanPage) served.value()).objects())
                                        .extracting(each -> each.key().utf8())
                                        .containsExactly(key(3)));
    }
}
