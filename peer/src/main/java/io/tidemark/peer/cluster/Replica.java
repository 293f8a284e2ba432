package io.tidemark.peer.cluster;

import io.tidemark.view.PartitionState;
import io.tidemark.view.PartitionView.Subscription;
import io.tidemark.view.request.ChangePage;
import io.tidemark.view.request.ChangesRequest;
import io.tidemark.view.request.ReadOutcome;
import io.tidemark.view.request.ReadRequest;
import java.util.Optional;

/** One replica of one partition, local or remote. Thread-safe. */
public interface Replica {
    /** Its state as known here; {@link PartitionState#EMPTY} when it has gone. */
    PartitionState state();

    /**
     * Whether it is asked after all others that can answer: its node is about to leave, or has been
     * silent for a moment.
     */
    boolean isDegraded();

    /**
     * Reads from it.
     *
     * @return within the replica's own timeout; {@link ReadOutcome.ReplicaUnavailable} when it
     *     cannot be reached
     */
    <T> Answer<T> ask(ReadRequest<T> request);

    /** The page if it is in memory, see {@link io.tidemark.view.PartitionView#recentChanges}. */
    default Optional<ChangePage> recentChanges(long epoch, ChangesRequest request) {
        return Optional.empty();
    }

    /** Calls the listener after every change of {@link #state()}; it must be quick. */
    Subscription onChange(Runnable listener);

    /**
     * An answer with the replica's state.
     *
     * @param then the state after the read, so that it shows whether the epoch changed meanwhile;
     *     {@link PartitionState#EMPTY} when the replica could not be reached
     * @param asked false when this node gave up by itself: says nothing about the replica
     */
    record Answer<T>(ReadOutcome<T> outcome, PartitionState then, boolean asked) {
        public Answer(ReadOutcome<T> outcome, PartitionState then) {
            this(outcome, then, true);
        }

        /** The replica's epoch after the read. */
        public long epoch() {
            return then.epoch();
        }
    }
}
