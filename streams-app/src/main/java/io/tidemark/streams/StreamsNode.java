package io.tidemark.streams;

import io.tidemark.nodeauth.NodeClient;
import io.tidemark.nodeauth.PeerSecrets;
import io.tidemark.selfcheck.OpenReplicas;
import io.tidemark.store.EngineException;
import io.tidemark.store.ReadThreads;
import io.tidemark.store.StoreSettings;
import io.tidemark.store.rocksdb.OpenFileLimits;
import io.tidemark.store.rocksdb.RocksMemory;
import io.tidemark.streams.NodeProgress.Phase;
import io.tidemark.view.DiskState;
import io.tidemark.view.PartitionDirectory;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Mirrors this process's share of the partitions: joins the group, restores, follows, and offers
 * the views. Everything it waits for (Kafka, the topic, its partitions' past) it waits for in its
 * own thread, and says so in {@link #progress} and in the log; {@link #close} ends it at any time.
 */
public final class StreamsNode implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StreamsNode.class);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(8);
    private static final Duration STARTER_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration ROOM_RETRY = Duration.ofSeconds(1);

    /** A node that cannot be closed within this is not begun anew. */
    private static final Duration REJOIN_TIMEOUT = Duration.ofSeconds(30);

    private final StreamsSettings settings;
    private final NodeClient connectors;
    private final InstantSource clock;
    private final OpenPartitions open = new OpenPartitions();
    private final SkippedRanges passed = new SkippedRanges();
    private final DiskSpace disk;
    private final Thread starter;

    /** Guards the steps from one phase to the next. */
    private final Object lock = new Object();

    private boolean started;
    private volatile @Nullable RunningNode running;

    /** What the group told last. */
    private volatile Set<String> advertised = Set.of();

    private volatile Phase phase = Phase.NEW;
    private volatile String detail = "";

    /** A node that no connector knows: none writes a new list because it asks for one. */
    public StreamsNode(StreamsSettings settings) {
        this(settings, InstantSource.system());
    }

    StreamsNode(StreamsSettings settings, InstantSource clock) {
        this(settings, new NodeClient(PeerSecrets.random()), clock);
    }

    /**
     * @param connectors asks them for new lists; stays the caller's
     */
    public StreamsNode(StreamsSettings settings, NodeClient connectors) {
        this(settings, connectors, InstantSource.system());
    }

    private StreamsNode(StreamsSettings settings, NodeClient connectors, InstantSource clock) {
        this.connectors = connectors;
        this.settings = settings;
        this.clock = clock;
        this.disk = new DiskSpace(StateFolders.of(settings));
        this.starter =
                Thread.ofPlatform().name("tidemark-node-start").daemon().unstarted(this::run);
    }

    /** Begins, and returns at once. */
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
            TopicWait wait = new TopicWait(settings, text -> detail = text);
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
                join(facts);
            }
        } catch (InterruptedException _) {
            LOG.debug("closed before it was started");
        } catch (RuntimeException e) {
            LOG.error("the node cannot start", e);
            fail(reason(e));
        }
    }

    /** Streams cannot begin on a full disk, and would not try again. */
    private void awaitRoom() throws InterruptedException {
        while (!disk.hasSpaceToResume()) {
            disk.suspend(DiskSpace.NODE, "too little for the node to start");
            Thread.sleep(ROOM_RETRY);
        }
        disk.resume(DiskSpace.NODE);
    }

    private void join(TopicFacts facts) {
        phase = Phase.RESTORING;
        detail = "";
        RunningNode next =
                new RunningNode(
                        settings,
                        facts,
                        context(facts),
                        connectors,
                        this::fail,
                        () -> rejoinAsync(facts));
        running = next;
        next.start();
    }

    private void rejoinAsync(TopicFacts facts) {
        Thread _ =
                Thread.ofPlatform().name("tidemark-node-anew").daemon().start(() -> rejoin(facts));
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
        boolean left = ending == null || ending.close(REJOIN_TIMEOUT);
        synchronized (lock) {
            if (phase == Phase.CLOSED) {
                return;
            }
            if (!left) {
                fail("cannot leave the group to join it anew; restart the process");
                return;
            }
            try {
                join(facts);
            } catch (RuntimeException e) {
                LOG.error("the node cannot join anew", e);
                fail(reason(e));
            }
        }
    }

    private StoreContext context(TopicFacts facts) {
        Duration lag = facts.compactionLag();
        if (lag.compareTo(settings.historyWindow()) < 0) {
            LOG.warn(
                    "the topic keeps changes for {}, less than the history window of {}: a store"
                            + " that is rebuilt will have no more than that",
                    lag,
                    settings.historyWindow());
        }
        return new StoreContext(
                open,
                new StoreCloser(),
                new StoreSettings(
                        settings.historyWindow(),
                        settings.maxHistoryBytes(),
                        lag,
                        settings.indexes()),
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
                disk);
    }

    private void fail(String why) {
        if (phase != Phase.CLOSED) {
            detail = why;
            phase = Phase.FAILED;
        }
    }

    /** What could not be done, and why: such as that the disk is full. */
    private static String reason(RuntimeException e) {
        return e instanceof EngineException broken
                ? StoreFolder.reason(broken)
                : String.valueOf(e.getMessage());
    }

    /** The partitions that are on this node, as they come and go; valid from the beginning. */
    public PartitionDirectory directory() {
        return open;
    }

    /** The copies that are on this node, as they come and go, for the self-check. */
    public OpenReplicas copies() {
        return open;
    }

    /**
     * Where the nodes of the group are reached, this one too, as the group knew it when it last
     * settled: HOST:PORT each. Nodes that advertise nothing are not among them. That stands while
     * it joins anew: whoever took itself for alone would say that what only others know is gone.
     */
    public Set<String> advertisedNodes() {
        @Nullable RunningNode now = running;
        Set<String> told = now == null ? Set.of() : now.advertisedNodes();
        if (!told.isEmpty()) {
            advertised = told;
        }
        return advertised;
    }

    /** The partitions that this node is the owner of; its others are standbys. */
    public Set<Integer> activePartitions() {
        @Nullable RunningNode now = running;
        return now == null ? Set.of() : now.activePartitions();
    }

    /**
     * How many damaged places of the topic its readers have met and passed over since it was
     * started. A copy that was to apply what lay there is not ready until a new list follows.
     */
    public long corruptRanges() {
        return passed.count();
    }

    /** How many further copies of each partition the nodes of the group shall keep. */
    public int standbys() {
        return settings.standbys();
    }

    /** What a partition takes on this node's disk, about, as of some seconds ago. */
    public long storedBytes(int partition) {
        return disk.storedBytes(partition);
    }

    /** The disk that the replicas lie on, as of some seconds ago. */
    public DiskState disk() {
        return disk.state();
    }

    public NodeProgress progress() {
        @Nullable RunningNode now = running;
        List<NodeProgress.Partition> partitions = now == null ? List.of() : now.partitions();
        Phase shown = phase;
        if (shown == Phase.RESTORING && now != null && now.isCaughtUp()) {
            shown = Phase.RUNNING;
        }
        DiskState full = disk.state();
        return new NodeProgress(shown, full.isFull() ? full.text() : detail, partitions);
    }

    /**
     * Leaves the group, so that others take over at once, flushes the stores and closes them;
     * within 10 seconds.
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
