package io.tidemark.simulation.contract;

import io.tidemark.connector.source.EtcdSource;
import io.tidemark.etcd.EtcdWatch;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** An etcd, and a connector's client of it. The methods that write need no client. */
interface EtcdUnderTest {
    /** The client, of the prefix {@code /registry/}. */
    EtcdSource source();

    /** A watch whose first change is at a revision, or after it. */
    default EtcdWatch watchFrom(long revision) {
        return source().watch(revision);
    }

    /**
     * Writes in one transaction, in the map's order; null deletes.
     *
     * @return etcd's revision afterwards
     */
    long write(Map<String, @Nullable String> writes);

    /** Deletes all keys that begin with a prefix, in one revision. */
    void deleteAll(String prefix);

    /** Puts keys that are deleted when the lease ends; returns the lease. */
    long putLeased(Set<String> keys);

    /** Ends a lease, and so deletes its keys. */
    void endLease(long lease);

    void compact(long revision);

    /** Ends all connections. */
    void breakConnections();

    /** Whether the client's packets get through. */
    void reachable(boolean now);

    /** Waits until a condition holds; false when it does not within a bounded time. */
    boolean await(BooleanSupplier condition);
}
