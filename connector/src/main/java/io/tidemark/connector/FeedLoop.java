package io.tidemark.connector;

import io.tidemark.connector.feed.FeedEvent;
import io.tidemark.connector.feed.FeedSchedule;
import io.tidemark.connector.feed.FeedState;
import io.tidemark.connector.feed.FeedStateMachine;
import io.tidemark.connector.feed.ResumePoint;
import io.tidemark.connector.http.Barriers;
import io.tidemark.connector.metrics.ConnectorMetrics;
import io.tidemark.connector.source.EtcdException;
import io.tidemark.connector.source.EtcdSource;
import io.tidemark.connector.source.EtcdView;
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
 * Drives the state machine: takes what happens next, asks it what to do, has that done. Everything
 * that changes is this thread's; others read {@link #state} and nudge it through a few atomics.
 */
final class FeedLoop implements Runnable, Barriers.Feed {
    private static final Logger LOG = LoggerFactory.getLogger(FeedLoop.class);

    private final FeedStateMachine machine;
    private final EtcdSource source;
    private final FeedEffects effects;
    private final FeedLog log;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Deque<FeedEvent> pending = new ArrayDeque<>();

    private final PendingFeedRequests requests = new PendingFeedRequests();

    private final IdleWatchVerifier idleVerifier = new IdleWatchVerifier();
    private final WatchBatcher intake = new WatchBatcher();

    /** Of the watch that is read. */
    private CatchUpDetector backlog = new CatchUpDetector(System.nanoTime());

    private volatile FeedState state = new FeedState.Idle();

    FeedLoop(
            FeedStateMachine machine,
            EtcdSource source,
            FeedEffects.Factory effects,
            ConnectorMetrics metrics) {
        this.machine = machine;
        this.source = source;
        this.log = new FeedLog(metrics);
        this.effects = effects.create(this::pause);
    }

    FeedState state() {
        return state;
    }

    FeedLog log() {
        return log;
    }

    /** Sees to it that a mark at or above {@code revision} is written soon. For any thread. */
    @Override
    public void await(long revision) {
        requests.await(revision);
        EtcdSource.Watch watch = effects.watch();
        if (watch != null) {
            watch.requestProgress();
        }
    }

    /** Has etcd looked at again, because something does not fit. For any thread. */
    @Override
    public void requestEtcdCheck(String why) {
        requests.requestEtcdCheck(why);
    }

    /** Has everything of an epoch told again, in a new one. For any thread. */
    void relist(long epoch, String why) {
        requests.relist(epoch, why);
    }

    /** Ends the loop after what it is doing; what was written is committed. */
    void stop() {
        closing.countDown();
    }

    /** Waits for the end; false when it did not come in time. */
    boolean awaitEnd(Duration timeout) throws InterruptedException {
        return ended.await(timeout.toNanos(), TimeUnit.NANOSECONDS);
    }

    void awaitEnd() throws InterruptedException {
        ended.await();
    }

    boolean hasEnded() {
        return ended.getCount() == 0;
    }

    /** Whether it pauses after a fault, or waits for etcd after one: all is committed. */
    boolean hasNothingToCommit() {
        return state instanceof FeedState.Waiting || state instanceof FeedState.Checking;
    }

    private void pause(Duration duration) throws InterruptedException {
        boolean _ = closing.await(duration.toNanos(), TimeUnit.NANOSECONDS);
    }

    private boolean running() {
        return closing.getCount() > 0 && !(state instanceof FeedState.Stopped);
    }

