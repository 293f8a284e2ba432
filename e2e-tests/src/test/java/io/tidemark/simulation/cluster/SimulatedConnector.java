package io.tidemark.simulation.cluster;

import io.tidemark.connector.feed.FeedEffect;
import io.tidemark.connector.feed.FeedEvent;
import io.tidemark.connector.feed.FeedState;
import io.tidemark.connector.feed.FeedStateMachine;
import io.tidemark.connector.feed.GapPolicy;
import io.tidemark.connector.feed.ResumePoint;
import io.tidemark.simulation.world.CoverageEvent;
import io.tidemark.simulation.world.FakeEtcd;
import io.tidemark.simulation.world.Scheduler;
import io.tidemark.simulation.world.Settings;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One connector process: production's state machine; each of its effects runs after a delay on the
 * fake etcd and the fake topic, one after the other.
 */
public final class SimulatedConnector {
    private static final int BACKFILL = 1_000;

    /** etcd need not answer a progress request: production soon repeats it, too. */
    private static final long ASK_AGAIN_MILLIS = 200;

    private final Scheduler scheduler;
    private final SimulatedSource source;
    private final SimulatedSink sink;
    private final String name;
    private final FeedStateMachine machine;
    private final Deque<FeedEvent> inbox = new ArrayDeque<>();
    private final Deque<FeedEffect> effects = new ArrayDeque<>();
    private FeedState state = new FeedState.Idle();
    private final List<Scheduler.Handle> timers = new ArrayList<>();
    private Scheduler.Handle retry = () -> {};
    private boolean retryDue;
    private boolean commitDue;
    private boolean progressAwaited;
    private boolean busy;
    private long ticket;
    private boolean paused;
    private boolean dead;

    public SimulatedConnector(
            Scheduler scheduler,
            FakeEtcd etcd,
            Mutation mutation,
            String name,
            GapPolicy onGap,
            SimulatedSink sink) {
        this.machine = new FeedStateMachine(Settings.PREFIX, BACKFILL, onGap);
        this.scheduler = scheduler;
        this.source = new SimulatedSource(etcd, mutation, this::tell);
        this.name = name;
        this.sink = sink;
        sink.onFailure(this::fail);
    }

    void start() {
        tell(new FeedEvent.FeedStarted());
        timers.add(
                scheduler.every(50, Settings.HEARTBEAT_MILLIS, "progress", this::requestProgress));
        timers.add(
                scheduler.every(
                        ASK_AGAIN_MILLIS,
                        ASK_AGAIN_MILLIS,
                        "progress again",
                        () -> {
                            if (progressAwaited) {
                                requestProgress();
                            }
                        }));
        timers.add(
                scheduler.every(
                        Settings.COMMIT_MILLIS / 2,
                        Settings.COMMIT_MILLIS,
                        "commit due",
                        () -> {
                            commitDue = true;
                            pump();
                        }));
        timers.add(
                scheduler.every(
                        50,
                        200,
                        "sink check",
                        () -> {
                            if (!paused) {
                                sink.check();
                            }
                        }));
    }

    boolean isDead() {
        return dead || state instanceof FeedState.Stopped;
    }

    /** The process dies; a part of what it had sent may arrive. */
    void crash() {
        end();
        sink.crash();
    }

    private void end() {
        dead = true;
        source.stopWatch();
        timers.forEach(Scheduler.Handle::cancel);
    }

    /** Pauses, as on SIGSTOP. */
    void pause(boolean now) {
        paused = now;
        pump();
    }

    /** It no longer leads: it commits what it has written, if that is still possible. */
    void stepDown() {
        if (!dead) {
            end();
            sink.stepDown();
        }
    }

    /**
     * A barrier's answer: the epoch that is being written, and etcd's revision, read after the
     * epoch was looked up. It also makes the next mark come sooner. Empty when unknown.
     */
    Optional<ResumePoint.At> barrier() {
        ResumePoint.At history = dead || paused ? null : state.history();
        if (history == null) {
            return Optional.empty();
        }
        OptionalLong newest = source.currentRevision();
        if (newest.isEmpty()) {
            return Optional.empty();
        }
        if (source.clusterId() != history.clusterId() || newest.getAsLong() < history.revision()) {
            if (state instanceof FeedState.Following) {
                tell(new FeedEvent.EtcdLost("a barrier has met another history"));
            }
            return Optional.empty();
        }
        requestProgress();
        return Optional.of(
                new ResumePoint.At(history.epoch(), newest.getAsLong(), history.clusterId()));
    }

    /** Requests a relist from a connector that still writes this epoch. */
    void relist() {
        if (state instanceof FeedState.Following(_, ResumePoint.At marked)) {
            scheduler.count(CoverageEvent.RELISTS);
            tell(new FeedEvent.RelistRequested(marked.epoch(), "a node cannot read the topic"));
        }
    }

    /** Whether it follows etcd, and is past a revision. */
    boolean isFollowingBeyond(long revision) {
        return !dead
                && !paused
                && state instanceof FeedState.Following(_, ResumePoint.At marked)
                && marked.revision() > revision;
    }

    private void requestProgress() {
        if (!dead && !paused) {
            progressAwaited = true;
            source.requestProgress();
        }
    }

