package io.tidemark.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import io.tidemark.store.engine.InMemoryEngine;
import io.tidemark.store.layout.IndexSettings;
import io.tidemark.store.layout.StoreSettings;
import io.tidemark.store.read.ReadExecutor;
import io.tidemark.view.object.Selection;
import io.tidemark.view.request.ChangePage;
import io.tidemark.view.request.ChangesRequest;
import io.tidemark.view.request.ObjectChange;
import io.tidemark.view.request.ReadOutcome.Served;
import io.tidemark.view.request.ScanPage;
import io.tidemark.view.request.ScanRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A writer died in the middle of a transaction; compaction has removed the first part of it, the
 * rest is still in the topic; the next writer has written the whole transaction again.
 */
class AbortedTransactionTest {
    private static final Duration LAG = Duration.ofMinutes(100);
    private static final Duration OLD = Duration.ofMinutes(99);

    private final InMemoryEngine engine = new InMemoryEngine();
    private final ManualClock clock = new ManualClock(Instant.ofEpochSecond(1_700_000_000));
    private final PartitionStore store =
            PartitionStore.open(
                    0,
                    engine,
                    new StoreSettings(LAG, 1 << 20, LAG, IndexSettings.DEFAULT),
                    clock,
                    ReadExecutor.DIRECT,
                    false);
    private long offset;

    @Test
    void rewindsToMissingChangesWhenTheyAreRepeated() {
        apply(Duration.ZERO, Changes.begin(1), Changes.end(1));
        // Removed by compaction: put a@2, put b@3.
        apply(OLD, Changes.put("c", 4, 0), Changes.progress(4));
        assertThat(state(4)).containsExactly("c@4");

        apply(Duration.ZERO, Changes.put("a", 2, 0));
        apply(Duration.ZERO, Changes.progress(2));
        assertThat(store.state().ready()).as("while it is rewound").isFalse();

        apply(Duration.ZERO, Changes.put("b", 3, 0), Changes.put("c", 4, 0));
        apply(Duration.ZERO, Changes.put("d", 5, 0), Changes.progress(5));
        assertThat(store.state().floor()).isEqualTo(4);
        assertThat(state(4)).containsExactly("a@2", "b@3", "c@4");
        assertThat(state(5)).containsExactly("a@2", "b@3", "c@4", "d@5");
        assertThat(changesAfter(4)).containsExactly("d@5");
    }

    @Test
    void repetitionDoesNotUndoADeleteInTheTail() {
        apply(Duration.ZERO, Changes.begin(1), Changes.listed("a", 1), Changes.end(1));
        // Removed by compaction: put a@2.
        apply(OLD, Changes.delete("a", 3, 0), Changes.progress(3));

        apply(Duration.ZERO, Changes.put("a", 2, 0), Changes.delete("a", 3, 0));
        apply(Duration.ZERO, Changes.progress(3));

        assertThat(state(3)).isEmpty();
    }

    /** Records that come again are no repetition of an aborted tail, even after a crash. */
    @Test
    void repeatCutOffByACrashLacksNothing() {
        Change[] topic = {
            Changes.begin(1),
            Changes.end(1),
            Changes.delete("a", 2, 0),
            Changes.put("a", 3, 0),
            Changes.progress(3)
        };
        apply(Duration.ZERO, topic);
        offset = 0;
        apply(Duration.ZERO, topic[0], topic[1]);
        store.flush();
        engine.crash();

        PartitionStore reopened =
                PartitionStore.open(
                        0,
                        engine,
                        new StoreSettings(LAG, 1 << 20, LAG, IndexSettings.DEFAULT),
                        clock,
                        ReadExecutor.DIRECT,
                        false);
        for (int i = (int) reopened.appliedOffset() + 1; i < topic.length; i++) {
            reopened.apply(topic[i], i, clock.millis());
        }
        assertThat(reopened.appliedOffset()).isEqualTo(topic.length - 1);
        assertThat(reopened.state().ready()).isTrue();
        assertThat(reopened.state().floor()).isEqualTo(1);
    }

    @Test
    void appliesAMissingDelete() {
        apply(Duration.ZERO, Changes.begin(1), Changes.listed("a", 1), Changes.end(1));
        // Removed by compaction: delete a@2.
        apply(Duration.ZERO, Changes.put("b", 3, 0), Changes.progress(3));

        apply(Duration.ZERO, Changes.delete("a", 2, 0), Changes.put("b", 3, 0));
        apply(Duration.ZERO, Changes.progress(3));

        assertThat(state(3)).containsExactly("b@3");
        assertThat(store.state().floor()).isEqualTo(3);
    }

    @Test
    void hidesHistoryThatFollowsAMissingChange() {
        apply(Duration.ZERO, Changes.begin(1), Changes.end(1));
        // Removed by compaction: put a@2. So a@4 looks like the key's first.
        apply(OLD, Changes.put("b", 3, 0));
        apply(Duration.ZERO, Changes.put("a", 4, 0), Changes.progress(4));

        Change[] repeated = {
            Changes.put("a", 2, 0), Changes.put("b", 3, 0), Changes.put("a", 4, 0)
        };
        apply(Duration.ZERO, repeated);
        apply(Duration.ZERO, Changes.put("a", 5, 0), Changes.progress(5));

        assertThat(state(5)).containsExactly("a@5", "b@3");
        assertThat(store.state().floor()).isEqualTo(4);
        assertThat(changesAfter(4)).containsExactly("a@5");
    }

    @Test
    void completeRepetitionChangesNothing() {
        apply(Duration.ZERO, Changes.begin(1), Changes.listed("a", 1), Changes.end(1));
        Change[] changes = {
            Changes.put("b", 2, 0), Changes.delete("b", 3, 0), Changes.delete("a", 4, 0)
        };
        apply(Duration.ZERO, changes);
        apply(Duration.ZERO, Changes.progress(4));
        apply(Duration.ZERO, changes);

        assertThat(store.state().ready()).isTrue();
        assertThat(store.state().floor()).isEqualTo(1);
        assertThat(changesAfter(1)).containsExactly("b@2", "-b@3", "-a@4");
    }

    private void apply(Duration age, Change... changes) {
        for (Change change : changes) {
            store.apply(change, offset++, clock.millis() - age.toMillis());
        }
        store.markCaughtUp();
    }

    private List<String> state(long revision) {
        ScanRequest request =
                new ScanRequest(Bytes.EMPTY, Bytes.EMPTY, revision, Selection.ALL, 100, 1 << 20);
        return store.view().read(request) instanceof Served<ScanPage>(ScanPage page)
                ? page.objects().stream().map(Object::toString).toList()
                : List.of("not served");
    }

    private List<String> changesAfter(long revision) {
        ChangesRequest request =
                new ChangesRequest(Bytes.EMPTY, revision, Long.MAX_VALUE, 100, 1 << 20);
        return store.view().read(request) instanceof Served<ChangePage>(ChangePage page)
                ? page.changes().stream().map(AbortedTransactionTest::text).toList()
                : List.of("not served");
    }

    private static String text(ObjectChange change) {
        String sign = change.current() == null ? "-" : "";
        return sign + change.key() + "@" + change.revision();
    }
}
