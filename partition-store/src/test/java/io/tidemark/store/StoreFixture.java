package io.tidemark.store;

import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import io.tidemark.store.engine.InMemoryEngine;
import io.tidemark.store.engine.KeyValueEngine;
import io.tidemark.store.layout.IndexSettings;
import io.tidemark.store.layout.StoreSettings;
import io.tidemark.store.read.ReadExecutor;
import io.tidemark.view.object.Selection;
import io.tidemark.view.request.ChangePage;
import io.tidemark.view.request.ChangesRequest;
import io.tidemark.view.request.ReadOutcome;
import io.tidemark.view.request.ReadOutcome.Served;
import io.tidemark.view.request.ScanPage;
import io.tidemark.view.request.ScanRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** A store over an in-memory engine, and a topic whose records have the age that a test sets. */
abstract class StoreFixture {
    /** Both the history window and the topic's compaction lag. */
    static final Duration LAG = Duration.ofMinutes(100);

    final InMemoryEngine engine = new InMemoryEngine();
    final ManualClock clock = new ManualClock(Instant.ofEpochSecond(1_700_000_000));
    PartitionStore store = open(1 << 20);
    long offset;

    PartitionStore open(long maxHistoryBytes) {
        return open(engine, maxHistoryBytes);
    }

    /** The same over an engine that wraps this test's. */
    PartitionStore open(KeyValueEngine wrapped, long maxHistoryBytes) {
        StoreSettings settings =
                new StoreSettings(LAG, maxHistoryBytes, LAG, IndexSettings.DEFAULT);
        return PartitionStore.open(3, wrapped, settings, clock, ReadExecutor.DIRECT, false);
    }

    void apply(Change... changes) {
        for (Change change : changes) {
            applyAged(change, Duration.ZERO);
        }
    }

    void applyAged(Change change, Duration age) {
        store.apply(change, offset++, clock.millis() - age.toMillis());
    }

    List<String> at(long revision) {
        return scan(revision).map(StoreText::of) instanceof Served<List<String>>(var keys)
                ? keys
                : List.of("none");
    }

    ReadOutcome<ScanPage> scan(long revision) {
        return store.view()
                .read(
                        new ScanRequest(
                                Bytes.EMPTY, Bytes.EMPTY, revision, Selection.ALL, 100, 1 << 20));
    }

    ReadOutcome<ChangePage> changes(long after, int maxChanges) {
        return store.view()
                .read(new ChangesRequest(Bytes.EMPTY, after, Long.MAX_VALUE, maxChanges, 1));
    }
}
