package io.tidemark.peer.cluster;

import io.tidemark.peer.wire.ViewCall;
import io.tidemark.view.PartitionState;
import io.tidemark.view.PartitionView.Subscription;
import io.tidemark.view.ReadOutcome;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * A copy, and what its own answers tell of it: where it stood when it refused, since news of that
 * may still be under way, and whether it answers at all.
 */
final class TrackedReplica implements Replica {
    /**
     * For so long a copy that does not answer is believed to go on soon. One that has gone shows it
     * much sooner, by its state; this is for one that shows a state and yet answers nothing.
     */
    static final Duration UNRESPONSIVE_GRACE_PERIOD = Duration.ofSeconds(10);

    private static final long RESPONSIVE = Long.MIN_VALUE;

    /**
     * Where it stood when it refused.
     *
     * @param shown what it showed at that time
     */
    private record LastRefusal(PartitionState shown, PartitionState then) {
        boolean isNewerThan(PartitionState now) {
            return now.ready()
                    && then.ready()
                    && now.epoch() == then.epoch()
                    && (now.equals(shown) || now.appliedOffset() < then.appliedOffset());
        }
    }

    private final Replica copy;
    private final LongSupplier nanoTime;
    private volatile LastRefusal lastRefusal =
            new LastRefusal(PartitionState.EMPTY, PartitionState.EMPTY);

    /** Since when it has not answered, as of nanoTime. */
    private volatile long unresponsiveSince = RESPONSIVE;

    TrackedReplica(Replica copy, LongSupplier nanoTime) {
        this.copy = copy;
        this.nanoTime = nanoTime;
    }

    /** The newer of what it shows and what it told; never of a copy that shows none. */
    @Override
    public PartitionState state() {
        PartitionState shown = copy.state();
        LastRefusal last = lastRefusal;
        return last.isNewerThan(shown) ? last.then() : shown;
    }

    /** Whether a copy that was asked and did not answer may yet do so. */
    boolean isWithinGracePeriod() {
        long since = unresponsiveSince;
        return since == RESPONSIVE
                || nanoTime.getAsLong() - since < UNRESPONSIVE_GRACE_PERIOD.toNanos();
    }

    @Override
    public boolean isDegraded() {
        return copy.isDegraded();
    }

    @Override
    public <T> Answer<T> ask(ViewCall<T> call) {
        PartitionState shown = copy.state();
        Answer<T> answer = copy.ask(call);
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
    public Subscription onChange(Runnable listener) {
        return copy.onChange(listener);
    }
}