    @Override
    public void run() {
        try (effects) {
            pending.add(new FeedEvent.FeedStarted());
            while (running()) {
                FeedEvent event = next();
                if (event != null) {
                    long began = System.nanoTime();
                    handle(event);
                    effects.pace().excludeTime(System.nanoTime() - began);
                }
            }
            if (state instanceof FeedState.Following) {
                handle(new FeedEvent.Closing());
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            LOG.error("the connector stops: a bug", e);
            state = new FeedState.Stopped("a bug: " + e, FeedState.End.INVALID_TOPIC);
            throw e;
        } finally {
            ended.countDown();
        }
    }

    private void handle(FeedEvent event) throws InterruptedException {
        FeedStateMachine.Step step = machine.on(state, event);
        log.moved(state, step.state());
        state = step.state();
        boolean watching =
                state instanceof FeedState.Following || state instanceof FeedState.Verifying;
        if (!watching) {
            intake.reset();
            backlog = new CatchUpDetector(System.nanoTime());
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

    /** The next event; null when there was none for a little while. */
    private @Nullable FeedEvent next() throws InterruptedException {
        FeedEvent answer = pending.poll();
        if (answer != null) {
            return answer;
        }
        return switch (state) {
            case FeedState.Waiting _ -> {
                pause(Duration.ofNanos(Math.max(1, effects.retryAt() - System.nanoTime())));
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
                    FeedState.LoadingTopicKeys _,
                    FeedState.ReconcilingGap _,
                    FeedState.Stopped _ ->
                    throw new IllegalStateException("nothing comes in state " + state);
        };
    }

    private @Nullable FeedEvent following(FeedState.Following following)
            throws InterruptedException {
        EtcdSource.Watch watch = effects.watch();
        if (watch == null) {
            throw new IllegalStateException("following without a watch");
        }
        FeedSchedule pace = effects.pace();
        long now = System.nanoTime();
        if (pace.commitDue(now)) {
            return new FeedEvent.CommitDue();
        }
        FeedEvent wanted = requests.take();
        if (wanted != null) {
            return wanted;
        }
        FeedEvent isProgressOverdue = checkProgress(following, watch, pace, now);
        if (isProgressOverdue != null) {
            return isProgressOverdue;
        }
        long marked = following.marked().revision();
        backlog.beforePoll(now);
        @Nullable FeedEvent event = intake.next(watch, pace, marked);
        backlog.afterPoll(System.nanoTime(), marked);
        boolean tells = following.etcd().progress() == EtcdView.ProgressSupport.ON_REQUEST;
        boolean upToDate = !backlog.isBehind() && (intake.isCaughtUp() || !tells);
        effects.setStateAsOf(upToDate ? intake.drainedMillis() : FeedEffects.UNKNOWN_TIME);
        probeIfBehind();
        return event;
    }

    private void probeIfBehind() {
        CatchUpDetector of = backlog;
        long now = System.nanoTime();
        if (of.shouldProbe(now)) {
            askNewest(newest -> of.answered(newest.revision(), now), of::failed);
        }
    }

    /** Asks etcd for its newest revision, beside all else. */
    private void askNewest(Consumer<EtcdSource.Newest> answered, Runnable inVain) {
        Thread _ =
                Thread.ofVirtual()
                        .name("tidemark-newest")
                        .start(() -> {
                            try {
                                answered.accept(source.newest());
                            } catch (EtcdException | RuntimeException e) {
                                LOG.debug("etcd did not say where it is", e);
                                inVain.run();
                            }
                        });
    }

    /**
     * Asks for progress where that can be asked for. A watch that stays silent all the same is
     * given up, unless etcd itself stands still: a watch has nothing to send then, and some
     * versions of etcd do not even answer a request for progress.
     */
    private @Nullable FeedEvent checkProgress(
            FeedState.Following following, EtcdSource.Watch watch, FeedSchedule pace, long now) {
        ResumePoint.At marked = following.marked();
        boolean asks = following.etcd().progress() == EtcdView.ProgressSupport.ON_REQUEST;
        if (asks) {
            if (pace.isWatchDead(now)) {
                return new FeedEvent.EtcdLost("the watch has been silent for too long");
            }
            boolean behind = backlog.isBehind() || !intake.isCaughtUp();
            boolean wanted = behind || requests.hasWaiterAbove(marked.revision());
            if (pace.progressDue(now, wanted)) {
                pace.asked(now);
                watch.requestProgress();
            }
        }
        return pace.isProgressOverdue(now, asks) ? idleProgress(marked, pace, now) : null;
    }

    /** Progress, if etcd's newest revision shows that nothing is missing; else it is asked for. */
    private @Nullable FeedEvent idleProgress(ResumePoint.At marked, FeedSchedule pace, long now) {
        OptionalLong asOf = idleVerifier.verifiedAsOf(marked);
        if (asOf.isPresent()) {
            effects.setStateAsOf(asOf.getAsLong());
            pace.watchResponded(now);
            return new FeedEvent.Progressed(marked.revision());
        }
        if (pace.idleCheckDue(now) && idleVerifier.begin()) {
            pace.idleChecked(now);
            long askedMillis = System.currentTimeMillis();
            askNewest(newest -> idleVerifier.answered(newest, askedMillis), idleVerifier::failed);
        }
        return null;
    }

    /** What is known of the history being written; null when it is not. */
    @Override
    public ResumePoint.@Nullable At history() {
        return state.history();
    }
}
