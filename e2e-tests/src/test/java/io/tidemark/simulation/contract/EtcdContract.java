package io.tidemark.simulation.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.etcd.EtcdWatch;
import io.tidemark.etcd.KeyChange;
import io.tidemark.etcd.WatchEvent;
import io.tidemark.etcd.connection.EtcdException.Kind;
import io.tidemark.record.Bytes;
import org.junit.jupiter.api.Test;

/** What a connector relies on of etcd: {@link SourceContract}, and its compaction. */
abstract class EtcdContract extends SourceContract {
    @Test
    void readsNothingBelowTheCompactedRevision() {
        long first = put(A, "1");
        long second = put(A, "2");
        long third = put(A, "3");
        etcd().compact(second);

        assertThat(source().oldestRevision()).isEqualTo(second);
        assertFails(Kind.COMPACTED, () -> source().list(PREFIX, first, 10));
        assertFails(Kind.COMPACTED, () -> source().listKeys(PREFIX, first, 10));
        assertFails(Kind.COMPACTED, () -> source().get(Bytes.utf8(A), first));
        assertFails(Kind.COMPACTED, () -> source().get(Bytes.EMPTY, first));
        assertThat(source().get(Bytes.utf8(A), second)).isPresent();
        assertThat(source().list(PREFIX, third, 10).keyValues()).hasSize(1);
    }

    @Test
    void aListFailsWhenItsRevisionIsCompacted() {
        put(A, "1");
        long listed = put(B, "1");
        assertThat(source().list(PREFIX, listed, 1).more()).isTrue();
        etcd().compact(put(A, "2"));

        assertFails(Kind.COMPACTED, () -> source().list(Bytes.utf8(A).successor(), listed, 1));
    }

    @Test
    void aWatchBelowTheCompactedRevisionEndsWithIt() throws Exception {
        long first = put(A, "1");
        put(A, "2");
        long third = put(A, "3");
        etcd().compact(third);
        try (EtcdWatch watch = etcd().watchFrom(first)) {
            assertThat(next(watch)).isInstanceOf(WatchEvent.Created.class);
            assertThat(next(watch)).isEqualTo(new WatchEvent.Compacted(third));
            assertThat(next(watch)).isEqualTo(new WatchEvent.Compacted(third));
            assertThat(watch.requestProgress()).isFalse();
        }
    }

    @Test
    void aWatchFromTheCompactedRevisionGetsItsPut() throws Exception {
        put(A, "1");
        long second = put(A, "2");
        long third = put(A, "3");
        etcd().compact(second);
        try (EtcdWatch watch = etcd().watchFrom(second)) {
            assertThat(changes(watch, 2))
                    .extracting(KeyChange::revision)
                    .containsExactly(second, third);
        }
    }

    @Test
    void compactionDoesNotEndAWatchThatIsInStep() throws Exception {
        long first = put(A, "1");
        try (EtcdWatch watch = etcd().watchFrom(first)) {
            assertThat(changes(watch, 1)).hasSize(1);
            long second = put(A, "2");
            assertThat(changes(watch, 1)).hasSize(1);
            assertThat(progressTo(watch, second)).isEqualTo(second);
            etcd().compact(second);
            long third = put(A, "3");

            assertThat(changes(watch, 1)).extracting(KeyChange::revision).containsExactly(third);
        }
    }
}
