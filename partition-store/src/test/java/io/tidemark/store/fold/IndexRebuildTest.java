package io.tidemark.store.fold;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.record.Bytes;
import io.tidemark.store.Changes;
import io.tidemark.store.ManualClock;
import io.tidemark.store.PartitionStore;
import io.tidemark.store.engine.InMemoryEngine;
import io.tidemark.store.engine.KeyValueEngine.Cursor;
import io.tidemark.store.engine.KeyValueEngine.Family;
import io.tidemark.store.engine.KeyValueEngine.Snapshot;
import io.tidemark.store.engine.WriteBatch;
import io.tidemark.store.layout.IndexSettings;
import io.tidemark.store.layout.KeyLayout;
import io.tidemark.store.layout.StoreSettings;
import io.tidemark.store.read.ReadExecutor;
import io.tidemark.view.object.Projection;
import io.tidemark.view.object.Selection;
import io.tidemark.view.object.Selection.Operator;
import io.tidemark.view.object.Selection.Requirement;
import io.tidemark.view.object.Selection.Source;
import io.tidemark.view.request.ReadOutcome.Served;
import io.tidemark.view.request.ScanPage;
import io.tidemark.view.request.ScanRequest;
import io.tidemark.view.request.UnreadableRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class IndexRebuildTest {
    private static final Bytes PODS = Bytes.utf8("/registry/pods/");
    private static final Requirement SIZE_2 =
            new Requirement(Source.FIELD, "spec.size", Operator.IN, Set.of("2"));
    private static final Requirement APP_A =
            new Requirement(Source.LABEL, "app", Operator.IN, Set.of("a"));

    private final InMemoryEngine engine = new InMemoryEngine();
    private PartitionStore store = open(IndexSettings.DEFAULT);

    private PartitionStore open(IndexSettings indexes) {
        StoreSettings settings =
                new StoreSettings(Duration.ofHours(1), 1 << 20, Duration.ofHours(1), indexes);
        PartitionStore.prepare(engine, settings, "topic");
        return PartitionStore.open(
                0,
                engine,
                settings,
                new ManualClock(Instant.ofEpochSecond(1_700_000_000)),
                ReadExecutor.DIRECT,
                false);
    }

    private void fill() {
        apply(Changes.begin(10), 0);
        for (int i = 0; i < 6; i++) {
            Map<String, String> labels =
                    Map.of("size", Integer.toString(i % 3), "app", i % 2 == 0 ? "a" : "b");
            apply(Changes.pod("/registry/pods/x/p" + i, 5, 0, true, labels), 1 + i);
        }
        apply(Changes.end(10), 7);
        apply(Changes.pod("/registry/pods/x/p0", 11, 0, false, Map.of("size", "2")), 8);
        apply(Changes.progress(11), 9);
        store.flush();
    }

    private void apply(io.tidemark.record.Change change, long offset) {
        store.apply(change, offset, 1_700_000_000_000L);
    }

    private ScanPage scan(Requirement requirement, long revision, Projection projection) {
        Selection selection = new Selection(true, List.of(requirement));
        ScanRequest request =
                new ScanRequest(PODS, Bytes.EMPTY, revision, selection, 100, 1 << 20, projection);
        if (store.view().read(request) instanceof Served<ScanPage>(ScanPage page)) {
            return page;
        }
        throw new AssertionError("not served");
    }

    private static List<String> names(ScanPage page) {
        return page.objects().stream()
                .map(object -> object.key().utf8().substring("/registry/pods/x/".length()))
                .toList();
    }

    @Test
    void rebuildsTheIndexForNewDeclarations() {
        fill();
        assertThat(scan(SIZE_2, 11, Projection.WHOLE).index()).isEmpty();

        store = open(new IndexSettings(Set.of(new IndexSettings.Field(PODS, "spec.size"))));

        assertThat(store.state().watermark()).as("nothing was dropped").isEqualTo(11);
        for (Projection projection : List.of(Projection.WHOLE, Projection.METADATA)) {
            ScanPage now = scan(SIZE_2, 11, projection);
            assertThat(now.index()).isEqualTo("f:spec.size");
            assertThat(names(now)).containsExactly("p0", "p2", "p5");
            assertThat(now.keysScanned()).isEqualTo(3);
            assertThat(names(scan(SIZE_2, 10, projection))).containsExactly("p2", "p5");
            assertThat(scan(APP_A, 11, projection).index()).isEqualTo("labels");
            assertThat(names(scan(APP_A, 11, projection))).containsExactly("p2", "p4");
            assertThat(names(scan(APP_A, 10, projection))).containsExactly("p0", "p2", "p4");
        }
        assertThat(
                        scan(
                                        new Requirement(
                                                Source.FIELD,
                                                "spec.nodeName",
                                                Operator.IN,
                                                Set.of("n")),
                                        11,
                                        Projection.WHOLE)
                                .index())
                .as("no longer declared")
                .isEmpty();
    }

    /** Its description names labels, and the index holds entries of those only. */
    @Test
    void indexesEveryLabelOfAStoreThatNamedSome() {
        fill();
        WriteBatch older = new WriteBatch();
        older.put(
                Family.META, KeyLayout.INDEXES, Bytes.utf8("[Declared[source=LABEL, name=tier]]"));
        try (Snapshot snapshot = engine.snapshot();
                Cursor entries = snapshot.scan(Family.INDEX, Bytes.utf8("l"), Bytes.utf8("m"))) {
            for (; entries.isValid(); entries.next()) {
                older.delete(Family.INDEX, entries.key());
            }
        }
        engine.write(older);
        assertThat(names(scan(APP_A, 11, Projection.WHOLE))).isEmpty();

        store = open(IndexSettings.DEFAULT);

        assertThat(names(scan(APP_A, 11, Projection.WHOLE))).containsExactly("p2", "p4");
    }

    @Test
    void restartsAnInterruptedRebuild() {
        fill();
        IndexSettings sizes = new IndexSettings(Set.of(new IndexSettings.Field(PODS, "spec.size")));
        store = open(sizes);
        WriteBatch half = new WriteBatch();
        half.delete(Family.META, KeyLayout.INDEXES);
        try (Snapshot snapshot = engine.snapshot();
                Cursor entries = snapshot.scan(Family.INDEX, Bytes.utf8("f"), Bytes.utf8("g"))) {
            half.delete(Family.INDEX, entries.key());
        }
        engine.write(half);

        store = open(sizes);

        assertThat(names(scan(SIZE_2, 11, Projection.WHOLE))).containsExactly("p0", "p2", "p5");
        assertThat(
                        names(
                                scan(
                                        new Requirement(
                                                Source.FIELD,
                                                "spec.size",
                                                Operator.IN,
                                                Set.of("0", "1")),
                                        11,
                                        Projection.WHOLE)))
                .containsExactly("p1", "p3", "p4");
    }

    @Test
    void doesNothingForTheSameDeclaration() {
        fill();
        assertThat(IndexRebuild.rebuildIfChanged(engine, IndexSettings.DEFAULT)).isFalse();
        assertThat(IndexRebuild.rebuildIfChanged(engine, new IndexSettings(Set.of()))).isTrue();
    }

    @Test
    void keepsUnreadableKeys() {
        fill();
        apply(Changes.unreadable("/registry/pods/x/bad", 12, false, "why"), 10);
        apply(Changes.progress(12), 11);

        store = open(new IndexSettings(Set.of()));

        assertThat(store.view().read(new UnreadableRequest(PODS, 10)))
                .isInstanceOfSatisfying(
                        Served.class,
                        served -> assertThat(served.value().toString()).contains("bad"));
    }
}
