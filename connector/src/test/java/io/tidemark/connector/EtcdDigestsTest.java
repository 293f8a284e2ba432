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
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class EtcdDigestsTest {
    private static final Bytes PREFIX = Bytes.utf8("/k/");
    private static final Duration INTERVAL = Duration.ofMinutes(1);

    private final FakeEtcd etcd = new FakeEtcd();
    private ResumePoint.@Nullable At history;

    @AutoClose private final EtcdDigests digests = digests(INTERVAL, ScanRuntime.SYSTEM);

    private EtcdDigests digests(Duration interval, ScanRuntime runtime) {
        return new EtcdDigests(
                etcd,
                new MirroredKeys(new KubernetesKeys(PREFIX), false),
                PREFIX,
                interval,
                () -> history,
                () -> 1,
                InstantSource.system(),
                runtime);
    }

    /** Each page takes longer than its keys can have kept etcd busy. */
    private static ScanRuntime slow() {
        AtomicLong nanos = new AtomicLong();
        return new ScanRuntime() {
            @Override
            public long nanoTime() {
                return nanos.addAndGet(Duration.ofSeconds(1).toNanos());
            }

            @Override
            public void pause(Duration duration) {
                // The fake etcd needs no rest.
            }
        };
    }

    private void putKeys(int count) {
        String[] names = new String[count];
        Arrays.setAll(names, "/k/%05d"::formatted);
        long _ = etcd.put(names);
        history = new ResumePoint.At(1, etcd.revision(), 1);
    }

    private static void request(EtcdDigests digests) {
        assertThatThrownBy(() -> digests.newest(1)).isInstanceOf(DigestsUnavailableException.class);
    }

    /** Another connector leads then: metrics must not show the keys of before for ever. */
    @Test
    void showsNoDigestsWithoutAHistory() throws Exception {
        etcd.put("/k/a", "/k/b");
        history = new ResumePoint.At(1, etcd.revision(), 1);
        request(digests);
        Duration _ = digests.step();
        assertThat(digests.standing().revision()).isEqualTo(etcd.revision());
        assertThat(digests.keyCounts()).containsExactly(Map.entry(PREFIX, 2L));

        history = null;

        assertThat(digests.standing())
                .isEqualTo(new EtcdDigests.DigestStatus(0, 0, INTERVAL, Duration.ZERO));
        assertThat(digests.keyCounts()).isEmpty();
    }

    /** The fake etcd has three keys in a page; each counts as 5 µs. */
    @Test
    void pacesAFailedScanAsASuccessfulOne() throws Exception {
        putKeys(60);
        try (EtcdDigests costly = digests(Duration.ofMillis(100), slow())) {
            etcd.beforeList(() -> {
                if (etcd.lists() == 19) {
                    etcd.compact(etcd.put("/k/later"));
                }
            });
            request(costly);
            assertThat(costly.step()).isEqualTo(Duration.ofNanos(57 * 5_000 * 100));

            history = new ResumePoint.At(1, etcd.revision(), 1);
            etcd.beforeList(() -> history = null);
            request(costly);
            assertThat(costly.step()).isEqualTo(Duration.ofNanos(61 * 5_000 * 100));
        }
    }

    @Test
    void scansSoonAfterAFailureThatCostEtcdLittle() throws Exception {
        putKeys(3);
        try (EtcdDigests cheap = digests(INTERVAL, slow())) {
            etcd.compact(etcd.put("/k/later"));
            request(cheap);
            assertThat(cheap.step()).isEqualTo(INTERVAL.dividedBy(10));
        }
    }
}
