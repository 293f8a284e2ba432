package io.tidemark.simulation.connector;

import io.tidemark.concurrent.Backoff;
import io.tidemark.concurrent.TimeSource;
import io.tidemark.connector.FeedLoop;
import io.tidemark.connector.FeedSupervisor;
import io.tidemark.connector.FeedTerm;
import io.tidemark.connector.lead.Election;
import io.tidemark.connector.lead.ElectionRuntime;
import io.tidemark.connector.lead.ElectionTiming;
import io.tidemark.connector.lead.EtcdReachability;
import io.tidemark.connector.lead.StepDownPolicy;
import io.tidemark.simulation.etcd.FakeEtcd;
import io.tidemark.simulation.world.Coroutine;
import io.tidemark.simulation.world.CoverageEvent;
import io.tidemark.simulation.world.Scheduler;
import io.tidemark.simulation.world.SimulatedProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One connector process: production's {@link Election} as a coroutine, and production's {@link
 * FeedSupervisor}, whose feeds run while it leads.
 */
public final class ElectedProcess implements ElectionRuntime {
    /** As the history window, shorter than in production. */
    private static final ElectionTiming TIMING =
            new ElectionTiming(
                    Duration.ofMillis(200),
                    Duration.ofSeconds(1),
                    new StepDownPolicy(Duration.ofMillis(700), Duration.ofMillis(1_200)),
                    new Backoff(Duration.ofMillis(100), Duration.ofMillis(500)));

    private static final long PROBE_MILLIS = 200;
    private static final long RESTART_MILLIS = 500;

    /** As the history window, shorter than in production. */
    private static final Duration RELIST_INTERVAL = Duration.ofSeconds(1);

    private final Scheduler scheduler;
    private final TimeSource time;
    private final FakeEtcd etcd;
    private final SimulatedGroup group;
    private final String name;
    private final Function<String, SimulatedConnector> feeds;
    private final List<SimulatedConnector> running = new ArrayList<>();
    private EtcdReachability reachability = new EtcdReachability();
    private @Nullable Coroutine election;
    private @Nullable FeedSupervisor supervisor;
    private @Nullable SimulatedConnector newest;
    private int terms;
    private boolean up;
    private boolean paused;

    /**
     * @param feeds makes a feed of a name
     */
    public ElectedProcess(
            Scheduler scheduler,
            FakeEtcd etcd,
            SimulatedGroup group,
            String name,
            Function<String, SimulatedConnector> feeds) {
        this.scheduler = scheduler;
        this.time = new VirtualTime(scheduler);
        this.etcd = etcd;
        this.group = group;
        this.name = name;
        this.feeds = feeds;
        scheduler.every(PROBE_MILLIS, PROBE_MILLIS, "probe etcd", this::probeEtcd);
    }

    /** Starts, unless it runs. */
    public void start() {
        if (up) {
            return;
        }
        up = true;
        reachability = new EtcdReachability();
        FeedSupervisor made = new FeedSupervisor(this::term, time, RELIST_INTERVAL);
        supervisor = made;
        Election elected = new Election(name, group.of(this), made, this, TIMING);
        Coroutine begun = new Coroutine(scheduler, name, () -> run(elected));
        election = begun;
        begun.start();
    }

    /** Of a machine whose clock is right. */
    private record VirtualTime(Scheduler scheduler) implements TimeSource {
        @Override
        public long nanoTime() {
            return scheduler.nowNanos();
        }

        @Override
        public long currentTimeMillis() {
            return scheduler.nowMillis();
        }
    }

    private void run(Election made) {
        try {
            made.run();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        scheduler.note(() -> name + ": ends");
        // The feed has failed: the process ends, and is restarted.
        crash(RESTART_MILLIS);
    }

    private void probeEtcd() {
        if (up && !paused) {
            reachability.asked(scheduler.nowNanos());
            if (etcd.isReachable()) {
                reachability.answered();
            }
        }
    }

    private FeedTerm term() {
        scheduler.count(CoverageEvent.LEADERS_ELECTED);
        SimulatedConnector feed = feeds.apply(name + "." + terms++);
        running.removeIf(SimulatedConnector::isDead);
        running.add(feed);
        newest = feed;
        return new FeedTerm() {
            @Override
            public FeedLoop loop() {
                return feed.loop();
            }

            @Override
            public void start() {
                feed.start();
            }

            @Override
            public boolean awaitEnd(Duration timeout) {
                long until = scheduler.nowMillis() + SimulatedProcess.millis(timeout);
                while (!feed.isDead() && scheduler.nowMillis() < until) {
                    sleep(scheduler.between(1, 20));
                }
                return feed.isDead();
            }

            @Override
            public void interrupt() {
                feed.crash();
            }
        };
    }

    /** Dies. */
    public void crash(long downMillis) {
        if (!up) {
            return;
        }
        up = false;
        paused = false;
        Coroutine ending = election;
        if (ending != null) {
            ending.kill();
        }
        running.stream().filter(each -> !each.isDead()).forEach(SimulatedConnector::crash);
        running.clear();
        newest = null;
        var unused = scheduler.after(downMillis, "restart", this::start);
    }

    /** A node asks for a relist of an epoch, as it lacks records of it. */
    void relist(long epoch) {
        FeedSupervisor asked = supervisor;
        if (up && !paused && asked != null) {
            OptionalLong written = asked.relist(epoch, "a node cannot read the topic");
            if (written.isPresent() && written.getAsLong() == epoch) {
                scheduler.count(CoverageEvent.RELISTS_FOR_REPLICAS);
            }
        }
    }

    /** Pauses, as on SIGSTOP, or resumes. */
    public void pause(boolean now) {
        Coroutine pausing = election;
        if (up && pausing != null && paused != now) {
            paused = now;
            pausing.pause(now);
            running.forEach(each -> each.pause(now));
        }
    }

    public boolean isPaused() {
        return paused;
    }

    /** Whether it runs; a restarted process is another member of the group. */
    public boolean isResponsive(Coroutine of) {
        return up && !paused && election == of;
    }

    public Coroutine election() {
        Coroutine now = election;
        if (now == null) {
            throw new IllegalStateException(name + " has not started");
        }
        return now;
    }

    /** The feed that it started last; null if there is none that runs. */
    @Nullable SimulatedConnector feed() {
        SimulatedConnector feed = newest;
        return feed == null || feed.isDead() ? null : feed;
    }

    public void sleep(long millis) {
        election().sleep(millis);
    }

    @Override
    public String toString() {
        return name;
    }

    @Override
    public long nanoTime() {
        return scheduler.nowNanos();
    }

    @Override
    public void pause(Duration duration) {
        sleep(SimulatedProcess.millis(duration));
    }

    @Override
    public boolean isClosing() {
        return false;
    }

    @Override
    public double random() {
        return scheduler.random().nextDouble();
    }

    @Override
    public Duration etcdUnreachableFor() {
        return reachability.unreachableFor(scheduler.nowNanos());
    }
}
