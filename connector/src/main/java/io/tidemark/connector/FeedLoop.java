package io.tidemark.connector;

import io.tidemark.concurrent.TimeSource;
import io.tidemark.connector.feed.FeedEvent;
import io.tidemark.connector.feed.FeedSchedule;
import io.tidemark.connector.feed.FeedState;
import io.tidemark.connector.feed.FeedStateMachine;
import io.tidemark.connector.feed.ResumePoint;
import io.tidemark.connector.http.Barriers;
import io.tidemark.connector.metrics.ConnectorMetrics;
import io.tidemark.connector.source.EtcdSource;
import io.tidemark.etcd.EtcdWatch;
import io.tidemark.etcd.ProgressSupport;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drives the feed's state machine: takes the next event, asks the machine for the step, and carries
 * out its effects. One thread owns all mutable state; others read {@link #state} and post requests
 * through a few atomics.
 */
public final class FeedLoop implements Runnable, Barriers.Feed {
    private static final Logger LOG = LoggerFactory.getLogger(FeedLoop.class);

    private final FeedStateMachine machine;
    private final EtcdSource source;
    private final FeedEffects effects;
    private final FeedLog log;
    private final FeedRuntime runtime;
    private final TimeSource time;
    private volatile boolean closing;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Deque<FeedEvent> pending = new ArrayDeque<>();

    private final PendingFeedRequests requests;

    private final IdleWatchVerifier idleVerifier = new IdleWatchVerifier();
    private final WatchBatcher intake;

    /** Of the watch being read. */
    private CatchUpDetector backlog;

    private volatile FeedState state = new FeedState.Idle();

    public FeedLoop(
            FeedStateMachine machine,
            EtcdSource source,
            FeedEffects effects,
            ConnectorMetrics metrics) {
        this.machine = machine;
        this.source = source;
        this.effects = effects;
        this.runtime = effects.runtime();
        this.time = runtime.time();
        this.log = new FeedLog(metrics, time);
        this.requests = new PendingFeedRequests(time);
        this.intake = new WatchBatcher(time);
        this.backlog = new CatchUpDetector(time.nanoTime());
    }

    public FeedState state() {
        return state;
    }

    FeedLog log() {
        return log;
    }

    /** Requests a mark at or above {@code revision} soon. Thread-safe. */
    @Override
    public void await(long revision) {
        requests.await(revision);
        EtcdWatch watch = effects.watch();
        if (watch != null) {
            boolean _ = watch.requestProgress();
        }
    }

    /**
     * Requests another check of etcd, because an observation contradicts the mirror. Thread-safe.
     */
    @Override
    public void requestEtcdCheck(String why) {
        requests.requestEtcdCheck(why);
    }

    /** Requests a relist of an epoch, in a new one. Thread-safe. */
    public void relist(long epoch, String why) {
        requests.relist(epoch, why);
    }

    /** Ends the loop after the running effect; what was written is committed. */
    public void stop() {
        closing = true;
        runtime.endPauses();
    }

    /** Waits for the end; false on timeout. */
    boolean awaitEnd(Duration timeout) throws InterruptedException {
        return ended.await(timeout.toNanos(), TimeUnit.NANOSECONDS);
    }

    public boolean hasEnded() {
        return ended.getCount() == 0;
    }

    /** Whether the loop pauses or checks etcd after a fault: everything written is committed. */
    boolean hasNothingToCommit() {
        return state instanceof FeedState.Waiting || state instanceof FeedState.Checking;
    }

    private boolean running() {
        return !closing && !(state instanceof FeedState.Stopped);
    }

    @Override
    public void run() {
        try (effects) {
            pending.add(new FeedEvent.FeedStarted());
            while (running()) {
                FeedEvent event = next();
                if (event != null) {
                    long began = time.nanoTime();
                    handle(event);
                    effects.pace().excludeTime(time.nanoTime() - began);
                }
            }
            if (state instanceof FeedState.Following) {
                handle(new FeedEvent.Closing());
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            LOG.error("the feed stops: unexpected exception, a bug", e);
            FeedState stopped = unexpected(e);
            log.moved(state, stopped);
            state = stopped;
            throw e;
        } finally {
            ended.countDown();
        }
    }

    /**
     * Any client of the connector reads the reason, and the message of an exception may be secret.
     */
    private static FeedState unexpected(Throwable e) {
        return new FeedState.Stopped(
                "a bug: unexpected %s; the connector's log has the details"
                        .formatted(e.getClass().getSimpleName()),
                FeedState.End.INVALID_TOPIC);
    }

    private void handle(FeedEvent event) throws InterruptedException {
        FeedStateMachine.Step step = machine.on(state, event);
        log.moved(state, step.state());
        state = step.state();
        boolean watching =
                state instanceof FeedState.Following || state instanceof FeedState.Verifying;
        if (!watching) {
            intake.reset();
            backlog = new CatchUpDetector(time.nanoTime());
        }
        for (var effect : step.effects()) {
            FeedEvent answer = effects.run(effect);
            if (answer != null) {
                pending.add(answer);
                if (answer.isFailure()) {
                    return;
                }
            }
        }
    }

    /** The next event; null when none arrived in the poll interval. */
    private @Nullable FeedEvent next() throws InterruptedException {
        FeedEvent answer = pending.poll();
        if (answer != null) {
            return answer;
        }
        return switch (state) {
            case FeedState.Waiting _ -> {
                runtime.pause(Duration.ofNanos(Math.max(1, effects.retryAt() - time.nanoTime())));
                yield running() ? new FeedEvent.RetryDue() : null;
            }
            case FeedState.Following following -> following(following);
            case FeedState.Idle _,
                    FeedState.Checking _,
                    FeedState.OpeningTopic _,
                    FeedState.FindingBackfillRevision _,
                    FeedState.NewEpoch _,
                    FeedState.Listing _,
                    FeedState.Verifying _,
                    FeedState.Gap _,
                    FeedState.ReconcilingGap _,
                    FeedState.Stopped _ ->
                    throw new IllegalStateException("no event is expected in state " + state);
        };
    }

    private @Nullable FeedEvent following(FeedState.Following following)
            throws InterruptedException {
        EtcdWatch watch = effects.watch();
        if (watch == null) {
            throw new IllegalStateException("following without a watch");
        }
        FeedSchedule pace = effects.pace();
        long now = time.nanoTime();
        if (pace.commitDue(now)) {
            return new FeedEvent.CommitDue();
        }
        FeedEvent requested = requests.take();
        if (requested != null) {
            return requested;
        }
        FeedEvent isProgressOverdue = checkProgress(following, watch, pace, now);
        if (isProgressOverdue != null) {
            return isProgressOverdue;
        }
        long marked = following.marked().revision();
        backlog.beforePoll(now);
        @Nullable FeedEvent event = intake.next(watch, pace, marked);
        backlog.afterPoll(time.nanoTime(), marked);
        boolean onRequest = following.etcd().progress() == ProgressSupport.MANUAL;
        boolean upToDate = !backlog.isBehind() && (intake.isCaughtUp() || !onRequest);
        long readMillis = upToDate ? intake.drainedMillis() : FeedEffects.UNKNOWN_TIME;
        OptionalLong delivered = watch.deliveredAsOfMillis();
        effects.setStateAsOf(
                delivered.isPresent()
                        ? Math.max(FeedEffects.UNKNOWN_TIME, delivered.getAsLong())
                        : readMillis);
        probeIfBehind();
        return event;
    }

    private void probeIfBehind() {
        CatchUpDetector of = backlog;
        long now = time.nanoTime();
        if (of.shouldProbe(now)) {
            askNewest(newest -> of.answered(newest.revision(), now), of::failed);
        }
    }

    /** Asks etcd for its newest revision, on a separate thread. */
    private void askNewest(Consumer<EtcdSource.Newest> answered, Runnable onFailure) {
        runtime.execute(() -> {
            try {
                answered.accept(source.newest());
            } catch (RuntimeException e) {
                LOG.debug("etcd did not return its newest revision", e);
                onFailure.run();
            }
        });
    }

    /**
     * Requests progress where etcd supports that. A watch that stays silent regardless is given up,
     * unless etcd itself is idle: a watch has nothing to send then, and some versions of etcd do
     * not even answer a request for progress.
     */
    private @Nullable FeedEvent checkProgress(
            FeedState.Following following, EtcdWatch watch, FeedSchedule pace, long now) {
        ResumePoint.At marked = following.marked();
        boolean onRequest = following.etcd().progress() == ProgressSupport.MANUAL;
        if (onRequest) {
            if (pace.isWatchDead(now)) {
                return new FeedEvent.EtcdLost("the watch has been silent for too long");
            }
            boolean behind = backlog.isBehind() || !intake.isCaughtUp();
            boolean awaited = behind || requests.hasWaiterAbove(marked.revision());
            if (pace.progressDue(now, awaited)) {
                pace.asked(now);
                boolean _ = watch.requestProgress();
            }
        }
        return pace.isProgressOverdue(now, onRequest) ? idleProgress(marked, pace, now) : null;
    }

    /**
     * Reports progress when etcd's newest revision proves that nothing is missing; requests that
     * revision otherwise.
     */
    private @Nullable FeedEvent idleProgress(ResumePoint.At marked, FeedSchedule pace, long now) {
        OptionalLong asOf = idleVerifier.verifiedAsOf(marked);
        if (asOf.isPresent()) {
            effects.setStateAsOf(asOf.getAsLong());
            pace.watchResponded(now);
            return new FeedEvent.Progressed(marked.revision());
        }
        if (pace.idleCheckDue(now) && idleVerifier.begin()) {
            pace.idleChecked(now);
            long askedMillis = time.currentTimeMillis();
            askNewest(newest -> idleVerifier.answered(newest, askedMillis), idleVerifier::failed);
        }
        return null;
    }

    /** The history being written; null when there is none. */
    @Override
    public ResumePoint.@Nullable At history() {
        return state.history();
    }
}
