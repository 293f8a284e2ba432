package io.tidemark.peer.cluster;

import io.tidemark.peer.wire.ViewCall;
import io.tidemark.view.PartitionState;
import io.tidemark.view.PartitionView.Subscription;
import io.tidemark.view.ReadOutcome;

/** One copy of one partition, here or on another node. All methods may be called by any thread. */
public interface Replica {
    /** Where it stands, as far as is known here; {@link PartitionState#EMPTY} when it is gone. */
    PartitionState state();

    /**
     * Whether it is asked behind all others that can answer as well: its node is about to leave, or
     * has not been heard of for a moment.
     */
    boolean isDegraded();

    /**
     * Asks it.
     *
     * @return never later than a bound of the copy's own; what cannot be asked answers {@link
     *     ReadOutcome.ReplicaUnavailable}
     */
    <T> Answer<T> ask(ViewCall<T> call);

    /** Calls the listener after every change of {@link #state()}; it must be quick. */
    Subscription onChange(Runnable listener);

    /**
     * What it said.
     *
     * @param then where it stood when it had answered: had another history begun while it read,
     *     this is of that one; {@link PartitionState#EMPTY} when it could not be asked
     */
    record Answer<T>(ReadOutcome<T> outcome, PartitionState then) {
        /** Of the history it held then. */
        public long epoch() {
            return then.epoch();
        }
    }
}
