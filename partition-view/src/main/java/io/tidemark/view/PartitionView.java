package io.tidemark.view;

import io.tidemark.view.request.ChangePage;
import io.tidemark.view.request.ChangesRequest;
import io.tidemark.view.request.ReadOutcome;
import io.tidemark.view.request.ReadRequest;
import java.util.Optional;

/**
 * Reads on one partition of the mirror, each at an exact revision and stateless: there is no open
 * iterator, snapshot or session between calls, so a caller may stop, continue later, or continue
 * with another replica of the partition. A view stands for a store in this process, for a replica
 * on another node, or for all replicas of the partition together.
 *
 * <p>Thread-safe, for virtual threads too. The limits in its request bound every read. A read on a
 * partition that has left this node answers {@link ReadOutcome.ReplicaUnavailable}, never throws.
 */
public interface PartitionView {
    /** The partition's number, from 0. */
    int partition();

    /** The replica's current state. Cheap: does not read the store. */
    PartitionState state();

    /**
     * Reads what the request names: one object, a page of objects in key order, a page of changes
     * in revision order, the versions of a key, the revision at a time, or the unreadable keys.
     *
     * @return the answer; or that the revision is below the floor, the oldest that this replica can
     *     read, or above its watermark, through which it has all changes; or why it cannot answer
     */
    <T> ReadOutcome<T> read(ReadRequest<T> request);

    /**
     * The page that {@link #read} would serve, if it is in memory: without waiting for a disk or
     * for another node.
     *
     * @param epoch whose changes; of another one there are none
     * @return empty when {@link #read} has to be asked
     */
    default Optional<ChangePage> recentChanges(long epoch, ChangesRequest request) {
        return Optional.empty();
    }

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
