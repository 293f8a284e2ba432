package io.tidemark.view;

import io.tidemark.record.Bytes;
import java.util.Optional;

/**
 * Reads on one partition, each at an exact revision and each complete in itself: there is no open
 * iterator, snapshot or session between calls, so a caller may stop, go on later, or go on with
 * another copy of the same partition.
 *
 * <p>All methods may be called from any thread, virtual ones included. Every read is bounded by the
 * limits in its request. A read on a partition that is no longer here answers {@link
 * ReadOutcome.ReplicaUnavailable}, never throws.
 */
public interface PartitionView {
    int partition();

    /** Where this copy stands now. Cheap: no read of the store. */
    PartitionState state();

    /** The version of {@code key} that was current at {@code atRevision}; empty if none was. */
    ReadOutcome<Optional<StoredObject>> get(Bytes key, long atRevision);

    /** The same, of as much of the object as is wanted. */
    default ReadOutcome<Optional<StoredObject>> get(
            Bytes key, long atRevision, Projection projection) {
        return get(key, atRevision).map(found -> found.map(projection::of));
    }

    /** The next page, in key order, of the objects of a range as they were at one revision. */
    ReadOutcome<ScanPage> scan(ScanRequest request);

    /** The next page, in order, of the changes after a position. May end inside a revision. */
    ReadOutcome<ChangePage> changes(ChangesRequest request);

    /**
     * The next page of what is known of one key's life, oldest first. Never {@link
     * ReadOutcome.Expired}: what is older is not known, and the page says where that begins.
     */
    ReadOutcome<VersionPage> versions(VersionsRequest request);

    /**
     * Which revision was the newest at a time.
     *
     * @param timeMillis since 1970; answered as of the end of the last whole slot before it, which
     *     is a tenth of a second for a window of six hours, and longer for a longer one
     */
    ReadOutcome<RevisionAtTime> revisionAt(long timeMillis);

    /**
     * The keys that hold, after every change that was applied here, what should be an object and
     * cannot be read: so this is of no exact revision, unlike the other reads. There are {@link
     * PartitionState#unreadable} of them in the whole partition.
     *
     * @param prefix keys must start with it
     * @param max at least 1
     */
    ReadOutcome<UnreadablePage> unreadable(Bytes prefix, int max);

    /**
     * Calls {@code listener} after every change of {@link #state()}, on the thread that applies
     * changes: it must be quick and must not block. Several changes may be told as one.
     */
    Subscription onChange(Runnable listener);

    /** Ends what it stands for; calling it again does nothing. */
    interface Subscription extends AutoCloseable {
        @Override
        void close();
    }
}
