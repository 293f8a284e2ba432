package io.tidemark.serving.freshness;

import io.tidemark.serving.read.PartitionSet;
import io.tidemark.serving.read.PartitionSetStatus;
import io.tidemark.serving.read.ReadPoint;
import io.tidemark.serving.status.StatusErrors;
import io.tidemark.serving.status.StatusException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * One request's wait for the state that it asked for. {@link #poll} never waits, so that a thread
 * may wait between its calls, or virtual time may pass. For one thread.
 */
public final class FreshnessWait {
    private static final Duration RETRY_PAUSE = Duration.ofMillis(100);

    private final WatermarkTracker watermarks;
    private final Barriers barriers;
    private final LongSupplier nanoClock;
    private final PartitionSet partitions;
    private final RequestedState state;
    private final Duration limit;
    private final long deadline;
    private Stage stage;

    private sealed interface Stage {
        /**
         * Waits until the partitions have reached a revision, or for the rest of the time.
         *
         * @param then gets the status in either case
         */
        record Reaching(long epoch, long revision, Function<PartitionSetStatus, Stage> then)
                implements Stage {}

        record AskingEtcd(CompletableFuture<Barrier> answer) implements Stage {}

        record Pausing(long untilNanos) implements Stage {}

        record Done(ReadPoint point) implements Stage {}
    }

    FreshnessWait(
            WatermarkTracker watermarks,
            Barriers barriers,
            LongSupplier nanoClock,
            Duration limit,
            Duration waited,
            PartitionSet partitions,
            RequestedState state) {
        this.watermarks = watermarks;
        this.barriers = barriers;
        this.nanoClock = nanoClock;
        this.partitions = partitions;
        this.state = state;
        this.limit = limit;
        this.deadline = nanoClock.getAsLong() + limit.minus(waited).toNanos();
        // Waits while a partition has no ready replica.
        this.stage = new Stage.Reaching(0, 0, status -> onceReady(status.orThrow()));
    }

    /**
     * Goes on as far as it can without a wait.
     *
     * @return empty while it has to wait
     * @throws StatusException when the state did not arrive in time
     */
    public Optional<ReadPoint> poll() {
        while (true) {
            switch (stage) {
                case Stage.Done(ReadPoint point) -> {
                    return Optional.of(point);
                }
                case Stage.Reaching reaching -> {
                    PartitionSetStatus status = watermarks.status(partitions);
                    boolean reached = status.reached(reaching.epoch(), reaching.revision());
                    if (!reached && leftNanos() > 0 && !watermarks.closed()) {
                        return Optional.empty();
                    }
                    stage = reaching.then().apply(status);
                }
                case Stage.AskingEtcd(CompletableFuture<Barrier> answer) -> {
                    if (!answer.isDone() && leftNanos() > 0) {
                        return Optional.empty();
                    }
                    stage = answered(answer);
                }
                case Stage.Pausing(long untilNanos) -> {
                    if (nanoClock.getAsLong() - untilNanos < 0) {
                        return Optional.empty();
                    }
                    stage = new Stage.AskingEtcd(barriers.take());
                }
            }
        }
    }

    /** Waits until {@link #poll} may get further; needs the system's clock. */
    void park() throws InterruptedException {
        switch (stage) {
            case Stage.Done _ -> {}
            case Stage.Reaching(long epoch, long revision, _) -> {
                PartitionSetStatus _ = watermarks.await(partitions, epoch, revision, deadline);
            }
            case Stage.AskingEtcd(CompletableFuture<Barrier> answer) -> {
                try {
                    Barrier _ = answer.get(leftNanos(), TimeUnit.NANOSECONDS);
                } catch (ExecutionException | TimeoutException _) {
                    return; // poll() looks at it.
                }
            }
            case Stage.Pausing(long untilNanos) ->
                    Thread.sleep(Duration.ofNanos(Math.max(0, untilNanos - nanoClock.getAsLong())));
        }
    }

    private long leftNanos() {
        return deadline - nanoClock.getAsLong();
    }

