package io.tidemark.simulation.node;

import io.tidemark.kubernetes.SecretKeys;
import io.tidemark.peer.cluster.ClusterDirectory;
import io.tidemark.query.compress.Compression;
import io.tidemark.query.encode.EncodedObjects;
import io.tidemark.query.encode.ObjectEncoders;
import io.tidemark.query.http.list.ListPages;
import io.tidemark.serving.freshness.Barriers;
import io.tidemark.serving.freshness.Freshness;
import io.tidemark.serving.freshness.RequestedState;
import io.tidemark.serving.freshness.WatermarkTracker;
import io.tidemark.serving.read.ByteBudget;
import io.tidemark.serving.read.ClusterView;
import io.tidemark.serving.read.FanOut;
import io.tidemark.serving.read.PageLimits;
import io.tidemark.serving.read.PartitionSet;
import io.tidemark.serving.read.PartitionSetStatus;
import io.tidemark.serving.read.ReadPoint;
import io.tidemark.serving.read.SecretFilter;
import io.tidemark.serving.watch.WatchHub;
import io.tidemark.serving.watch.WatchLimits;
import io.tidemark.simulation.fault.Mutation;
import io.tidemark.simulation.world.Scheduler;
import io.tidemark.simulation.world.SecretMode;
import io.tidemark.simulation.world.Settings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** A node's read API, as its HTTP layer uses it. Lives as long as the node's process. */
public final class NodeApi {
    /** Small, so that watches fall behind windows and mailboxes overflow. */
    private static WatchLimits limits(long watchBytes) {
        return new WatchLimits(1_000, 40, watchBytes, 12, watchBytes, new PageLimits(6, 12_000));
    }

    /** Of one partition's pages. */
    public static final PageLimits SCAN_PAGE = new PageLimits(3, 1_000);

    private static final int PAGE_BYTES = 4_000;

    private final Scheduler scheduler;
    private final ClusterDirectory directory;
    private final WatermarkTracker watermarks;
    private final Freshness freshness;
    private final ClusterView view;
    private final ByteBudget lists;
    private final ListPages pages;

    /** It keeps some parts of lists, and forgets others soon. */
    private final Compression compression = new Compression(true, 10_000);

    /** They keep some messages, and forget others soon. */
    private final ObjectEncoders encoders;

    private final SimulatedDispatch dispatch = new SimulatedDispatch();
    private final WatchHub hub;
    private final Optional<NodeAccess> access;
    private boolean awake;
    private boolean closed;

    /**
     * @param running whether the node's process is not paused
     */
    public NodeApi(
            Scheduler scheduler,
            ClusterDirectory directory,
            Mutation mutation,
            SimulatedBarriers barriers,
            Settings settings,
            BooleanSupplier running) {
        this.scheduler = scheduler;
        this.directory = directory;
        // Not started: waiting reads are polled in virtual time instead of being notified.
        this.watermarks = new WatermarkTracker(directory);
        Supplier<PartitionSetStatus> known = () -> status(watermarks.allPartitions());
        this.freshness =
                new Freshness(
                        watermarks,
                        new Barriers(barriers.of(known), () -> known.get().connector()),
                        Duration.ofMillis(mutation.maxWaitMillis()),
                        _ -> {},
                        scheduler::nowNanos);
        SecretFilter secrets =
                new SecretFilter(
                        new SecretKeys(List.of(Settings.PREFIX)),
                        settings.secrets() == SecretMode.SHOWN);
        this.view = new ClusterView(directory, Duration.ZERO, FanOut.SEQUENTIAL, secrets);
        this.lists = new ByteBudget(settings.listBytes(), settings.listBytes() * 3 / 4);
        this.pages = new ListPages(view, SCAN_PAGE, PAGE_BYTES);
        this.encoders = new ObjectEncoders(scheduler.clock(), new EncodedObjects(5_000));
        this.hub =
                new WatchHub(
                        view,
                        watermarks,
                        limits(mutation.watchBytes(settings.watchBytes())),
                        dispatch,
                        scheduler::nowNanos);
        for (int p = 0; p < directory.partitions(); p++) {
            var unused = directory.view(p).onChange(this::wake);
        }
        this.access =
                settings.limitsRights()
                        ? Optional.of(
                                new NodeAccess(
                                        scheduler, directory, running, settings.expiresLogins()))
                        : Optional.empty();
    }

    /** Its judgement of requests; empty when it allows every request. */
    public Optional<NodeAccess> access() {
        return access;
    }

    /** All partitions, wherever their replicas are. */
    public ClusterDirectory directory() {
        return directory;
    }

    public PartitionSetStatus status(PartitionSet partitions) {
        return watermarks.status(partitions);
    }

    /** Chooses the state that a read shows. */
    public Freshness freshness() {
        return freshness;
    }

    /** Asks for etcd's revision, as production's probe of consistent reads does. */
    public void probe() {
        Optional<ReadPoint> unused =
                freshness.begin(watermarks.allPartitions(), new RequestedState.Latest()).poll();
    }

    public ClusterView view() {
        return view;
    }

    /** The memory of its lists. */
    public ByteBudget lists() {
        return lists;
    }

    public ListPages pages() {
        return pages;
    }

    /** Encodes objects for answers. */
    public ObjectEncoders encoders() {
        return encoders;
    }

    /** Compresses answers. */
    public Compression compression() {
        return compression;
    }

    public WatchHub hub() {
        return hub;
    }

    /** The process has ended. */
    public void close() {
        closed = true;
        access.ifPresent(NodeAccess::close);
        compression.close();
        directory.setPeers(List.of());
    }

    /** A replica has advanced: the dispatchers look soon. */
    public void wake() {
        if (!awake && !closed) {
            awake = true;
            var unused = scheduler.after(scheduler.between(1, 25), "dispatch", this::dispatch);
        }
    }

    private void dispatch() {
        awake = false;
        if (closed) {
            return;
        }
        try {
            if (dispatch.turn()) {
                wake();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
