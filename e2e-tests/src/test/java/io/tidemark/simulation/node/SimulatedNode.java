package io.tidemark.simulation.node;

import io.tidemark.peer.cluster.ClusterDirectory;
import io.tidemark.simulation.disk.FakeDisk;
import io.tidemark.simulation.fault.Mutation;
import io.tidemark.simulation.kafka.FakeTopic;
import io.tidemark.simulation.promise.Promise;
import io.tidemark.simulation.promise.Violation;
import io.tidemark.simulation.world.Scheduler;
import io.tidemark.simulation.world.Settings;
import io.tidemark.simulation.world.SkewedClock;
import io.tidemark.store.PartitionStore;
import io.tidemark.streams.RelistRequester;
import io.tidemark.streams.replica.OpenPartitions;
import io.tidemark.view.PartitionDirectory;
import io.tidemark.view.PartitionView;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A node: its replicas of some partitions, active and standby, and a view of all partitions through
 * its peers.
 */
public final class SimulatedNode {
    /** How long a group takes to detect the loss of a member. */
    private static final long SESSION_MILLIS = 1_500;

    private final int number;
    private final Scheduler scheduler;
    private final Settings settings;
    private final Mutation mutation;
    private final SimulatedConsumerGroup group;
    private final Network network;
    private final SimulatedBarriers barriers;
    private final SkewedClock clock;
    private final FakeDisk disk;
    private final OpenPartitions hosted = new OpenPartitions();
    private final PartitionDirectory local;
    private final List<SimulatedReplica> replicas;
    private boolean up;
    private boolean paused;
    private int process;
    private @Nullable NodeApi api;
    private @Nullable SimulatedPeers peers;
    private @Nullable SimulatedSelfCheck check;

    public SimulatedNode(
            int number,
            Scheduler scheduler,
            Settings settings,
            Mutation mutation,
            FakeTopic topic,
            SimulatedConsumerGroup group,
            Network network,
            SimulatedBarriers barriers,
            Consumer<Violation> violations) {
        this.number = number;
        this.scheduler = scheduler;
        this.settings = settings;
        this.mutation = mutation;
        this.group = group;
        this.network = network;
        this.barriers = barriers;
        this.clock = new SkewedClock(scheduler);
        this.disk = new FakeDisk(scheduler, mutation.reportsFullDisk());
        hosted.setPartitions(settings.partitions());
        this.local = new LocalDirectory();
        this.replicas =
                IntStream.range(0, settings.partitions())
                        .mapToObj(partition ->
                                new SimulatedReplica(
                                        scheduler,
                                        settings,
                                        mutation,
                                        number,
                                        partition,
                                        topic.partitions().get(partition),
                                        clock,
                                        disk,
                                        hosted,
                                        group,
                                        violations))
                        .toList();
        var unused =
                scheduler.every(
                        50,
                        400,
                        "commit",
                        () -> {
                            if (isResponsive()) {
                                replicas.forEach(SimulatedReplica::commit);
                                requestList();
                            }
                        });
        unused = scheduler.every(200, 1_000, "probe reads of now", this::probe);
    }

    private void requestList() {
        RelistRequester.needing(hosted.stores())
                .ifPresent(each -> barriers.connectors().relist(each.getValue().state().epoch()));
    }

    private void probe() {
        if (isResponsive()) {
            api().probe();
        }
    }

    private NodeApi createApi() {
        ClusterDirectory directory = new ClusterDirectory(local, number, scheduler::nowNanos);
        directory.setPeers(peers().replicas());
        return new NodeApi(scheduler, directory, mutation, barriers, settings, this::isResponsive);
    }

    public int number() {
        return number;
    }

    public void start() {
        up = true;
        process++;
        SimulatedPeers links = new SimulatedPeers(scheduler, mutation, network, this);
        peers = links;
        api = createApi();
        links.start();
        SimulatedSelfCheck begun =
                new SimulatedSelfCheck(scheduler, barriers.connectors(), hosted, clock);
        check = begun;
        begun.start();
        group.joined(number);
    }

    /** Of the current process, or of the last one. */
    SimulatedPeers peers() {
        return Objects.requireNonNull(peers);
    }

    /** It is about to shut down: other nodes read other replicas. */
    public void leave() {
        peers().leave();
    }

    /** The current process, or the last one. */
    public NodeApi api() {
        return Objects.requireNonNull(api);
    }

    public boolean isUp() {
        return up;
    }

    /** Whether it is up and not paused. */
    public boolean isResponsive() {
        return up && !paused;
    }

    public void crash(boolean wiped) {
        if (!up) {
            return;
        }
        up = false;
        paused = false;
        api().close();
        peers().close();
        Objects.requireNonNull(check).kill();
        for (SimulatedReplica replica : replicas) {
            replica.pause(false);
            if (wiped) {
                replica.wipe();
            } else {
                replica.crash();
            }
        }
        expireSession(process);
    }

    /** Pauses, as on SIGSTOP. */
    public void pause(boolean now) {
        if (!up || paused == now) {
            return;
        }
        paused = now;
        replicas.forEach(replica -> replica.pause(now));
        Objects.requireNonNull(check).pauseProcess(now);
        if (now) {
            expireSession(process);
        } else {
            // The group may have dropped it: it learns that at its next contact with the group.
            group.joined(number);
            var unused =
                    scheduler.after(scheduler.between(1, 100), "rejoin", () -> group.assign(this));
        }
    }

    private void expireSession(int which) {
        var unused =
                scheduler.after(
                        scheduler.between(SESSION_MILLIS / 3, SESSION_MILLIS),
                        "session",
                        () -> {
                            if (!isResponsive() && process == which) {
                                group.lost(number);
                            }
                        });
    }

    /** Lets its replicas read as fast as they can: those that are behind have little time left. */
    public void readFast() {
        replicas.forEach(SimulatedReplica::readFast);
    }

    public SimulatedReplica replica(int partition) {
        return replicas.get(partition % replicas.size());
    }

    public FakeDisk disk() {
        return disk;
    }

    public SkewedClock clock() {
        return clock;
    }

    public int partitions() {
        return replicas.size();
    }

    /** The open stores of the node. */
    public Collection<PartitionStore> stores() {
        return hosted.stores().values();
    }

    /** A Secret that one of its disks holds in clear. */
    public Optional<Violation> clearSecrets() {
        return replicas.stream()
                .flatMap(replica -> replica.clearSecret().stream())
                .findFirst()
                .map(key ->
                        new Violation(
                                Promise.AUTHORIZED,
                                "node %d has the Secret %s on disk in clear"
                                        .formatted(number, key)));
    }

    /** Its own replicas, as its callers see them. */
    public PartitionDirectory local() {
        return local;
    }

    /** Its own replicas, perhaps with a mutation. */
    private final class LocalDirectory implements PartitionDirectory {
        private final List<PartitionView> views =
                IntStream.range(0, settings.partitions())
                        .<PartitionView>mapToObj(p -> mutation.view(hosted.view(p), number))
                        .toList();

        @Override
        public int partitions() {
            return views.size();
        }

        @Override
        public PartitionView view(int partition) {
            return views.get(partition);
        }
    }
}