    private void tell(FeedEvent event) {
        if (!dead) {
            progressAwaited &= !(event instanceof FeedEvent.Progressed);
            inbox.addLast(event);
            pump();
        }
    }

    /** Continues with the next effect, or else with the next event. */
    private void pump() {
        while (!busy && !paused && !dead) {
            FeedEffect effect = effects.pollFirst();
            if (effect != null) {
                busy = true;
                long mine = ++ticket;
                boolean page = effect instanceof FeedEffect.ListPage;
                long delay = page ? scheduler.between(1, 60) : delay();
                var unused = scheduler.after(delay, name, () -> apply(effect, mine));
                return;
            }
            FeedEvent event = nextEvent();
            if (event == null) {
                return;
            }
            FeedStateMachine.Step step = machine.on(state, event);
            if (!step.state().getClass().equals(state.getClass())) {
                FeedState to = step.state();
                scheduler.note(() -> name + ": " + to);
                if (to instanceof FeedState.Gap) {
                    scheduler.count(CoverageEvent.GAPS);
                }
            }
            state = step.state();
            effects.addAll(step.effects());
        }
    }

    /** The next received event, or else the one that is due in this state. */
    private @Nullable FeedEvent nextEvent() {
        FeedEvent came = inbox.pollFirst();
        if (came != null) {
            return came;
        }
        if (retryDue && state instanceof FeedState.Waiting) {
            retryDue = false;
            return new FeedEvent.RetryDue();
        }
        if (commitDue && state instanceof FeedState.Following) {
            commitDue = false;
            return new FeedEvent.CommitDue();
        }
        return null;
    }

    private long delay() {
        return scheduler.oneIn(50) ? scheduler.between(5, 300) : scheduler.between(0, 2);
    }

    private void apply(FeedEffect effect, long mine) {
        if (dead || mine != ticket) {
            return;
        }
        if (paused) {
            // The process was paused before this step; it continues here.
            effects.addFirst(effect);
            busy = false;
            return;
        }
        switch (effect) {
            case FeedEffect.CheckEtcd _, FeedEffect.FindOldestRevision _, FeedEffect.ListPage _ ->
                    done(mine, source.ask(effect));
            case FeedEffect.OpenTopic _ ->
                    sink.open(resume -> done(mine, new FeedEvent.TopicOpened(resume)));
            case FeedEffect.CheckHistory(_, ResumePoint.At marked) ->
                    done(mine, source.checkHistory(marked, sink.builder(), sink.fingerprint()));
            case FeedEffect.LoadTopicKeyVersions(ResumePoint.At marked) ->
                    readKeys(mine, () -> sink.readHeldKeys(marked));
            case FeedEffect.LoadTopicKeys _ -> readKeys(mine, sink::readLiveKeys);
            case FeedEffect.StartWatch(long from) -> {
                source.startWatch(from);
                sink.watchStarts();
                done(mine, null);
            }
            case FeedEffect.StopWatch _ -> {
                source.stopWatch();
                sink.watchEnds();
                inbox.removeIf(SimulatedConnector::isFromWatch);
                done(mine, null);
            }
            case FeedEffect.RetryLater _ -> {
                retry.cancel();
                retryDue = false;
                retry =
                        scheduler.after(
                                scheduler.between(20, 500),
                                "retry",
                                () -> {
                                    retryDue = true;
                                    pump();
                                });
                done(mine, null);
            }
            case FeedEffect.Stop(String why) -> {
                scheduler.note(() -> name + " stops: " + why);
                end();
            }
            case FeedEffect.WriteListed _,
                    FeedEffect.DeleteStaleKeys _,
                    FeedEffect.WriteGapPuts _,
                    FeedEffect.WriteGapDeletes _,
                    FeedEffect.WriteChanges _,
                    FeedEffect.WriteMark _,
                    FeedEffect.Commit _,
                    FeedEffect.BeginTransaction _,
                    FeedEffect.Abort _,
                    FeedEffect.CloseTopic _ ->
                    sink.apply(effect, source.history(), () -> done(mine, null));
        }
    }

    private void readKeys(long mine, Supplier<FeedEvent> reading) {
        sink.whenMarkersWritten(() -> {
            if (mine == ticket && !dead) {
                done(mine, reading.get());
            }
        });
    }

    private void done(long mine, @Nullable FeedEvent answer) {
        if (mine != ticket || !busy || dead) {
            return;
        }
        busy = false;
        if (answer != null && answer.isFailure()) {
            fail(answer);
            return;
        }
        if (answer != null) {
            inbox.addFirst(answer);
        }
        pump();
    }

    /** An effect failed: that is the next event, and the effects after it are dropped. */
    private void fail(FeedEvent failure) {
        if (!dead) {
            ticket++;
            busy = false;
            effects.clear();
            inbox.addFirst(failure);
            pump();
        }
    }

    private static boolean isFromWatch(FeedEvent event) {
        return event instanceof FeedEvent.Changed
                || event instanceof FeedEvent.Progressed
                || event instanceof FeedEvent.WatchOpened
                || event instanceof FeedEvent.WatchCompacted;
    }
}
