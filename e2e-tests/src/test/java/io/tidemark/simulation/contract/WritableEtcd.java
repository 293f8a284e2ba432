package io.tidemark.simulation.contract;

import io.tidemark.etcd.Lease;
import io.tidemark.etcd.Op;
import io.tidemark.etcd.Txn;
import io.tidemark.etcd.connection.EtcdException;
import io.tidemark.harness.TestEtcd;
import io.tidemark.http.testing.TcpProxy;
import io.tidemark.record.Bytes;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;

/** The writes of {@link EtcdUnderTest} to a real etcd, and the client's link through a proxy. */
interface WritableEtcd extends EtcdUnderTest {
    Duration PATIENCE = Duration.ofSeconds(30);
    Duration LEASE = Duration.ofMinutes(5);

    TestEtcd server();

    /** Between the client and what it reads. */
    TcpProxy link();

    /** Deletes what another test has left. */
    default void clear(Bytes prefix) {
        // The first call of a process may take longer than a call may, on a busy machine.
        Awaitility.await()
                .ignoreExceptionsInstanceOf(EtcdException.class)
                .until(() -> server().client().deletePrefix(prefix) >= 0);
    }

    @Override
    default long write(Map<String, @Nullable String> writes) {
        Op[] ops =
                writes.entrySet().stream()
                        .map(write -> op(Bytes.utf8(write.getKey()), write.getValue()))
                        .toArray(Op[]::new);
        return server().client().txn(Txn.of(ops)).revision();
    }

    private static Op op(Bytes key, @Nullable String value) {
        return value == null ? new Op.Delete(key) : new Op.Put(key, Bytes.utf8(value));
    }

    @Override
    default void deleteAll(String prefix) {
        server().client().deletePrefix(Bytes.utf8(prefix));
    }

    @Override
    default long putLeased(Set<String> keys) {
        Lease lease = server().client().grantLease(LEASE);
        Op[] puts =
                keys.stream()
                        .map(key -> new Op.Put(Bytes.utf8(key), Bytes.utf8("leased"), lease.id()))
                        .toArray(Op[]::new);
        server().client().txn(Txn.of(puts));
        return lease.id();
    }

    @Override
    default void endLease(long lease) {
        server().client().revokeLease(lease);
    }

    @Override
    default void compact(long revision) {
        server().client().compact(revision, true);
    }

    @Override
    default void breakConnections() {
        link().dropConnections();
    }

    /** Packets are lost meanwhile, and so are those that were sent during the cut. */
    @Override
    default void reachable(boolean now) {
        if (now) {
            link().dropConnections();
            link().heal();
        } else {
            link().cut();
        }
    }

    @Override
    default boolean await(BooleanSupplier condition) {
        try {
            Awaitility.await().until(condition::getAsBoolean);
            return true;
        } catch (ConditionTimeoutException _) {
            return false;
        }
    }
}
