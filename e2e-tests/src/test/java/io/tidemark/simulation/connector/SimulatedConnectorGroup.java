package io.tidemark.simulation.connector;

import io.tidemark.connector.feed.ResumePoint;
import io.tidemark.simulation.etcd.FakeEtcd;
import io.tidemark.simulation.kafka.FakeTopic;
import io.tidemark.simulation.world.CoverageEvent;
import io.tidemark.simulation.world.Scheduler;
import io.tidemark.simulation.world.Settings;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The connector processes, of which one leads. */
public final class SimulatedConnectorGroup {
    private final Scheduler scheduler;
    private final SimulatedGroup group;
    private final List<ElectedProcess> processes;

    /**
     * @param feeds makes a feed of a name; it starts when its process leads
     */
    public SimulatedConnectorGroup(
            Scheduler scheduler,
            Settings settings,
            FakeEtcd etcd,
            FakeTopic topic,
            Function<String, SimulatedConnector> feeds) {
        this.scheduler = scheduler;
        this.group = new SimulatedGroup(scheduler, topic);
        this.processes =
                IntStream.range(0, settings.connectors())
                        .mapToObj(i ->
                                new ElectedProcess(scheduler, etcd, group, "connector " + i, feeds))
                        .toList();
    }

    public void begin() {
        group.begin();
        processes.forEach(ElectedProcess::start);
    }

    /** Elects another one; the former leader learns of it a little later. */
    public void moveLeadership() {
        group.moveLeadership();
    }

    /** Requests a relist from the leader. */
    public void relist() {
        SimulatedConnector feed = leaderFeed();
        if (feed != null) {
            feed.relist();
        }
    }

    /** A node asks the leader for a relist of an epoch, as it lacks records of it. */
    public void relist(long epoch) {
        ElectedProcess leader = group.leader();
        if (leader != null) {
            leader.relist(epoch);
        }
    }

    /** Dies; the group detects it when its session is over. */
    public void crash(boolean all, long downMillis) {
        for (ElectedProcess each : processes) {
            if (all || each == group.leader()) {
                scheduler.count(CoverageEvent.CONNECTORS_CRASHED);
                each.crash(downMillis);
            }
        }
    }

    /** The leader pauses for a while. */
    public void pause(long millis) {
        ElectedProcess leader = group.leader();
        if (leader == null || leader.isPaused()) {
            return;
        }
        scheduler.count(CoverageEvent.CONNECTORS_PAUSED);
        leader.pause(true);
        var unused = scheduler.after(millis, "resume", () -> leader.pause(false));
    }

    /** No process is paused or waits with a restart. */
    public void heal() {
        for (ElectedProcess each : processes) {
            each.pause(false);
            each.start();
        }
    }

    /** The leader's feed; null while there is none. */
    public @Nullable SimulatedConnector leaderFeed() {
        ElectedProcess leader = group.leader();
        return leader == null ? null : leader.feed();
    }

    /** Whether a connector follows etcd, and the mirror is past a revision. */
    public boolean isFollowingBeyond(long revision) {
        SimulatedConnector feed = leaderFeed();
        return feed != null && feed.isFollowingBeyond(revision);
    }

    /** A barrier's answer, from the newest connector that can be reached. */
    public Optional<ResumePoint.At> barrier() {
        SimulatedConnector feed = leaderFeed();
        return feed == null ? Optional.empty() : feed.barrier();
    }
}
