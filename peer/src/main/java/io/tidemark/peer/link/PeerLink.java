package io.tidemark.peer.link;

import io.tidemark.concurrent.Backoff;
import io.tidemark.peer.cluster.PeerReplicas;
import io.tidemark.peer.cluster.Replica;
import io.tidemark.peer.wire.StateFrame;
import io.tidemark.view.PartitionState;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tracks the states of one other node's replicas over one connection at a time. Its driver opens
 * the connections, passes on what comes, and opens another after {@link #untilRetry} when one has
 * ended. Without a connection, or when it is silent, that node counts as having no replicas.
 * Thread-safe.
 */
public final class PeerLink implements PeerReplicas {
    private static final Logger LOG = LoggerFactory.getLogger(PeerLink.class);

    /** Silence after which the connection is dropped: several heartbeats. */
    static final Duration FRAME_TIMEOUT = Duration.ofMillis(2_500);

    /** Three heartbeats: a node that is silent for longer is asked after all others. */
    static final Duration DEGRADED_AFTER = StateFeed.HEARTBEAT.multipliedBy(3);

    private static final Backoff PAUSES = new Backoff(Duration.ofMillis(50), Duration.ofSeconds(1));

    private final PeerClient client;
    private final AnswerBudget memory;

    /** Of this node's answers, so that a slow node leaves memory for those of the others. */
    private final AnswerBudget part;

    private final LongSupplier nanoTime;
    private final Map<Integer, RemoteReplica> replicas = new ConcurrentHashMap<>();

    /** Written under this object's monitor, as are the replicas' states. */
    private volatile long lastFrameNanos;

    private volatile boolean leaving;

    // All guarded by this.
    private @Nullable StateConnection open;
    private @Nullable String trouble;
    private boolean closed;
    private int failures;

    /** Of the last connection; 0 before the first. */
    private int version;

    /** Whether the last attempt to connect found no common version. */
    private boolean incompatible;

    /**
     * @param client for reads
     * @param memory shared by the answers of all other nodes
     * @param nanoTime as {@link System#nanoTime}
     */
    public PeerLink(PeerClient client, AnswerBudget memory, LongSupplier nanoTime) {
        this.client = client;
        this.memory = memory;
        this.part = memory.half();
        this.nanoTime = nanoTime;
        this.lastFrameNanos = nanoTime.getAsLong();
    }

    @Override
    public Replica copy(int partition) {
        return remote(partition);
    }

    private RemoteReplica remote(int partition) {
        return replicas.computeIfAbsent(
                partition,
                p -> new RemoteReplica(p, client, memory, part, nanoTime, this::isDegraded));
    }

    private boolean isDegraded() {
        return leaving || nanoTime.getAsLong() - lastFrameNanos > DEGRADED_AFTER.toNanos();
    }

    /** Whether that node stays and has a readable replica of this epoch. */
    public boolean canServe(int partition, long epoch) {
        PartitionState state = remote(partition).state();
        return !isDegraded() && state.ready() && state.epoch() == epoch;
    }

    /** Drops the connection when it has been silent for too long; to be called periodically. */
    public synchronized void checkAlive() {
        if (open != null && nanoTime.getAsLong() - lastFrameNanos > FRAME_TIMEOUT.toNanos()) {
            drop("no frame for " + FRAME_TIMEOUT.toMillis() + " ms");
        }
    }

    /** A connection is open. */
    public synchronized void connected(StateConnection connection) {
        if (closed) {
            connection.end();
            return;
        }
        failures = 0;
        lastFrameNanos = nanoTime.getAsLong();
        open = connection;
        int used = connection.version();
        if (used != version) {
            version = used;
            LOG.info("node {}: read with peer version {}", client.name(), used);
        }
    }

    /** Whether this is the connection; otherwise its frames have no effect. */
    public synchronized boolean isOpen(StateConnection connection) {
        return open == connection;
    }

    /** A frame has come. */
    public synchronized void received(StateConnection from, StateFrame frame) {
        if (open != from) {
            return; // The connection was dropped in the meantime.
        }
        lastFrameNanos = nanoTime.getAsLong();
        if (frame.leaving() && !leaving) {
            leaving = true;
            LOG.info("node {} is leaving, reading other replicas", client.name());
        }
        frame.changes()
                .forEach((partition, changes) -> {
                    RemoteReplica replica = remote(partition);
                    // Before the state: the readers that the state wakes read these changes.
                    replica.addPushed(
                            frame.moved().getOrDefault(partition, replica.state()).epoch(),
                            changes);
                });
        frame.moved().forEach((partition, state) -> remote(partition).updateState(state));
        if (trouble != null) {
            trouble = null;
            LOG.info("node {} is reachable again", client.name());
        }
    }

    /** The connection has ended, or could not be opened. */
    public synchronized void failed(Exception why) {
        if (why instanceof NoCommonVersionException) {
            refuse(String.valueOf(why.getMessage()));
        } else {
            drop(String.valueOf(why.getMessage()));
        }
    }

    /** Without a common version the nodes do not read each other until one is replaced. */
    private void refuse(String why) {
        if (!why.equals(trouble)) {
            LOG.warn("node {} is not read: {}; upgrade the older of the two", client.name(), why);
        }
        trouble = why;
        drop(why);
        incompatible = true;
    }

    /**
     * How long to wait before the next connection, longer with each attempt that fails.
     *
     * @param random from 0 to below 1
     */
    public synchronized Duration untilRetry(double random) {
        failures++;
        return PAUSES.after(failures, random);
    }

    private void drop(String why) {
        StateConnection ending = open;
        open = null;
        leaving = false;
        incompatible = false;
        lastFrameNanos = nanoTime.getAsLong();
        replicas.values().forEach(RemoteReplica::disconnected);
        if (!closed && !why.equals(trouble)) {
            trouble = why;
            LOG.info("node {} is not reachable: {}", client.name(), why);
        }
        if (ending != null) {
            ending.end();
        }
    }

    /** The connection's version, or why there is none. */
    public synchronized PeerConnection connection() {
        return open == null
                ? new PeerConnection(0, trouble == null ? "" : trouble, incompatible)
                : new PeerConnection(version, "", false);
    }

    public synchronized boolean isClosed() {
        return closed;
    }

    /** Ends the connection; there are no further ones. */
    public synchronized void close() {
        closed = true;
        drop("closed");
    }
}
