package io.tidemark.peer.cluster;

import io.tidemark.view.PartitionState;
import io.tidemark.view.PartitionView.Subscription;
import io.tidemark.view.request.ChangePage;
import io.tidemark.view.request.ChangesRequest;
import io.tidemark.view.request.ReadOutcome;
import io.tidemark.view.request.ReadRequest;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * A replica, with what its answers reveal before its state update arrives: its floor when it
 * refused a read, and whether it responds at all.
 */
final class TrackedReplica implements Replica {
    /**
     * For this long a replica that does not answer may still do so. A replica that has gone shows
     * that much sooner, by its state; this is for one with a state that answers nothing.
     */
    static final Duration UNRESPONSIVE_GRACE_PERIOD = Duration.ofSeconds(10);

    private static final long RESPONSIVE = Long.MIN_VALUE;

    /**
     * The replica's state when it refused a read.
     *
     * @param shown the state as known here at that time
     * @param then the state that came with the refusal
     */
    private record LastRefusal(PartitionState shown, PartitionState then) {
        boolean isNewerThan(PartitionState now) {
            return now.ready()
                    && then.ready()
                    && now.epoch() == then.epoch()
                    && (now.equals(shown) || now.appliedOffset() < then.appliedOffset());
        }
    }

    private final Replica replica;
    private final LongSupplier nanoTime;
    private volatile LastRefusal lastRefusal =
            new LastRefusal(PartitionState.EMPTY, PartitionState.EMPTY);

    /** Start of the unanswered reads, by nanoTime; {@link #RESPONSIVE} for none. */
    private volatile long unresponsiveSince = RESPONSIVE;

    TrackedReplica(Replica replica, LongSupplier nanoTime) {
        this.replica = replica;
        this.nanoTime = nanoTime;
    }

    /** The newer of the known state and the last refusal's; EMPTY when the replica has gone. */
    @Override
    public PartitionState state() {
        PartitionState shown = replica.state();
        LastRefusal last = lastRefusal;
        return last.isNewerThan(shown) ? last.then() : shown;
    }

    /** Whether a replica that did not answer may still do so. */
    boolean isWithinGracePeriod() {
        long since = unresponsiveSince;
        return since == RESPONSIVE
                || nanoTime.getAsLong() - since < UNRESPONSIVE_GRACE_PERIOD.toNanos();
    }

    @Override
    public boolean isDegraded() {
        return replica.isDegraded();
    }

    @Override
    public <T> Answer<T> ask(ReadRequest<T> request) {
        PartitionState shown = replica.state();
        Answer<T> answer = replica.ask(request);
        switch (answer.outcome()) {
            case ReadOutcome.Served<T> _, ReadOutcome.TooNew<T> _ -> unresponsiveSince = RESPONSIVE;
            case ReadOutcome.Expired<T> _ -> {
                unresponsiveSince = RESPONSIVE;
                lastRefusal = new LastRefusal(shown, answer.then());
            }
            case ReadOutcome.ReplicaUnavailable<T> _ -> {
                if (unresponsiveSince == RESPONSIVE) {
                    unresponsiveSince = nanoTime.getAsLong();
                }
            }
        }
        return answer;
    }

    @Override
    public Optional<ChangePage> recentChanges(long epoch, ChangesRequest request) {
        return replica.recentChanges(epoch, request);
    }

    @Override
    public Subscription onChange(Runnable listener) {
        return replica.onChange(listener);
    }
}
