package io.tidemark.etcd;

import static io.tidemark.etcd.TestEtcd.changes;
import static io.tidemark.etcd.TestEtcd.next;
import static io.tidemark.etcd.TestEtcd.utf8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.etcd.connection.EtcdException;
import io.tidemark.etcd.connection.EtcdOptions;
import io.tidemark.local.etcd.EtcdBinary;
import io.tidemark.local.etcd.EtcdSettings;
import io.tidemark.record.Bytes;
import java.lang.module.ModuleDescriptor.Version;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EtcdWatchIT {
    @TempDir static Path folder;
    private static TestEtcd etcd;
    private static EtcdClient client;

    @BeforeAll
    static void start() throws Exception {
        etcd = TestEtcd.start(folder.resolve("etcd"));
        client = etcd.client();
    }

    @AfterAll
    static void stop() {
        etcd.close();
    }

    @Test
    void deliversAllChangesSinceAnOldRevision() throws Exception {
        Bytes key = utf8("/old/a");
        long first = client.put(key, utf8("1"));
        client.put(utf8("/elsewhere"), utf8("x"));
        long second = client.put(key, utf8("2"));
        client.delete(key);
        try (EtcdWatch watch =
                client.watch(WatchRequest.prefix(utf8("/old/"), first + 1).withPreviousValues())) {
            assertThat(next(watch)).isInstanceOf(WatchEvent.Created.class);
            KeyValue one = new KeyValue(key, utf8("1"), first, first, 1, 0);
            KeyValue two = new KeyValue(key, utf8("2"), first, second, 2, 0);
            assertThat(changes(watch, 2))
                    .containsExactly(
                            new KeyChange.Put(two, one),
                            new KeyChange.Delete(key, second + 1, two));
        }
    }

    @Test
    void deliversATransactionWholeAndInOrder() throws Exception {
        try (EtcdWatch watch = client.watch(WatchRequest.prefix(utf8("/txn/"), 0))) {
            assertThat(next(watch)).isInstanceOf(WatchEvent.Created.class);
            long revision =
                    client.txn(
                                    Txn.of(
                                            new Op.Put(utf8("/txn/c"), utf8("1")),
                                            new Op.Put(utf8("/outside"), utf8("1")),
                                            new Op.Put(utf8("/txn/a"), utf8("2")),
                                            new Op.Put(utf8("/txn/b"), utf8("3"))))
                            .revision();
            WatchEvent.Changes changes = (WatchEvent.Changes) next(watch);
            assertThat(changes.changes())
                    .extracting(change -> change.key().utf8())
                    .containsExactly("/txn/c", "/txn/a", "/txn/b");
            assertThat(changes.throughRevision()).isEqualTo(revision);
        }
    }

    @Test
    void reportsProgressOfAnIdlePrefixOnRequest() throws Exception {
        try (EtcdWatch watch = client.watch(WatchRequest.prefix(utf8("/quiet/"), 0))) {
            for (int i = 0; i < 5; i++) {
                long revision = client.put(utf8("/busy"), utf8("x" + i));
                assertThat(TestEtcd.progress(watch, revision)).isGreaterThanOrEqualTo(revision);
            }
        }
    }

    @Test
    void reportsProgressAfterCatchingUp() throws Exception {
        long first = client.put(utf8("/catch/0"), utf8("x"));
        for (int i = 1; i < 200; i++) {
            client.put(utf8("/catch/" + i), utf8("x"));
        }
        try (EtcdWatch watch = client.watch(WatchRequest.prefix(utf8("/catch/"), first))) {
            boolean _ = watch.requestProgress();
            assertThat(changes(watch, 200)).hasSize(200);
            assertThat(TestEtcd.progress(watch, first + 199)).isGreaterThanOrEqualTo(first + 199);
        }
    }

    @Test
    void reportsProgressAtTheNewestRevisionWithoutWrites() throws Exception {
        try (TestEtcd own = TestEtcd.start(folder.resolve("newest"))) {
            own.client().put(utf8("/k"), utf8("1"));
            own.client().put(utf8("/k"), utf8("2"));
            long newest = own.client().put(utf8("/k"), utf8("3"));
            own.client().compact(newest, true);
            try (EtcdWatch watch = own.client().watch(WatchRequest.prefix(utf8("/"), newest))) {
                assertThat(changes(watch, 1))
                        .extracting(KeyChange::revision)
                        .containsExactly(newest);
                assertThat(TestEtcd.progress(watch, newest)).isEqualTo(newest);
            }
        }
    }

    @Test
    void deliversPeriodicProgress() throws Exception {
        EtcdSettings settings =
                EtcdSettings.forTests(folder.resolve("periodic"))
                        .withFlags("--unsafe-no-fsync", progressFlag() + "=100ms");
        try (TestEtcd own = TestEtcd.start(settings);
                EtcdWatch watch = own.client().watch(WatchRequest.prefix(utf8("/quiet/"), 0))) {
            long revision = own.client().put(utf8("/busy"), utf8("x"));
            long reported = 0;
            while (reported < revision) {
                reported =
                        next(watch) instanceof WatchEvent.Progress(long through)
                                ? through
                                : reported;
            }
            assertThat(reported).isEqualTo(revision);
        }
    }

    /** etcd 3.6 renamed the flag, and 3.7 dropped the old name. */
    private static String progressFlag() throws Exception {
        boolean renamed = EtcdBinary.find().version().compareTo(Version.parse("3.6.0")) >= 0;
        return renamed
                ? "--watch-progress-notify-interval"
                : "--experimental-watch-progress-notify-interval";
    }

    @Test
    void aSlowReaderAppliesBackPressureWithoutLoss() throws Exception {
        int count = 150;
        long from = client.revision(utf8("/slow/")) + 1;
        try (EtcdWatch watch =
                client.watch(WatchRequest.prefix(utf8("/slow/"), from).buffering(1))) {
            List<Long> revisions = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                revisions.add(
                        client.put(utf8("/slow/" + i % 7), Bytes.wrap(new byte[1_000_000 + i])));
            }
            // Reading starts only now: 150 MB are far more than all buffers on the way hold.
            List<KeyChange> changes = changes(watch, count);
            assertThat(changes).extracting(KeyChange::revision).isEqualTo(revisions);
            assertThat(((KeyChange.Put) changes.getLast()).now().value().length())
                    .isEqualTo(1_000_000 + count - 1);
            assertThat(TestEtcd.progress(watch, revisions.getLast())).isPositive();
        }
        client.deletePrefix(utf8("/slow/"));
    }

    @Test
    void boundsMessagesOfALongHistory() throws Exception {
        int count = 40;
        long first = client.revision(utf8("/history/")) + 1;
        for (int i = 0; i < count; i++) {
            client.put(utf8("/history/a"), Bytes.wrap(new byte[1_400_000]));
        }
        // In one response these would be 56 MB; 4 MiB is the lowest limit.
        EtcdOptions small = etcd.options().withMaxInboundMessageBytes(4 << 20);
        try (EtcdClient narrow = new EtcdClient(small);
                EtcdWatch watch = narrow.watch(WatchRequest.prefix(utf8("/history/"), first))) {
            assertThat(changes(watch, count))
                    .extracting(KeyChange::revision)
                    .isSorted()
                    .doesNotHaveDuplicates()
                    .hasSize(count);
        }
    }

    @Test
    void endsAWatchBelowTheCompactRevision() throws Exception {
        try (TestEtcd own = TestEtcd.start(folder.resolve("compacted"))) {
            for (int i = 0; i < 10; i++) {
                own.client().put(utf8("/k"), utf8("v" + i));
            }
            own.client().compact(9, true);
            try (EtcdWatch watch = own.client().watch(WatchRequest.prefix(utf8("/"), 4))) {
                assertThat(next(watch)).isInstanceOf(WatchEvent.Created.class);
                assertThat(next(watch)).isEqualTo(new WatchEvent.Compacted(9));
                assertThat(next(watch)).isEqualTo(new WatchEvent.Compacted(9));
                assertThat(watch.requestProgress()).isFalse();
            }
            try (EtcdWatch watch = own.client().watch(WatchRequest.prefix(utf8("/"), 10))) {
                assertThat(changes(watch, 2)).hasSize(2);
            }
        }
    }

    @Test
    void deliversALeasesDeletesAtOneRevision() throws Exception {
        Lease lease = client.grantLease(Duration.ofMinutes(5));
        int count = 300;
        for (int i = 0; i < count; i++) {
            client.put(utf8("/lease/%03d".formatted(i)), utf8("x"), lease.id());
        }
        try (EtcdWatch watch = client.watch(WatchRequest.prefix(utf8("/lease/"), 0))) {
            assertThat(next(watch)).isInstanceOf(WatchEvent.Created.class);
            client.revokeLease(lease.id());
            WatchEvent.Changes changes = (WatchEvent.Changes) next(watch);
            assertThat(changes.changes())
                    .hasSize(count)
                    .allSatisfy(change -> {
                        assertThat(change).isInstanceOf(KeyChange.Delete.class);
                        assertThat(change.revision()).isEqualTo(changes.throughRevision());
                    });
        }
    }

    @Test
    void aBrokenStreamIsAnEventAndANewWatchResumes() throws Exception {
        Path data = folder.resolve("broken");
        long last;
        TestEtcd own = TestEtcd.start(data);
        try (own) {
            EtcdWatch watch = own.client().watch(WatchRequest.prefix(utf8("/"), 0));
            last = own.client().put(utf8("/a"), utf8("1"));
            assertThat(changes(watch, 1)).hasSize(1);
            own.process().kill();
            WatchEvent end = next(watch);
            assertThat(end)
                    .isInstanceOfSatisfying(
                            WatchEvent.Failed.class,
                            failed ->
                                    assertThat(failed.cause().kind())
                                            .isEqualTo(EtcdException.Kind.UNAVAILABLE));
        }
        try (TestEtcd again = TestEtcd.start(data)) {
            again.client().put(utf8("/b"), utf8("2"));
            try (EtcdWatch watch = again.client().watch(WatchRequest.prefix(utf8("/"), last + 1))) {
                assertThat(changes(watch, 1))
                        .extracting(change -> change.key().utf8())
                        .containsExactly("/b");
            }
        }
    }

    @Test
    void closingEndsAWatch() throws Exception {
        EtcdWatch watch = client.watch(WatchRequest.prefix(utf8("/closed/"), 0));
        watch.close();
        assertThat(next(watch)).isInstanceOf(WatchEvent.Created.class);
        assertThat(next(watch)).isInstanceOf(WatchEvent.Failed.class);
    }
}
