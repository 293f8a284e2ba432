package io.tidemark.simulation.cluster;

import io.tidemark.connector.feed.ResumePoint;
import io.tidemark.simulation.world.CoverageEvent;
import io.tidemark.simulation.world.Scheduler;
import io.tidemark.simulation.world.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The connector processes, and the group that elects the leader. The group may be wrong about which
 * are alive: a paused one that continues writes until it is fenced or notified.
 */
public final class SimulatedConnectorGroup {
    private static final int NONE = -1;

    /** How long the group takes to detect the loss of its leader. */
    private static final long SESSION_MILLIS = 1_000;

    /** How long a fenced connector stays out of the election. */
    private static final long AFTER_FENCE_MILLIS = 1_000;

    private final Scheduler scheduler;
    private final Function<String, SimulatedConnector> feeds;
    private final List<Process> processes = new ArrayList<>();
    private int leader = NONE;
    private int terms;

    /**
     * @param feeds makes a feed of a name; it starts when its process leads
     */
    public SimulatedConnectorGroup(
            Scheduler scheduler, Settings settings, Function<String, SimulatedConnector> feeds) {
        this.scheduler = scheduler;
        this.feeds = feeds;
        for (int i = 0; i < settings.connectors(); i++) {
            processes.add(new Process());
        }
    }

    /** One process; its feeds run one after the other. */
    private static final class Process {
        private @Nullable SimulatedConnector feed;
        private long eligibleFromMillis;
        private long lastHeardMillis;
        private boolean up = true;
        private boolean paused;
    }

    void begin() {
        scheduler.every(50, 250, "group", this::supervise);
    }

    private void supervise() {
        long now = scheduler.nowMillis();
        for (int i = 0; i < processes.size(); i++) {
            Process each = processes.get(i);
            if (!each.up && now >= each.eligibleFromMillis) {
                each.up = true;
                each.paused = false;
            }
            // A restarted process is another member: the group still has to detect the loss of the
            // former leader.
            boolean isOther = i == leader && each.feed == null;
            if (each.up && !each.paused && !isOther) {
                each.lastHeardMillis = now;
                releaseIfEnded(i, each);
            }
        }
        if (leader != NONE && now - processes.get(leader).lastHeardMillis > SESSION_MILLIS) {
            scheduler.count(CoverageEvent.LEADERS_LOST);
            leader = NONE;
        }
        if (leader == NONE) {
            elect(NONE);
        }
    }

    /**
     * A feed that was fenced, or failed, ends the leadership, and its process rejoins the election
     * later.
     */
    private void releaseIfEnded(int index, Process process) {
        SimulatedConnector feed = process.feed;
        if (feed != null && feed.isDead()) {
            process.feed = null;
            process.eligibleFromMillis = scheduler.nowMillis() + AFTER_FENCE_MILLIS;
            if (leader == index) {
                leader = NONE;
            }
        }
    }

    private void elect(int except) {
        int first = scheduler.random().nextInt(processes.size());
        for (int i = 0; i < processes.size(); i++) {
            int candidate = (first + i) % processes.size();
            Process each = processes.get(candidate);
            boolean stands = scheduler.nowMillis() >= each.eligibleFromMillis;
            if (candidate != except && each.up && !each.paused && each.feed == null && stands) {
                leader = candidate;
                scheduler.count(CoverageEvent.LEADERS_ELECTED);
                SimulatedConnector feed = feeds.apply("connector " + candidate + "." + terms++);
                each.feed = feed;
                feed.start();
                return;
            }
        }
    }

    /** Elects another one; the former leader learns of it a little later. */
    void moveLeadership() {
        int before = leader;
        if (before == NONE || processes.size() == 1) {
            return;
        }
        elect(before);
        if (leader != before) {
            scheduler.count(CoverageEvent.LEADERS_LOST);
            notifyRevoked(processes.get(before));
        }
    }

    /** It learns that it no longer leads, if it can. */
    private void notifyRevoked(Process process) {
        SimulatedConnector feed = process.feed;
        if (feed != null) {
            var unused =
                    scheduler.after(
                            scheduler.between(0, 800),
                            "revoked",
                            () -> {
                                if (process.feed == feed && !process.paused) {
                                    feed.stepDown();
                                    process.feed = null;
                                }
                            });
        }
    }

    /** Requests a relist from the leader. */
    void relist() {
        SimulatedConnector feed = leaderFeed();
        if (feed != null) {
            feed.relist();
        }
    }

    /** Dies; the group detects it when its session is over. */
    void crash(boolean all, long downMillis) {
        for (int i = 0; i < processes.size(); i++) {
            if (all || i == leader) {
                scheduler.count(CoverageEvent.CONNECTORS_CRASHED);
                crash(processes.get(i), downMillis);
            }
        }
    }

    private void crash(Process process, long downMillis) {
        SimulatedConnector feed = process.feed;
        if (feed != null) {
            feed.crash();
        }
        process.feed = null;
        process.up = false;
        process.eligibleFromMillis = scheduler.nowMillis() + downMillis;
    }

    /** The leader pauses for a while. */
    void pause(long millis) {
        if (leader == NONE || processes.get(leader).paused) {
            return;
        }
        Process stopped = processes.get(leader);
        scheduler.count(CoverageEvent.CONNECTORS_PAUSED);
        stopped.paused = true;
        SimulatedConnector feed = stopped.feed;
        if (feed != null) {
            feed.pause(true);
        }
        var unused = scheduler.after(millis, "resume", () -> resume(stopped));
    }

    private void resume(Process process) {
        if (!process.paused) {
            return;
        }
        process.paused = false;
        SimulatedConnector feed = process.feed;
        if (feed != null) {
            feed.pause(false);
            if (leader == NONE || processes.get(leader) != process) {
                notifyRevoked(process);
            }
        }
    }

    /** No process is paused or waits with a restart. */
    void heal() {
        for (Process each : processes) {
            resume(each);
            each.eligibleFromMillis = Math.min(each.eligibleFromMillis, scheduler.nowMillis());
        }
    }

    /** The leader's feed; null while there is none. */
    private @Nullable SimulatedConnector leaderFeed() {
        return leader == NONE ? null : processes.get(leader).feed;
    }

    /** Whether a connector follows etcd, and the mirror is past a revision. */
    boolean isFollowingBeyond(long revision) {
        SimulatedConnector feed = leaderFeed();
        return feed != null && feed.isFollowingBeyond(revision);
    }

    /** A barrier's answer, from the newest connector that can be reached. */
    public Optional<ResumePoint.At> barrier() {
        SimulatedConnector feed = leaderFeed();
        return feed == null ? Optional.empty() : feed.barrier();
    }
}