    private Stage onceReady(PartitionSetStatus ready) {
        return switch (state) {
            case RequestedState.Latest _ -> new Stage.AskingEtcd(barriers.take());
            case RequestedState.Any _ -> settled(ready, this::done);
            case RequestedState.NotOlderThan(long revision, String requested) ->
                    reaching(new Barrier(ready.epoch(), revision), requested);
            case RequestedState.Exactly(long revision, String requested) ->
                    reaching(new Barrier(ready.epoch(), revision), requested);
            case RequestedState.Continued(long epoch, long revision) ->
                    continued(new Barrier(epoch, revision));
        };
    }

    private Stage continued(Barrier target) {
        return new Stage.Reaching(
                target.epoch(),
                target.revision(),
                status ->
                        status.ready() && status.epoch() > target.epoch()
                                ? done(status)
                                : reached(
                                        target,
                                        Long.toString(target.revision()),
                                        status,
                                        this::done));
    }

    /** Retries: another connector may be taking over, and the next tide marks carry its address. */
    private Stage answered(CompletableFuture<Barrier> answer) {
        if (!answer.isDone()) {
            throw StatusErrors.consistentReadUnavailable(
                    "no answer within " + limit.toMillis() + " ms");
        }
        if (!answer.isCompletedExceptionally()) {
            Barrier barrier = answer.join();
            return reaching(barrier, Long.toString(barrier.revision()));
        }
        if (leftNanos() < RETRY_PAUSE.toNanos()) {
            throw StatusErrors.consistentReadUnavailable(
                    String.valueOf(answer.exceptionNow().getMessage()));
        }
        return new Stage.Pausing(nanoClock.getAsLong() + RETRY_PAUSE.toNanos());
    }

    private Stage reaching(Barrier target, String requested) {
        return reaching(target.epoch(), target, requested);
    }

    /**
     * Waits for the revision in a history, and in each one that begins meanwhile, perhaps from an
     * older list.
     */
    private Stage reaching(long epoch, Barrier target, String requested) {
        return new Stage.Reaching(
                epoch,
                target.revision(),
                status ->
                        status.ready() && status.epoch() > epoch
                                ? reaching(status.epoch(), target, requested)
                                : reached(
                                        target,
                                        requested,
                                        status,
                                        later -> reaching(later.epoch(), target, requested)));
    }

    private Stage reached(
            Barrier target,
            String requested,
            PartitionSetStatus status,
            Function<PartitionSetStatus, Stage> inLaterHistory) {
        boolean reached = status.reached(target.epoch(), target.revision());
        if (!reached || status.watermark() < target.revision()) {
            throw StatusErrors.resourceVersionTooLarge(requested, status.orThrow().watermark());
        }
        return settled(status, inLaterHistory);
    }

    /**
     * Waits for partitions that have not passed a gap which others have already passed.
     *
     * @param inLaterHistory what follows if another history begins meanwhile, perhaps from an older
     *     list
     */
    private Stage settled(
            PartitionSetStatus status, Function<PartitionSetStatus, Stage> inLaterHistory) {
        return status.hasCommonRevision()
                ? done(status)
                : new Stage.Reaching(
                        status.epoch(),
                        status.settledFrom(),
                        later -> afterGap(status, later.orThrow(), inLaterHistory));
    }

    /** Another partition may have passed a later end of the gap meanwhile. */
    private Stage afterGap(
            PartitionSetStatus before,
            PartitionSetStatus now,
            Function<PartitionSetStatus, Stage> inLaterHistory) {
        if (now.epoch() > before.epoch()) {
            return inLaterHistory.apply(now);
        }
        if (!now.reached(before.epoch(), before.settledFrom())) {
            throw StatusErrors.requestTimedOut();
        }
        return settled(now, inLaterHistory);
    }

    private Stage done(PartitionSetStatus status) {
        long newest = status.watermark();
        long revision =
                switch (state) {
                    case RequestedState.Exactly(long exact, _) -> exact;
                    // A later epoch may not have the revision; its caller refuses the token.
                    case RequestedState.Continued(long epoch, long exact) ->
                            status.epoch() == epoch ? exact : newest;
                    case RequestedState.Latest _,
                            RequestedState.Any _,
                            RequestedState.NotOlderThan _ ->
                            newest;
                };
        return new Stage.Done(
                new ReadPoint(partitions, status.epoch(), revision, status.asOfMillis()));
    }
}
