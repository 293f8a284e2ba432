package io.tidemark.streams;

import io.tidemark.nodeauth.NodeClient;
import io.tidemark.nodeauth.PeerSecrets;
import io.tidemark.selfcheck.OpenReplicas;
import io.tidemark.store.engine.EngineException;
import io.tidemark.store.layout.StoreSettings;
import io.tidemark.store.read.ReadThreads;
import io.tidemark.store.rocksdb.OpenFileLimits;
import io.tidemark.store.rocksdb.RocksMemory;
import io.tidemark.streams.NodeProgress.Phase;
import io.tidemark.streams.group.GroupCommits;
import io.tidemark.streams.replica.DiskSpace;
import io.tidemark.streams.replica.OpenPartitions;
import io.tidemark.streams.replica.ReadAhead;
import io.tidemark.streams.replica.SkippedRanges;
import io.tidemark.streams.replica.StartupStores;
import io.tidemark.streams.replica.StateFolders;
import io.tidemark.streams.replica.StoreCloser;
import io.tidemark.streams.replica.StoreContext;
import io.tidemark.streams.replica.TopicReader;
import io.tidemark.view.DiskState;
import io.tidemark.view.PartitionDirectory;
import io.tidemark.view.StoreUsage;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs this process's share of the partitions: joins the group, restores, keeps up with the topic,
 * and offers the views. Waiting (for Kafka, the topic, its partitions' past) happens in its own
 * thread and shows in {@link #progress} and in the log; {@link #close} ends it at any time.
 */
public final class StreamsNode implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StreamsNode.class);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(8);
    private static final Duration STARTER_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration ROOM_RETRY = Duration.ofSeconds(1);
    private static final Duration JOIN_RETRY = Duration.ofSeconds(1);

    /** In attempts to join. */
    private static final int LOG_EVERY = 10;

    /** When closing takes longer, the node fails instead of joining again. */
    private static final Duration REJOIN_TIMEOUT = Duration.ofSeconds(30);

    private static final String CANNOT_LEAVE =
            "cannot leave the group to join it again; restart the process";

    private final StreamsSettings settings;
    private final NodeClient connectors;
    private final InstantSource clock;
    private final Function<Map<String, Object>, Admin> admins;
    private final OpenPartitions open = new OpenPartitions();
    private final SkippedRanges passed = new SkippedRanges();
    private final GroupCommits commits = new GroupCommits();
    private final DiskSpace disk;
    private final Thread starter;

    /** Guards the steps from one phase to the next. */
    private final Object lock = new Object();

    private boolean started;
    private volatile @Nullable RunningNode running;

    /** The last non-empty answer of the group. */
    private volatile Set<String> advertised = Set.of();

    private volatile Phase phase = Phase.NEW;
    private volatile String detail = "";

    /** A node without a connector that would accept its relist requests. */
    public StreamsNode(StreamsSettings settings) {
        this(settings, InstantSource.system());
    }

    StreamsNode(StreamsSettings settings, InstantSource clock) {
        this(settings, new NodeClient(PeerSecrets.random()), clock, Admin::create);
    }

    /**
     * @param admins makes Streams' admin client of its settings
     */
    StreamsNode(StreamsSettings settings, Function<Map<String, Object>, Admin> admins) {
        this(settings, new NodeClient(PeerSecrets.random()), InstantSource.system(), admins);
    }

    /**
     * @param connectors client for relist requests; the caller closes it
     */
    public StreamsNode(StreamsSettings settings, NodeClient connectors) {
        this(settings, connectors, InstantSource.system(), Admin::create);
    }

    private StreamsNode(
            StreamsSettings settings,
            NodeClient connectors,
            InstantSource clock,
            Function<Map<String, Object>, Admin> admins) {
        this.admins = admins;
        this.connectors = connectors;
        this.settings = settings;
        this.clock = clock;
        this.disk =
                new DiskSpace(StateFolders.of(settings.stateDirectory(), settings.applicationId()));
        this.starter =
                Thread.ofPlatform().name("tidemark-node-start").daemon().unstarted(this::run);
    }

    /** Starts the node's threads and returns at once. */
    public void start() {
        synchronized (lock) {
            if (started || phase == Phase.CLOSED) {
                throw new IllegalStateException("a node is started once");
            }
            started = true;
            phase = Phase.WAITING_FOR_TOPIC;
        }
        disk.start();
        starter.start();
    }

    private void run() {
        try {
            TopicWait wait = new TopicWait(settings, commits, text -> detail = text);
            TopicFacts facts = wait.await();
            awaitRoom();
            synchronized (lock) {
                if (phase == Phase.CLOSED) {
                    return;
                }
                LOG.info(
                        "mirroring topic {}: {} partitions, application {}, {} standbys, state in"
                                + " {}",
                        settings.topic(),
                        facts.partitions(),
                        settings.applicationId(),
                        settings.standbys(),
                        settings.stateDirectory());
                open.setPartitions(facts.partitions());
            }
            joinWhenPossible(facts);
        } catch (InterruptedException _) {
            LOG.debug("closed before the topic was found");
        } catch (RuntimeException e) {
            LOG.error("the node cannot start", e);
            fail(reason(e));
        }
    }

    /** Streams cannot start on a full disk, and would not try again. */
    private void awaitRoom() throws InterruptedException {
        while (!disk.hasSpaceToResume()) {
            disk.suspend(DiskSpace.NODE, "not enough for the node to start");
            Thread.sleep(ROOM_RETRY);
        }
        disk.resume(DiskSpace.NODE);
    }

    /** Retries while no client can be made, as while the brokers' host names do not resolve. */
    private void joinWhenPossible(TopicFacts facts) throws InterruptedException {
        for (int attempt = 0; !join(facts, attempt); attempt++) {
            Thread.sleep(JOIN_RETRY);
        }
    }

    /** Returns false if another attempt may succeed. */
    private boolean join(TopicFacts facts, int attempt) {
        @Nullable RunningNode unstarted;
        synchronized (lock) {
            if (phase == Phase.CLOSED) {
                return true;
            }
            phase = Phase.RESTORING;
            try {
                RunningNode next = open(facts);
                detail = "";
                running = next;
                next.start();
                return true;
            } catch (KafkaException e) {
                unstarted = running;
                running = null;
                detail = TopicWait.unusable(settings, e);
                if (attempt % LOG_EVERY == 0) {
                    LOG.warn("cannot join the group, try {}: {}", attempt + 1, detail);
                }
            }
        }
        return !leave(unstarted);
    }

    /**
     * Closes what ran, without the lock, which the end of this node needs.
     *
     * @return false if it does not end; this node fails then, since the next attempt would open the
     *     same folders
     */
    private boolean leave(@Nullable RunningNode ending) {
        if (ending == null || ending.close(REJOIN_TIMEOUT)) {
            return true;
        }
        synchronized (lock) {
            fail(CANNOT_LEAVE);
        }
        return false;
    }

    private RunningNode open(TopicFacts facts) {
        StoreContext context = context(facts);
        try {
            return new RunningNode(
                    settings,
                    facts,
                    context,
                    admins,
                    connectors,
                    this::fail,
                    () -> rejoinAsync(facts));
        } catch (RuntimeException e) {
            context.gate().close();
            context.memory().close();
            throw e;
        }
    }

    private void rejoinAsync(TopicFacts facts) {
        Thread _ =
                Thread.ofPlatform()
                        .name("tidemark-node-rejoin")
                        .daemon()
                        .start(() -> rejoin(facts));
    }

    private void rejoin(TopicFacts facts) {
        @Nullable RunningNode ending;
        synchronized (lock) {
            if (phase == Phase.CLOSED) {
                return;
            }
            phase = Phase.RESTORING;
            ending = running;
        }
        if (!leave(ending)) {
            return;
        }
        running = null;
        try {
            joinWhenPossible(facts);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            LOG.error("cannot join the group again", e);
            fail(reason(e));
        }
    }

    private StoreContext context(TopicFacts facts) {
        Duration lag = facts.compactionLag();
        if (lag.compareTo(settings.historyWindow()) < 0) {
            LOG.warn(
                    "the topic keeps changes for {}, less than the history window of {}: the"
                            + " history of a rebuilt store will be that short",
                    lag,
                    settings.historyWindow());
        }
        return new StoreContext(
                open,
                new StoreCloser(),
                new StartupStores(),
                new StoreSettings(
                        settings.historyWindow(),
                        settings.maxHistoryBytes(),
                        lag,
                        settings.indexes(),
                        settings.secretKeys(),
                        settings.protobuf()),
                facts.id(),
                facts.deleteRetention(),
                new RocksMemory(
                        settings.blockCacheBytes(),
                        settings.writeBufferBytes(),
                        OpenFileLimits.ofEachStore(OpenFileLimits.limit(), facts.partitions())),
                ReadThreads.start(),
                clock,
                new TopicReader(settings.topic(), KafkaSetup.reread(settings), passed),
                passed,
                new ReadAhead(),
                commits,
                disk);
    }

    private void fail(String why) {
        if (phase != Phase.CLOSED) {
            detail = why;
            phase = Phase.FAILED;
        }
    }

    /** With the cause of a storage error, such as a full disk. */
    private static String reason(RuntimeException e) {
        return e instanceof EngineException broken
                ? broken.reason()
                : String.valueOf(e.getMessage());
    }

    /** The partitions on this node, as they come and go; valid before {@link #start}. */
    public PartitionDirectory directory() {
        return open;
    }

    /** The replicas on this node, as they come and go, for the self-check. */
    public OpenReplicas copies() {
        return open;
    }

    /**
     * The addresses of the group's nodes, this one included, as of the last time the group settled:
     * HOST:PORT each, without nodes that advertise nothing. The addresses stay while this node
     * joins again: a node that took itself for the only one would answer that a revision is
     * compacted although others still have it.
     */
    public Set<String> advertisedNodes() {
        @Nullable RunningNode now = running;
        Set<String> latest = now == null ? Set.of() : now.advertisedNodes();
        if (!latest.isEmpty()) {
            advertised = latest;
        }
        return advertised;
    }

    /** The partitions that this node is active for; it is a standby of its others. */
    public Set<Integer> activePartitions() {
        @Nullable RunningNode now = running;
        return now == null ? Set.of() : now.activePartitions();
    }

    /**
     * How many corrupt ranges of the topic this node's readers have skipped since it started. A
     * replica that lacks such a range is not ready until the connector has relisted.
     */
    public long corruptRanges() {
        return passed.count();
    }

    /** How many standbys of each partition the group shall keep. */
    public int standbys() {
        return settings.standbys();
    }

    /** Approximate bytes of a partition on this node's disk, as of some seconds ago. */
    public long storedBytes(int partition) {
        return disk.storedBytes(partition);
    }

    /** The disk that the replicas lie on, as of some seconds ago. */
    public DiskState disk() {
        return disk.state();
    }

    /** The memory and the files of the open stores. */
    public StoreUsage storeUsage() {
        @Nullable RunningNode now = running;
        if (now == null) {
            return StoreUsage.NONE;
        }
        long files = 0;
        for (NodeProgress.Partition each : now.partitions()) {
            files += disk.storedBytes(each.partition());
        }
        return now.storeMemory().withDiskBytes(files);
    }

    /** The current phase and partitions; does not wait for Kafka. */
    public NodeProgress progress() {
        @Nullable RunningNode now = running;
        List<NodeProgress.Partition> partitions = now == null ? List.of() : now.partitions();
        Phase shown = phase;
        if (shown == Phase.RESTORING && now != null && now.isCaughtUp()) {
            shown = Phase.RUNNING;
        }
        DiskState full = disk.state();
        String stopped = open.stopped();
        return new NodeProgress(
                shown,
                full.isFull() ? full.text() : stopped.isEmpty() ? detail : stopped,
                partitions);
    }

    /**
     * Leaves the group, so that others take over at once, flushes the stores and closes them;
     * returns within 10 seconds.
     */
    @Override
    public void close() {
        @Nullable RunningNode ending;
        synchronized (lock) {
            if (phase == Phase.CLOSED) {
                return;
            }
            phase = Phase.CLOSED;
            ending = running;
        }
        starter.interrupt();
        disk.close();
        try {
            if (started) {
                starter.join(STARTER_TIMEOUT);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        if (ending != null) {
            boolean _ = ending.close(CLOSE_TIMEOUT);
        }
    }
}
