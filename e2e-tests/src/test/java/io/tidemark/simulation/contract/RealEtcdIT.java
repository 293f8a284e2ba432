package io.tidemark.simulation.contract;

import io.tidemark.connector.source.EtcdClientSource;
import io.tidemark.connector.source.EtcdSource;
import io.tidemark.etcd.Lease;
import io.tidemark.etcd.Op;
import io.tidemark.etcd.Txn;
import io.tidemark.etcd.connection.EtcdException;
import io.tidemark.etcd.connection.EtcdOptions;
import io.tidemark.harness.TestEtcd;
import io.tidemark.http.testing.TcpProxy;
import io.tidemark.record.Bytes;
import io.tidemark.simulation.world.Settings;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A real etcd keeps the contract, so it asks no more than etcd promises. */
final class RealEtcdIT extends EtcdContract implements EtcdUnderTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration LEASE = Duration.ofMinutes(5);

    @TempDir private static Path folder;
    @AutoClose private static TestEtcd server;

    private TcpProxy link;
    private EtcdClientSource source;

    @BeforeAll
    static void startServer() throws Exception {
        server = new TestEtcd(folder);
    }

    @BeforeEach
    void connect() throws Exception {
        // The first call of a process may take longer than a call may, on a busy machine.
        Awaitility.await()
                .atMost(PATIENCE)
                .ignoreExceptionsInstanceOf(EtcdException.class)
                .until(() -> server.client().deletePrefix(Settings.PREFIX) >= 0);
        URI endpoint = URI.create(server.endpoint());
        link =
                new TcpProxy(
                        new InetSocketAddress(endpoint.getHost(), endpoint.getPort()),
                        TcpProxy.Tap.NONE);
        source =
                new EtcdClientSource(
                        EtcdOptions.of("http://127.0.0.1:" + link.port()), Settings.PREFIX);
    }

    @AfterEach
    void disconnect() throws Exception {
        source.close();
        link.close();
    }

    @Override
    EtcdUnderTest etcd() {
        return this;
    }

    @Override
    public EtcdSource source() {
        return source;
    }

    @Override
    public long write(Map<String, @Nullable String> writes) {
        Op[] ops =
                writes.entrySet().stream()
                        .map(write -> op(Bytes.utf8(write.getKey()), write.getValue()))
                        .toArray(Op[]::new);
        return server.client().txn(Txn.of(ops)).revision();
    }

    private static Op op(Bytes key, @Nullable String value) {
        return value == null ? new Op.Delete(key) : new Op.Put(key, Bytes.utf8(value));
    }

    @Override
    public void deleteAll(String prefix) {
        server.client().deletePrefix(Bytes.utf8(prefix));
    }

    @Override
    public long putLeased(Set<String> keys) {
        Lease lease = server.client().grantLease(LEASE);
        Op[] puts =
                keys.stream()
                        .map(key -> new Op.Put(Bytes.utf8(key), Bytes.utf8("leased"), lease.id()))
                        .toArray(Op[]::new);
        server.client().txn(Txn.of(puts));
        return lease.id();
    }

    @Override
    public void endLease(long lease) {
        server.client().revokeLease(lease);
    }

    @Override
    public void compact(long revision) {
        server.client().compact(revision, true);
    }

    @Override
    public void breakConnections() {
        link.dropConnections();
    }

    /** Packets are lost meanwhile, and so are those that were sent during the cut. */
    @Override
    public void reachable(boolean now) {
        if (now) {
            link.dropConnections();
            link.heal();
        } else {
            link.cut();
        }
    }

    @Override
    public boolean await(BooleanSupplier condition) {
        try {
            Awaitility.await().atMost(PATIENCE).until(condition::getAsBoolean);
            return true;
        } catch (ConditionTimeoutException _) {
            return false;
        }
    }
}
