package io.tidemark.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import io.tidemark.store.engine.ForwardingEngine;
import io.tidemark.store.engine.InMemoryEngine;
import io.tidemark.store.engine.WriteBatch;
import io.tidemark.store.layout.IndexSettings;
import io.tidemark.store.layout.StoreSettings;
import io.tidemark.store.read.ReadExecutor;
import io.tidemark.view.request.ChangePage;
import io.tidemark.view.request.ChangesRequest;
import io.tidemark.view.request.ObjectChange;
import io.tidemark.view.request.ReadOutcome.Served;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the newest changes in memory show, and when there are none. */
class RecentReadTest {
    private final InMemoryEngine memory = new InMemoryEngine();
    private final AtomicInteger engineReads = new AtomicInteger();
    private boolean full;
    private PartitionStore store = open();
    private long offset;

    @BeforeEach
    void list() {
        apply(Changes.begin(10), Changes.end(10));
    }

    @Test
    void liveChangesAreReadWithoutTheEngine() {
        apply(Changes.put("a", 11, 0), Changes.delete("a", 12, 0), Changes.progress(15));
        assertThat(revisions(10)).containsExactly(11L, 12L);
        assertThat(engineReads).hasValue(0);
    }

    @Test
    void showsNothingAboveTheWatermark() {
        apply(Changes.put("a", 11, 0), Changes.progress(11));
        apply(Changes.put("a", 12, 0));
        store.write();
        assertThat(revisions(10)).containsExactly(11L);
        assertThat(recent(11)).isEmpty();
        apply(Changes.progress(12));
        assertThat(revisions(11)).containsExactly(12L);
        assertThat(engineReads).hasValue(0);
    }

    @Test
    void showsNothingThatCouldNotBeWritten() {
        apply(Changes.put("a", 11, 0), Changes.progress(11), Changes.put("a", 12, 0));
        full = true;
        assertThatThrownBy(() -> apply(Changes.progress(12))).hasMessage("full");
        assertThat(revisions(10)).containsExactly(11L);
        full = false;
        store.write();
        assertThat(revisions(10)).containsExactly(11L, 12L);
        assertThat(engineReads).hasValue(0);
    }

    @Test
    void aListOfTheSameEpochBeginsAnew() {
        apply(Changes.put("a", 11, 0), Changes.progress(11));
        apply(Changes.begin(14));
        assertThat(recent(10)).isEmpty();
        apply(Changes.end(14));
        assertThat(recent(10)).isEmpty();
        apply(Changes.put("a", 15, 0), Changes.progress(15));
        assertThat(recent(13)).isEmpty();
        assertThat(recent(14).orElseThrow().changes()).hasSize(1);
    }

    @Test
    void lostRecordsAndAResetEmptyIt() {
        apply(Changes.put("a", 11, 0), Changes.progress(11));
        store.recordsLost(offset);
        store.markCaughtUp();
        assertThat(recent(10)).isEmpty();
        apply(Changes.begin(20), Changes.end(20), Changes.put("a", 21, 0), Changes.progress(21));
        store.markCaughtUp();
        assertThat(recent(20)).isPresent();
        store.reset();
        assertThat(recent(20)).isEmpty();
    }

    @Test
    void aGapLeavesItsChangesToTheEngine() {
        apply(Changes.put("a", 11, 0), Changes.put("b", 11, 1), Changes.progress(11));
        apply(Changes.inGap("a", 19, 0), Changes.inGap("b", 15, 1), Changes.bridge(20));
        assertThat(recent(10)).isEmpty();
        assertThat(changes(10))
                .extracting(ObjectChange::revision)
                .containsExactly(11L, 11L, 15L, 19L);
        assertThat(engineReads).hasValue(1);
        apply(Changes.put("a", 21, 0), Changes.progress(21));
        assertThat(revisions(20)).containsExactly(21L);
        apply(Changes.gap(30));
        assertThat(recent(20)).isEmpty();
    }

    @Test
    void afterARestartItBeginsBehindTheLastChange() {
        apply(Changes.put("a", 11, 0), Changes.progress(11), Changes.put("b", 12, 0));
        store.close();
        assertThat(recent(10)).isEmpty();
        memory.reopen();
        store = open();
        apply(Changes.put("c", 12, 1), Changes.progress(12));
        assertThat(recent(11)).isEmpty();
        assertThat(changes(11)).hasSize(2);
        assertThat(engineReads).hasValue(1);
        apply(Changes.put("c", 13, 0), Changes.progress(13));
        assertThat(revisions(12)).containsExactly(13L);
    }

    private void apply(Change... changes) {
        for (Change change : changes) {
            store.apply(change, offset++, 0);
        }
    }

    private Optional<ChangePage> recent(long after) {
        return store.view().recentChanges(1, after(after));
    }

    private List<Long> revisions(long after) {
        return recent(after).orElseThrow().changes().stream().map(ObjectChange::revision).toList();
    }

    private List<ObjectChange> changes(long after) {
        return ((Served<ChangePage>) store.view().read(after(after))).value().changes();
    }

    private static ChangesRequest after(long revision) {
        return new ChangesRequest(Bytes.EMPTY, revision, Long.MAX_VALUE, 100, 1 << 20);
    }

    private PartitionStore open() {
        return PartitionStore.open(
                0,
                new FullEngine(),
                new StoreSettings(
                        StoreFixture.LAG, 1 << 20, StoreFixture.LAG, IndexSettings.DEFAULT),
                new ManualClock(Instant.EPOCH),
                new CountingExecutor(),
                false);
    }

    private final class FullEngine extends ForwardingEngine {
        FullEngine() {
            super(memory);
        }

        @Override
        public void write(WriteBatch batch) {
            if (full) {
                throw new IllegalStateException("full");
            }
            super.write(batch);
        }
    }

    private final class CountingExecutor implements ReadExecutor {
        @Override
        public <T> T pass(Kind kind, Supplier<T> read) {
            engineReads.incrementAndGet();
            return read.get();
        }
    }
}
