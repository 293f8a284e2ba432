package io.tidemark.view;

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

    <T> ReadOutcome<T> read(ReadRequest<T> request);

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
