package io.tidemark.connector.source;

import io.tidemark.etcd.EtcdWatch;
import io.tidemark.etcd.KeyValue;
import io.tidemark.etcd.RangePage;
import io.tidemark.record.Bytes;
import java.util.Optional;

/**
 * The connector's port to etcd, for the one prefix it mirrors. Calls block, each for a bounded
 * time; thread-safe. All of them throw {@link io.tidemark.etcd.connection.EtcdException} when they
 * fail.
 */
public interface EtcdSource extends AutoCloseable {
    /** etcd's current status, linearizable, and how far its version supports progress requests. */
    EtcdView view();

    /** The newest revision, by a linearizable read that starts after this call. */
    Newest newest();

    /**
     * The oldest revision that can still be read: that of the last compaction, 1 when there was
     * none.
     */
    long oldestRevision();

    /**
     * A page of the prefix as of {@code revision}, in key order; it may be shorter than {@code
     * limit}, and the last one empty. Fails with {@code COMPACTED} when that revision is compacted,
     * with {@code TOO_LARGE} when {@code limit} keys do not fit a message, and when another cluster
     * answers than the one that {@link #view} saw last: pages of two clusters make no list. {@code
     * OTHER_CLUSTER} means that pages before may be of it, too.
     *
     * @param fromKeyInclusive where the page begins
     * @param limit most keys to return, at least 1
     */
    RangePage list(Bytes fromKeyInclusive, long revision, int limit);

    /**
     * One key as of {@code revision}; empty when it did not exist. Fails with {@code COMPACTED}
     * when that revision is compacted.
     *
     * @param key an empty one, which etcd cannot hold, only checks that the revision can be read
     */
    default Optional<KeyValue> get(Bytes key, long revision) {
        return list(key, revision, 1).keyValues().stream()
                .filter(found -> found.key().equals(key))
                .findFirst();
    }

    /** As {@link #list}, for keys and revisions only: the values may be left empty. */
    default RangePage listKeys(Bytes fromKeyInclusive, long revision, int limit) {
        return list(fromKeyInclusive, revision, limit);
    }

    /**
     * Starts a watch of the prefix, and waits until it is open or refused.
     *
     * @param revision after which all changes are wanted, and which must not be compacted. Changes
     *     at it may come too
     */
    EtcdWatch watch(long revision);

    @Override
    void close();

    /**
     * etcd's newest revision, and the cluster that reported it.
     *
     * @param clusterId unsigned
     */
    record Newest(long clusterId, long revision) {}
}
