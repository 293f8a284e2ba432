package io.tidemark.etcd;

import static io.tidemark.etcd.TestEtcd.utf8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.tidemark.etcd.connection.EtcdException;
import io.tidemark.etcd.connection.EtcdOptions;
import io.tidemark.local.Ports;
import io.tidemark.local.etcd.EtcdBinary;
import io.tidemark.local.etcd.EtcdProcess;
import io.tidemark.local.etcd.EtcdSettings;
import io.tidemark.record.Bytes;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EtcdClientIT {
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
    void putsGetsAndDeletes() {
        Bytes key = utf8("/plain/a");
        long first = client.put(key, utf8("one"));
        long second = client.put(key, utf8("two"));
        assertThat(client.get(key)).contains(new KeyValue(key, utf8("two"), first, second, 2, 0));
        assertThat(client.delete(key)).isTrue();
        assertThat(client.delete(key)).isFalse();
        assertThat(client.get(key)).isEmpty();
        assertThat(client.revision(key)).isEqualTo(second + 1);
    }

    @Test
    void readsAllPagesAtOneOldRevision() {
        List<String> keys = new ArrayList<>();
        long revision = 0;
        for (int i = 0; i < 25; i++) {
            keys.add("/pages/%02d".formatted(i));
            revision = client.put(utf8(keys.getLast()), utf8("old"));
        }
        client.put(utf8("/pages/03"), utf8("new"));
        client.put(utf8("/pages/99"), utf8("new"));
        client.delete(utf8("/pages/24"));

        RangeScan scan = client.scan(RangeRequest.prefix(utf8("/pages/")).at(revision), 10);
        List<String> read = new ArrayList<>();
        List<Integer> sizes = new ArrayList<>();
        for (Optional<RangePage> page = scan.nextPage(); page.isPresent(); page = scan.nextPage()) {
            sizes.add(page.get().keyValues().size());
            for (KeyValue keyValue : page.get().keyValues()) {
                read.add(keyValue.key().utf8());
                assertThat(keyValue.value()).isEqualTo(utf8("old"));
            }
        }
        assertThat(read).isEqualTo(keys);
        assertThat(sizes).containsExactly(10, 10, 5);
    }

    @Test
    void aScanStaysAtTheRevisionOfItsFirstPage() {
        client.put(utf8("/still/a"), utf8("1"));
        client.put(utf8("/still/b"), utf8("1"));
        RangeScan scan = client.scan(RangeRequest.prefix(utf8("/still/")), 1);
        long revision = scan.nextPage().orElseThrow().currentRevision();
        client.put(utf8("/still/b"), utf8("2"));
        RangePage second = scan.nextPage().orElseThrow();
        assertThat(scan.revision()).isEqualTo(revision);
        assertThat(second.keyValues().getFirst().value()).isEqualTo(utf8("1"));
        assertThat(scan.nextPage()).isEmpty();
    }

    @Test
    void returnsCountsAndKeysWithoutValues() {
        client.put(utf8("/count/a"), utf8("1"));
        client.put(utf8("/count/b"), utf8("1"));
        RangeRequest range = RangeRequest.prefix(utf8("/count/"));
        assertThat(client.range(range.withCountOnly()).count()).isEqualTo(2);
        assertThat(client.range(range.withCountOnly()).keyValues()).isEmpty();
        assertThat(client.range(range.withKeysOnly().withSerializable()).keyValues())
                .extracting(keyValue -> keyValue.value().length())
                .containsExactly(0, 0);
    }

    @Test
    void anEmptyPrefixSelectsEveryKey() {
        client.put(utf8("all"), utf8("1"));
        client.put(Bytes.wrap(new byte[] {(byte) 0xff, (byte) 0xff}), utf8("1"));
        Set<Bytes> keys = new TreeSet<>();
        client.range(RangeRequest.prefix(Bytes.EMPTY).withKeysOnly())
                .keyValues()
                .forEach(keyValue -> keys.add(keyValue.key()));
        assertThat(keys).contains(utf8("all"), Bytes.wrap(new byte[] {(byte) 0xff, (byte) 0xff}));
    }

    @Test
    void transactionsCheckTheirConditions() {
        Bytes key = utf8("/guarded");
        Txn create =
                Txn.guarded(List.of(Compare.absent(key)), List.of(new Op.Put(key, utf8("one"))));
        Txn.Result created = client.txn(create);
        assertThat(created.succeeded()).isTrue();
        assertThat(client.txn(create).succeeded()).isFalse();
        assertThat(
                        client.txn(
                                        Txn.guarded(
                                                List.of(
                                                        new Compare.ModRevisionIs(
                                                                key, created.revision()),
                                                        new Compare.ValueIs(key, utf8("one"))),
                                                List.of(new Op.Delete(key))))
                                .succeeded())
                .isTrue();
        assertThat(client.get(key)).isEmpty();
    }

    @Test
    void reportsAFutureRevision() {
        assertKind(
                EtcdException.Kind.FUTURE_REVISION,
                () -> client.range(RangeRequest.prefix(utf8("/")).at(1L << 40)));
    }

    @Test
    void reportsTooLargeValues() {
        assertKind(
                EtcdException.Kind.TOO_LARGE,
                () -> client.put(utf8("/large"), Bytes.wrap(new byte[2 << 20])));
    }

    @Test
    void aScanShrinksItsPagesForLargeValues() {
        byte[] large = new byte[1_400_000];
        for (int i = 0; i < 20; i++) {
            client.put(utf8("/big/%02d".formatted(i)), Bytes.wrap(large));
        }
        EtcdOptions small = etcd.options().withMaxInboundMessageBytes(6 << 20);
        try (EtcdClient narrow = new EtcdClient(small)) {
            assertKind(
                    EtcdException.Kind.TOO_LARGE,
                    () -> narrow.range(RangeRequest.prefix(utf8("/big/"))));
            RangeScan scan = narrow.scan(RangeRequest.prefix(utf8("/big/")), 500);
            int keys = 0;
            for (Optional<RangePage> page = scan.nextPage();
                    page.isPresent();
                    page = scan.nextPage()) {
                keys += page.get().keyValues().size();
            }
            assertThat(keys).isEqualTo(20);
        }
        assertThat(client.range(RangeRequest.prefix(utf8("/big/"))).keyValues()).hasSize(20);
    }

    @Test
    void revokingALeaseDeletesItsKeys() {
        Lease lease = client.grantLease(Duration.ofSeconds(60));
        client.put(utf8("/leased/a"), utf8("1"), lease.id());
        assertThat(client.get(utf8("/leased/a")).orElseThrow().lease()).isEqualTo(lease.id());
        assertThat(client.keepAlive(lease.id())).contains(lease);
        client.revokeLease(lease.id());
        assertThat(client.get(utf8("/leased/a"))).isEmpty();
        assertThat(client.keepAlive(lease.id())).isEmpty();
    }

    @Test
    void readsAMembersStatus() {
        MemberStatus status = client.status(URI.create(etcd.process().endpoint()));
        assertThat(status.parsedVersion()).isPresent();
        assertThat(status.leaderId()).isEqualTo(status.memberId()).isNotZero();
        assertThat(status.clusterId())
                .isEqualTo(client.range(RangeRequest.key(utf8("x"))).clusterId());
        assertThat(status.dbSizeBytes()).isPositive();
        assertThat(status.errors()).isEmpty();
        assertThat(client.versions()).containsExactly(status.parsedVersion().orElseThrow());
    }

    @Test
    void reportsCompactionAndTheCompactRevision() throws Exception {
        try (TestEtcd own = TestEtcd.start(folder.resolve("compacted"))) {
            Bytes key = utf8("/k/a");
            assertThat(own.client().compactRevision(utf8("/k/"))).isZero();
            for (int i = 0; i < 10; i++) {
                own.client().put(key, utf8("v" + i));
            }
            assertThat(own.client().compactRevision(utf8("/k/"))).isZero();
            own.client().compact(8, true);
            assertThat(own.client().compactRevision(utf8("/k/"))).isEqualTo(8);
            assertThat(own.client().range(RangeRequest.key(key).at(8)).keyValues()).hasSize(1);
            assertKind(
                    EtcdException.Kind.COMPACTED,
                    () -> own.client().range(RangeRequest.key(key).at(7)));
        }
    }

    @Test
    void failsOverFromADeadEndpoint() throws Exception {
        String dead = "http://127.0.0.1:" + Ports.pickFree("127.0.0.1");
        try (EtcdClient two = new EtcdClient(EtcdOptions.of(dead, etcd.process().endpoint()))) {
            two.put(utf8("/failover"), utf8("1"));
            assertThat(two.get(utf8("/failover"))).isPresent();
            try (EtcdWatch watch = two.watch(WatchRequest.prefix(utf8("/failover"), 0))) {
                assertThat(TestEtcd.next(watch)).isInstanceOf(WatchEvent.Created.class);
            }
            assertThat(two.versions()).hasSize(1);
        }
        try (EtcdClient none = new EtcdClient(EtcdOptions.of(dead))) {
            assertKind(EtcdException.Kind.UNAVAILABLE, () -> none.get(utf8("x")));
            assertKind(EtcdException.Kind.UNAVAILABLE, none::versions);
        }
    }

    @Test
    void reconnectsAfterAnEtcdRestart() throws Exception {
        EtcdSettings settings =
                EtcdSettings.forTests(folder.resolve("back"))
                        .withClientPort(Ports.pickFree("127.0.0.1"));
        EtcdProcess first = EtcdProcess.start(EtcdBinary.find(), settings);
        try (EtcdClient own = new EtcdClient(EtcdOptions.of(first.endpoint()))) {
            own.put(utf8("a"), utf8("1"));
            first.stop();
            assertKind(EtcdException.Kind.UNAVAILABLE, () -> own.get(utf8("a")));
            assertKind(EtcdException.Kind.UNAVAILABLE, () -> own.get(utf8("a")));
            try (EtcdProcess _ = EtcdProcess.start(EtcdBinary.find(), settings)) {
                // Calls fail at once until gRPC's pause between two connections is over.
                await().ignoreExceptionsMatching(e ->
                                e instanceof EtcdException failed
                                        && failed.kind() == EtcdException.Kind.UNAVAILABLE)
                        .until(() -> own.get(utf8("a")).isPresent());
            }
        }
    }

    @Test
    void aClosedClientFailsCalls() {
        EtcdClient closed = new EtcdClient(etcd.options());
        closed.close();
        assertThatThrownBy(() -> closed.get(utf8("a"))).isInstanceOf(EtcdException.class);
    }

    static void assertKind(EtcdException.Kind kind, ThrowingCallable call) {
        EtcdException failed = catchThrowableOfType(EtcdException.class, call);
        assertThat(failed).isNotNull();
        assertThat(failed.kind()).describedAs(failed.getMessage()).isEqualTo(kind);
    }
}
