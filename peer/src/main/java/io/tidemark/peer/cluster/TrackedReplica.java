package io.tidemark.peer.cluster;

import io.tidemark.view.PartitionState;
import io.tidemark.view.PartitionView.Subscription;
import io.tidemark.view.request.ChangePage;
import io.tidemark.view.request.ChangesRequest;
import io.tidemark.view.request.ReadOutcome;
import io.tidemark.view.request.ReadRequest;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A replica, with what its answers reveal before its state update arrives: its floor when it
 * refused a read, and whether it responds at all; and with when it last applied a record.
 */
final class TrackedReplica implements Replica {
    /**
     * For this long a replica that does not answer may still do so, and one that applies no records
     * may go on. A replica that has gone shows that much sooner, by its state; this is for one with
     * a state that answers nothing, or that has stopped on a full disk.
     */
    static final Duration UNRESPONSIVE_GRACE_PERIOD = Duration.ofSeconds(10);

    /**
     * After this long without a read, nothing is known of whether it responds. Longer than clients
     * wait between two attempts.
     */
    static final Duration OUTDATED = Duration.ofMinutes(1);

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

    /** The first and the last of the reads in a row without an answer; by nanoTime. */
    private record Silence(long since, long last) {
        boolean isOutdated(long now) {
            return now - last >= OUTDATED.toNanos();
        }
    }

    /** The last record applied, and when it was first seen here; by nanoTime. */
    private record Progress(long appliedOffset, long since) {}

    private final Replica replica;
    private final LongSupplier nanoTime;
    private volatile LastRefusal lastRefusal =
            new LastRefusal(PartitionState.EMPTY, PartitionState.EMPTY);

    /** Null when the last read was answered. */
    private final AtomicReference<@Nullable Silence> silence = new AtomicReference<>();

    private final AtomicReference<Progress> progress;

    TrackedReplica(Replica replica, LongSupplier nanoTime) {
        this.replica = replica;
        this.nanoTime = nanoTime;
        this.progress =
                new AtomicReference<>(
                        new Progress(replica.state().appliedOffset(), nanoTime.getAsLong()));
    }

    /** Whether this wraps that replica. */
    boolean tracks(Replica other) {
        return replica.equals(other);
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
        Silence unanswered = silence.get();
        return unanswered == null
                || unanswered.isOutdated(nanoTime.getAsLong())
                || isRecent(unanswered.since());
    }

    /** Whether a replica that lags may soon have what it lacks. */
    boolean isAdvancing() {
        return isRecent(progress.get().since());
    }

    private boolean isRecent(long nanos) {
        return nanoTime.getAsLong() - nanos < UNRESPONSIVE_GRACE_PERIOD.toNanos();
    }

    /** A replica that reconnects where it was has not advanced. */
    private void noteProgress() {
        PartitionState now = replica.state();
        if (now.ready()) {
            progress.updateAndGet(before ->
                    before.appliedOffset() == now.appliedOffset()
                            ? before
                            : new Progress(now.appliedOffset(), nanoTime.getAsLong()));
        }
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
            case ReadOutcome.Served<T> _, ReadOutcome.TooNew<T> _ -> silence.set(null);
            case ReadOutcome.Expired<T> _ -> {
                silence.set(null);
                lastRefusal = new LastRefusal(shown, answer.then());
            }
            case ReadOutcome.ReplicaUnavailable<T> _ when answer.asked() ->
                    unanswered(nanoTime.getAsLong());
            case ReadOutcome.ReplicaUnavailable<T> _ -> {}
        }
        return answer;
    }

    private void unanswered(long now) {
        silence.updateAndGet(before ->
                before == null || before.isOutdated(now)
                        ? new Silence(now, now)
                        : new Silence(before.since(), now));
    }

    @Override
    public Optional<ChangePage> recentChanges(long epoch, ChangesRequest request) {
        return replica.recentChanges(epoch, request);
    }

    @Override
    public Subscription onChange(Runnable listener) {
        return replica.onChange(() -> {
            noteProgress();
            listener.run();
        });
    }
}
