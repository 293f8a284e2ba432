package io.tidemark.connector.source;

import io.tidemark.record.Bytes;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The connector's port to etcd, for the one prefix it mirrors. Calls block, each for a bounded
 * time; thread-safe.
 */
public interface EtcdSource extends AutoCloseable {
    /** etcd's current status, linearizable, and how far its version supports progress requests. */
    EtcdView view() throws EtcdException;

    /** The newest revision, by a linearizable read that starts after this call. */
    Newest newest() throws EtcdException;

    /**
     * The oldest revision that can still be read: that of the last compaction, 1 when there was
     * none.
     */
    long oldestRevision() throws EtcdException;

    /**
     * A page of the prefix as of {@code revision}, in key order. Fails when another cluster answers
     * than the one that {@link #view} saw last: pages of two clusters make no list.
     *
     * @param fromKeyInclusive where the page begins
     * @param limit most keys to return, at least 1
     * @throws EtcdException.Compacted when that revision is compacted
     * @throws EtcdException.PageTooLarge when {@code limit} keys do not fit a message
     */
    Page list(Bytes fromKeyInclusive, long revision, int limit) throws EtcdException;

    /**
     * One key as of {@code revision}; empty when it did not exist.
     *
     * @param key an empty one, which etcd cannot hold, only checks that the revision can be read
     * @throws EtcdException.Compacted when that revision is compacted
     */
    default Optional<EtcdKeyValue> get(Bytes key, long revision) throws EtcdException {
        return list(key, revision, 1).keyValues().stream()
                .filter(found -> found.key().equals(key))
                .findFirst();
    }

    /**
     * As {@link #list}, for keys and revisions only: the values may be left empty.
     *
     * @throws EtcdException.Compacted when that revision is compacted
     */
    default Page listKeys(Bytes fromKeyInclusive, long revision, int limit) throws EtcdException {
        return list(fromKeyInclusive, revision, limit);
    }

    /**
     * Starts a watch of the prefix, and waits until it is open or refused. The reader pulls: events
     * it does not pull stay at etcd, except for a bounded buffer.
     */
    Watch watch(long fromRevisionInclusive) throws EtcdException;

    @Override
    void close();

    /**
     * etcd's newest revision, and the cluster that reported it.
     *
     * @param clusterId unsigned
     */
    record Newest(long clusterId, long revision) {}

    /**
     * A part of a list.
     *
     * @param remaining number of keys after the last of these
     */
    record Page(List<EtcdKeyValue> keyValues, long remaining) {
        public Page {
            keyValues = List.copyOf(keyValues);
            if (remaining < 0 || (keyValues.isEmpty() && remaining > 0)) {
                throw new IllegalArgumentException(
                        "%d keys, %d remaining".formatted(keyValues.size(), remaining));
            }
        }

        /** Whether keys follow. */
        public boolean more() {
            return remaining > 0;
        }
    }

    /**
     * A running watch. One thread at a time calls {@link #next}; the other methods are thread-safe.
     */
    interface Watch extends AutoCloseable {
        /** The next signal, waiting for it; empty when none came in time. */
        Optional<WatchSignal> next(Duration timeout) throws InterruptedException;

        /** Requests a {@link WatchSignal.Progress} soon; it may not come, so request again. */
        void requestProgress();

        /** Ends the watch. Never blocks for long. */
        @Override
        void close();
    }
}
