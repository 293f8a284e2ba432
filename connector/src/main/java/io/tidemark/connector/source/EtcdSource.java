package io.tidemark.connector.source;

import io.tidemark.record.Bytes;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What the connector asks of etcd, for the one prefix it mirrors. Calls block, each with a bound on
 * its time; they may be made from several threads at once.
 */
public interface EtcdSource extends AutoCloseable {
    /** Where etcd stands now, linearizably, and what its version is good for. */
    EtcdView view() throws EtcdException;

    /** The newest revision, by a linearizable read that starts after this call. */
    Newest newest() throws EtcdException;

    /**
     * The oldest revision that can still be read: that of the last compaction, 1 when there was
     * none.
     */
    long oldestRevision() throws EtcdException;

    /**
     * A page of the prefix as of {@code revision}, in key order. Refused when another cluster
     * answers than the one that {@link #view} saw last: pages of two clusters make no list.
     *
     * @param fromKeyInclusive where the page begins
     * @param limit most keys wanted, at least 1
     * @throws EtcdException.Compacted when that revision is gone
     * @throws EtcdException.PageTooLarge when {@code limit} keys do not fit a message
     */
    Page list(Bytes fromKeyInclusive, long revision, int limit) throws EtcdException;

    /**
     * One key as of {@code revision}; empty when it was not there.
     *
     * @param key an empty one is no key of etcd's: it asks whether the revision can be read
     * @throws EtcdException.Compacted when that revision is gone
     */
    default Optional<EtcdKeyValue> get(Bytes key, long revision) throws EtcdException {
        return list(key, revision, 1).keyValues().stream()
                .filter(found -> found.key().equals(key))
                .findFirst();
    }

    /**
     * As {@link #list}, for keys and revisions alone: the values may be left empty.
     *
     * @throws EtcdException.Compacted when that revision is gone
     */
    default Page listKeys(Bytes fromKeyInclusive, long revision, int limit) throws EtcdException {
        return list(fromKeyInclusive, revision, limit);
    }

    /**
     * Starts to follow the prefix, and waits until the watch stands or is refused. The reader
     * pulls: what it does not pull stays at etcd, but for a bounded buffer.
     */
    Watch watch(long fromRevisionInclusive) throws EtcdException;

    @Override
    void close();

    /**
     * etcd's newest revision, and which cluster said so.
     *
     * @param clusterId unsigned
     */
    record Newest(long clusterId, long revision) {}

    /**
     * A part of a list.
     *
     * @param remaining number of keys that follow after the last of these
     */
    record Page(List<EtcdKeyValue> keyValues, long remaining) {
        public Page {
            keyValues = List.copyOf(keyValues);
            if (remaining < 0 || (keyValues.isEmpty() && remaining > 0)) {
                throw new IllegalArgumentException(
                        "%d keys, %d remain".formatted(keyValues.size(), remaining));
            }
        }

        /** Whether keys follow. */
        public boolean more() {
            return remaining > 0;
        }
    }

    /** A running watch. One thread at a time calls {@link #next}; the rest is free for all. */
    interface Watch extends AutoCloseable {
        /** The next signal, waiting for it; empty when none came in time. */
        Optional<WatchSignal> next(Duration timeout) throws InterruptedException;

        /** Asks for a {@link WatchSignal.Progress} soon; none may come, so ask again. */
        void requestProgress();

        /** Ends it. Never blocks for long. */
        @Override
        void close();
    }
}
