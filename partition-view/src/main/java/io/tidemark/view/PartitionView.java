package io.tidemark.view;

import io.tidemark.record.Bytes;
import java.util.Optional;

/**
 * Reads on one partition, each at an exact revision and stateless: there is no open iterator,
 * snapshot or session between calls, so a caller may stop, continue later, or continue with another
 * replica of the partition.
 *
 * <p>Thread-safe, for virtual threads too. The limits in its request bound every read. A read on a
 * partition that has left this node answers {@link ReadOutcome.ReplicaUnavailable}, never throws.
 */
public interface PartitionView {
    int partition();

    /** The replica's current state. Cheap: does not read the store. */
    PartitionState state();

    /** The version of {@code key} that was current at {@code atRevision}; empty if none was. */
    ReadOutcome<Optional<StoredObject>> get(Bytes key, long atRevision);

    /** The same, with a projection. */
    default ReadOutcome<Optional<StoredObject>> get(
            Bytes key, long atRevision, Projection projection) {
        return get(key, atRevision).map(found -> found.map(projection::of));
    }

    /** The next page, in key order, of the objects of a range as of one revision. */
    ReadOutcome<ScanPage> scan(ScanRequest request);

    /** The next page, in order, of the changes after a position. May end inside a revision. */
    ReadOutcome<ChangePage> changes(ChangesRequest request);

    /**
     * The next page of one key's known versions, oldest first. Never {@link ReadOutcome.Expired}:
     * the page says where its knowledge begins.
     */
    ReadOutcome<VersionPage> versions(VersionsRequest request);

    /**
     * The newest revision at a time.
     *
     * @param timeMillis since 1970; rounded down to the end of a slot, which lasts a tenth of a
     *     second for a history window of six hours, and longer for a longer one
     */
    ReadOutcome<RevisionAtTime> revisionAt(long timeMillis);

    /**
     * The keys whose newest applied version should be an object and is unreadable: so, unlike the
     * other reads, this is not at an exact revision. The partition has {@link
     * PartitionState#unreadable} of them.
     *
     * @param prefix of the keys
     * @param max at least 1
     */
    ReadOutcome<UnreadablePage> unreadable(Bytes prefix, int max);

    /**
     * Calls {@code listener} after every change of {@link #state()}, on the thread that applies
     * changes: it must be quick and must not block. One call may stand for several changes.
     */
    Subscription onChange(Runnable listener);

    /** Closing ends the subscription; closing it again does nothing. */
    interface Subscription extends AutoCloseable {
        @Override
        void close();
    }
}
