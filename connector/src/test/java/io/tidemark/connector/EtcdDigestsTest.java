package io.tidemark.connector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.connector.check.DigestsUnavailableException;
import io.tidemark.connector.check.EtcdDigests;
import io.tidemark.connector.check.ScanRuntime;
import io.tidemark.connector.feed.ResumePoint;
import io.tidemark.connector.value.KubernetesKeys;
import io.tidemark.connector.value.MirroredKeys;
import io.tidemark.record.Bytes;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class EtcdDigestsTest {
    private static final Bytes PREFIX = Bytes.utf8("/k/");
    private static final Duration INTERVAL = Duration.ofMinutes(1);

    private final FakeEtcd etcd = new FakeEtcd();
    private ResumePoint.@Nullable At history;

    @AutoClose
    private final EtcdDigests digests =
            new EtcdDigests(
                    etcd,
                    new MirroredKeys(new KubernetesKeys(PREFIX), false),
                    PREFIX,
                    INTERVAL,
                    () -> history,
                    () -> 1,
                    InstantSource.system(),
                    ScanRuntime.SYSTEM);

    /** Another connector leads then: metrics must not show the keys of before for ever. */
    @Test
    void showsNoDigestsWithoutAHistory() throws Exception {
        etcd.put("/k/a", "/k/b");
        history = new ResumePoint.At(1, etcd.revision(), 1);
        assertThatThrownBy(() -> digests.newest(1)).isInstanceOf(DigestsUnavailableException.class);
        Duration _ = digests.step();
        assertThat(digests.standing().revision()).isEqualTo(etcd.revision());
        assertThat(digests.keyCounts()).containsExactly(Map.entry(PREFIX, 2L));

        history = null;

        assertThat(digests.standing())
                .isEqualTo(new EtcdDigests.DigestStatus(0, 0, INTERVAL, Duration.ZERO));
        assertThat(digests.keyCounts()).isEmpty();
    }
}
