package io.tidemark.connector;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connector.feed.FeedEvent;
import io.tidemark.connector.feed.HistoryFingerprint;
import io.tidemark.connector.feed.ResumePoint;
import io.tidemark.connector.value.ChangeBuilder;
import io.tidemark.connector.value.KubernetesKeys;
import io.tidemark.connector.value.MirrorEntry;
import io.tidemark.connector.value.ParallelMap;
import io.tidemark.connector.value.ValueDecoder;
import io.tidemark.connector.value.ValueReader;
import io.tidemark.record.Bytes;
import io.tidemark.record.secret.PutSealer;
import java.util.Objects;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class HistoryCheckTest {
    private static final Bytes PREFIX = Bytes.utf8("/k/");
    private static final KubernetesKeys KEYS = new KubernetesKeys(PREFIX);

    @AutoClose private final ParallelMap parallel = new ParallelMap(1);

    private final FakeEtcd etcd = new FakeEtcd();
    private final ChangeBuilder builder =
            new ChangeBuilder(
                    KEYS, new ValueReader(KEYS, ValueDecoder.NONE), parallel, true, 1 << 20);

    private HistoryFingerprint mirrored() {
        HistoryFingerprint fingerprint = new HistoryFingerprint();
        for (MirrorEntry each :
                builder.listed(1, etcd.list(PREFIX, etcd.revision(), 3).keyValues())) {
            fingerprint.observe(Objects.requireNonNull(each.change()));
        }
        return fingerprint;
    }

    private FeedEvent check(HistoryFingerprint fingerprint) {
        return new HistoryCheck(etcd, builder, fingerprint)
                .check(new ResumePoint.At(1, etcd.revision(), 1));
    }

    /** Another node of a followed Tidemark may lack a key. */
    @Test
    void aValueThatCannotBeReadNowIsNoOtherHistory() {
        long _ = etcd.put("/k/a", "/k/b");
        HistoryFingerprint fingerprint = mirrored();
        assertThat(check(fingerprint)).isEqualTo(new FeedEvent.HistoryVerified());
        etcd.hidesValues(PutSealer.missing("2"));
        assertThat(check(fingerprint)).isEqualTo(new FeedEvent.HistoryVerified());
        long _ = etcd.put("/k/a");
        assertThat(check(fingerprint)).isInstanceOf(FeedEvent.HistoryMismatch.class);
    }

    /** The new epoch's list has it. */
    @Test
    void aValueThatCanBeReadNowBeginsANewEpoch() {
        long _ = etcd.put("/k/a", "/k/b");
        etcd.hidesValues(PutSealer.missing("2"));
        HistoryFingerprint fingerprint = mirrored();
        assertThat(check(fingerprint)).isEqualTo(new FeedEvent.HistoryVerified());
        etcd.hidesValues("");
        assertThat(check(fingerprint)).isInstanceOf(FeedEvent.HistoryMismatch.class);
    }
}
