package io.tidemark.simulation;

import io.tidemark.connector.feed.FeedEffect;
import io.tidemark.connector.feed.FeedEvent;
import io.tidemark.connector.feed.FeedState;
import io.tidemark.connector.feed.FeedStateMachine;
import io.tidemark.simulation.world.FakeEtcd;
import io.tidemark.simulation.world.FakeTopic;
import io.tidemark.simulation.world.Scheduler;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * One connector process: production's state machine, its effects carried out one after the other on
 * the fake etcd and the fake topic, each after a delay.
 */
final class SimulatedConnector {
    private static final int BACKFILL = 1_000;

    private final Scheduler scheduler;
    private final FakeTopic topic;
    private final SimulatedSource source;
    private final SimulatedSink sink;
    private final String name;
    private final FeedStateMachine machine = new FeedStateMachine(Settings.PREFIX, BACKFILL);
    private final Deque<FeedEvent> inbox = new ArrayDeque<>();
    private final Deque<FeedEffect> effects = new ArrayDeque<>();
    private FeedState state = new FeedState.Idle();
    private final List<Scheduler.Handle> timers = new ArrayList<>();
    private Scheduler.Handle retry = () -> {};
    private boolean retryDue;
    private boolean commitDue;
    private boolean busy;
    private long ticket;
    private boolean paused;
    private boolean dead;

    SimulatedConnector(
            Scheduler scheduler, FakeEtcd etcd, FakeTopic topic, String name, SimulatedSink sink) {
        this.scheduler = scheduler;
        this.source = new SimulatedSource(etcd, this::tell);
        this.topic = topic;
        this.name = name;
        this.sink = sink;
        sink.onFailure(this::fail);
    }

    void start() {
        tell(new FeedEvent.Begun());
        timers.add(
                scheduler.every(50, Settings.HEARTBEAT_MILLIS, "progress", this::requestProgress));
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
                        100,
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

    /** The process dies; what it had sent may arrive in part. */
    void crash() {
        end();
        sink.crash();
    }

    private void end() {
        dead = true;
        source.stopWatch();
        timers.forEach(Scheduler.Handle::cancel);
    }

    /** Stands still, as on SIGSTOP. */
    void pause(boolean now) {
        paused = now;
        pump();
    }

    /** The epoch it writes, for a barrier; 0 while it does not follow. */
    long epoch() {
        return !dead && !paused && state instanceof FeedState.Following following
                ? following.marked().epoch()
                : 0;
    }

    /** A linearizable read of etcd's revision, which also hurries the marks; empty on a failure. */
    OptionalLong barrier() {
        OptionalLong revision = source.currentRevision();
        requestProgress();
        return revision;
    }

    private void requestProgress() {
        if (!dead && !paused) {
            source.requestProgress();
        }
    }

    private void tell(FeedEvent event) {
        if (!dead) {
            inbox.addLast(event);
            pump();
        }
    }

    /** Goes on with the next effect, or else with the next event. */
    private void pump() {
        while (!busy && !paused && !dead) {
            FeedEffect effect = effects.pollFirst();
            if (effect != null) {
                busy = true;
                long mine = ++ticket;
                var unused = scheduler.after(delay(), name, () -> carryOut(effect, mine));
                return;
            }
            FeedEvent event = nextEvent();
            if (event == null) {
                return;
            }
            FeedStateMachine.Step step = machine.on(state, event);
            if (!step.state().getClass().equals(state.getClass())) {
                scheduler.note(name + ": " + step.state());
            }
            state = step.state();
            effects.addAll(step.effects());
        }
    }

    /** What has come; or else what is due in this state. */
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

    private void carryOut(FeedEffect effect, long mine) {
        if (dead || mine != ticket) {
            return;
        }
        if (paused) {
            // It was stopped before it came to this; it goes on from here.
            effects.addFirst(effect);
            busy = false;
            return;
        }
        switch (effect) {
            case FeedEffect.CheckEtcd _, FeedEffect.FindOldest _, FeedEffect.ListPage _ ->
                    done(mine, source.ask(effect));
            case FeedEffect.OpenTopic _ ->
                    sink.open(() ->
                            done(mine, new FeedEvent.TopicOpened(TopicMemory.resumePoint(topic))));
            case FeedEffect.ReadLiveKeys _ ->
                    done(mine, new FeedEvent.LiveKeysRead(sink.readLiveKeys()));
            case FeedEffect.StartWatch(long from) -> {
                source.startWatch(from);
                done(mine, null);
            }
            case FeedEffect.StopWatch _ -> {
                source.stopWatch();
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
                scheduler.note(name + " stops: " + why);
                end();
            }
            case FeedEffect.WriteListed _,
                    FeedEffect.BuryGhosts _,
                    FeedEffect.WriteChanges _,
                    FeedEffect.WriteMark _,
                    FeedEffect.Commit _,
                    FeedEffect.Abort _,
                    FeedEffect.CloseTopic _ ->
                    sink.carryOut(effect, () -> done(mine, null));
        }
    }

    private void done(long mine, @Nullable FeedEvent answer) {
        if (mine != ticket || !busy || dead) {
            return;
        }
        busy = false;
        if (answer instanceof FeedEvent.EtcdLost) {
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
