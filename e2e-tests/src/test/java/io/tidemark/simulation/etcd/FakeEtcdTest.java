package io.tidemark.simulation.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.tidemark.record.Bytes;
import io.tidemark.simulation.model.Payload;
import io.tidemark.simulation.model.ReferenceModel;
import io.tidemark.simulation.model.RevisionChange;
import io.tidemark.simulation.world.Scheduler;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FakeEtcdTest {
    private static final Bytes PREFIX = Bytes.utf8("/r/");

    private final Scheduler scheduler = new Scheduler(1);
    private final ReferenceModel model = new ReferenceModel(key -> key.startsWith(PREFIX));
    private final FakeEtcd etcd = new FakeEtcd(scheduler, model);
    private final Recorder recorder = new Recorder();

    @Test
    void aTransactionOfSeveralKeysIsOneRevision() {
        long revision = etcd.transact(writes("/r/a", "1", "/other", "2", "/r/b", "3"), 0);

        assertThat(revision).isEqualTo(2);
        assertThat(model.current().facts(1, 2))
                .extracting(RevisionChange::index, fact -> fact.key().utf8())
                .containsExactly(tuple(0, "/r/a"), tuple(1, "/r/b"));
    }

    @Test
    void deletingAMissingKeyCreatesNoRevision() {
        assertThat(etcd.delete(Bytes.utf8("/r/none"))).isEqualTo(1);
    }

    @Test
    void anExpiredLeaseDeletesAllItsKeysInOneRevision() {
        long lease = etcd.grantLease();
        etcd.transact(writes("/r/a", "1"), lease);
        etcd.transact(writes("/r/b", "1"), lease);
        etcd.put(Bytes.utf8("/r/b"), Payload.raw("kept: no lease any more"));
        etcd.transact(writes("/r/c", "1"), lease);

        long revision = etcd.expireLease(lease);

        assertThat(model.current().facts(revision - 1, revision))
                .extracting(fact -> fact.key().utf8())
                .containsExactly("/r/a", "/r/c");
    }

    @Test
    void aStreamDeliversEveryRevisionOnceInOrderThenProgress() throws Exception {
        FakeWatchStream stream = etcd.watch(PREFIX, 2, recorder);
        for (int i = 0; i < 100; i++) {
            etcd.transact(writes("/r/a", "" + i, "/r/b" + i, "x"), 0);
            scheduler.advance(scheduler.between(0, 3));
        }
        scheduler.advance(5_000);
        while (recorder.progress.isEmpty()) {
            stream.requestProgress();
            scheduler.advance(100);
        }

        assertThat(recorder.facts).isEqualTo(model.current().facts(1, 101));
        assertThat(recorder.progress).containsExactly(101L);
    }

    @Test
    void aStreamThatNeedsCompactedRevisionsEnds() throws Exception {
        etcd.put(Bytes.utf8("/r/a"), Payload.raw("1"));
        etcd.put(Bytes.utf8("/r/a"), Payload.raw("2"));
        etcd.compact(3);
        etcd.watch(PREFIX, 2, recorder);
        scheduler.advance(5_000);

        assertThat(recorder.ends).containsExactly("compacted 3");
        assertThatThrownBy(() -> etcd.range(PREFIX, Bytes.EMPTY, 10, 2))
                .isInstanceOf(FakeEtcd.Compacted.class);
    }

    @Test
    void aBrokenStreamReportsItsEndAndDeliversNothingMore() throws Exception {
        etcd.watch(PREFIX, 2, recorder);
        etcd.put(Bytes.utf8("/r/a"), Payload.raw("1"));
        etcd.breakStreams();
        scheduler.advance(5_000);

        assertThat(recorder.ends).containsExactly("the stream broke");
        assertThat(recorder.facts).isEmpty();
    }

    @Test
    void pagesOfARangeAreTheStateAtOneRevision() throws Exception {
        for (String name : List.of("a", "b", "c")) {
            etcd.put(Bytes.utf8("/r/" + name), Payload.raw("1"));
        }
        etcd.delete(Bytes.utf8("/r/b"));

        FakeEtcd.Range first = etcd.range(PREFIX, Bytes.EMPTY, 2, 4);
        FakeEtcd.Range second =
                etcd.range(PREFIX, first.versions().getLast().key().successor(), 2, 4);

        assertThat(first.remaining()).isEqualTo(1);
        assertThat(second.remaining()).isZero();
        assertThat(second.versions())
                .extracting(version -> version.key().utf8())
                .containsExactly("/r/c");
    }

    @Test
    void aRestoreIsAnotherClusterWithAnotherHistory() {
        etcd.put(Bytes.utf8("/r/a"), Payload.raw("1"));
        etcd.put(Bytes.utf8("/r/a"), Payload.raw("2"));
        long before = etcd.clusterId();
        etcd.restore(2, 0);
        etcd.put(Bytes.utf8("/r/z"), Payload.raw("3"));

        assertThat(etcd.clusterId()).isNotEqualTo(before);
        assertThat(etcd.revision()).isEqualTo(3);
        assertThat(model.epoch(1).facts(2, 3))
                .extracting(RevisionChange::key)
                .containsExactly(Bytes.utf8("/r/a"));
        assertThat(model.epoch(2).facts(2, 3))
                .extracting(RevisionChange::key)
                .containsExactly(Bytes.utf8("/r/z"));
    }

    private static Map<Bytes, @Nullable Payload> writes(String... keysAndValues) {
        Map<Bytes, @Nullable Payload> writes = new LinkedHashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            writes.put(Bytes.utf8(keysAndValues[i]), Payload.raw(keysAndValues[i + 1]));
        }
        return writes;
    }

    private static final class Recorder implements FakeWatchStream.Listener {
        private final List<RevisionChange> facts = new ArrayList<>();
        private final List<Long> progress = new ArrayList<>();
        private final List<String> ends = new ArrayList<>();

        @Override
        public void onOpened(long clusterId, long revision) {}

        @Override
        public void onChanges(List<RevisionChange> changes, long throughRevision) {
            facts.addAll(changes);
        }

        @Override
        public void onProgress(long revision) {
            progress.add(revision);
        }

        @Override
        public void onCompacted(long compactedRevision) {
            ends.add("compacted " + compactedRevision);
        }

        @Override
        public void onLost(String why) {
            ends.add(why);
        }
    }
}
