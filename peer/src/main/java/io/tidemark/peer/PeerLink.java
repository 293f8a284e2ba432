package io.tidemark.peer;

import io.tidemark.concurrent.Backoff;
import io.tidemark.peer.PeerTransport.StatesStream;
import io.tidemark.peer.cluster.PeerReplicas;
import io.tidemark.peer.cluster.Replica;
import io.tidemark.peer.wire.StateFrame;
import io.tidemark.view.PartitionState;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tracks the states of one other node's replicas over one connection, which it re-establishes as
 * needed. Without a connection, or when it is silent, that node counts as having no replicas.
 */
final class PeerLink implements PeerReplicas, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PeerLink.class);

    /** Silence after which the connection is dropped: several heartbeats. */
    static final Duration FRAME_TIMEOUT = Duration.ofMillis(2_500);

    /** Three heartbeats: a node that is silent for longer is asked after all others. */
    static final Duration DEGRADED_AFTER = StateStream.HEARTBEAT.multipliedBy(3);

    private static final Backoff PAUSES = new Backoff(Duration.ofMillis(50), Duration.ofSeconds(1));

    private final PeerTransport transport;
    private final AnswerBudget memory;
    private final Map<Integer, RemoteReplica> replicas = new ConcurrentHashMap<>();
    private final Thread thread;
    private volatile boolean closed;

    /** Written under this object's monitor, as are the replicas' states. */
    private volatile long lastFrameNanos;

    private volatile boolean leaving;

    /** The open connection. */
    private @Nullable StatesStream open;

    private @Nullable String trouble;

    /** Of the last connection; 0 before the first. */
    private int version;

    /** Whether the last attempt to connect found no common version. */
    private boolean incompatible;

    /**
     * @param memory shared by the answers of all other nodes
     */
    PeerLink(PeerTransport transport, AnswerBudget memory) {
        this.transport = transport;
        this.memory = memory;
        this.thread =
                Thread.ofVirtual()
                        .name("peer-" + transport.address().hostPort())
                        .unstarted(this::follow);
    }

    void start() {
        thread.start();
    }

    PeerTransport transport() {
        return transport;
    }

    @Override
    public Replica copy(int partition) {
        return remote(partition);
    }

    private RemoteReplica remote(int partition) {
        return replicas.computeIfAbsent(
                partition, p -> new RemoteReplica(p, transport, memory, this::isDegraded));
    }

    private boolean isDegraded() {
        return leaving || System.nanoTime() - lastFrameNanos > DEGRADED_AFTER.toNanos();
    }

    /** Whether that node stays and has a readable replica of this epoch. */
    boolean canServe(int partition, long epoch) {
        PartitionState state = remote(partition).state();
        return !isDegraded() && state.ready() && state.epoch() == epoch;
    }

    /** Drops the connection when it has been silent for too long; to be called periodically. */
    synchronized void checkAlive(long nowNanos) {
        if (open != null && nowNanos - lastFrameNanos > FRAME_TIMEOUT.toNanos()) {
            drop("no frame for " + FRAME_TIMEOUT.toMillis() + " ms");
        }
    }

    private void follow() {
        int failures = 0;
        while (!closed) {
            try {
                if (connect()) {
                    failures = 0;
                    readFrames();
                }
            } catch (NoCommonVersionException e) {
                refuse(e);
            } catch (IOException e) {
                drop(String.valueOf(e.getMessage()));
            } catch (InterruptedException _) {
                break;
            }
            try {
                failures++;
                Thread.sleep(PAUSES.after(failures, ThreadLocalRandom.current().nextDouble()));
            } catch (InterruptedException _) {
                break;
            }
        }
        drop("closed");
    }

    private boolean connect() throws IOException, InterruptedException {
        StatesStream stream = transport.states();
        synchronized (this) {
            if (closed) {
                stream.close();
                return false;
            }
            lastFrameNanos = System.nanoTime();
            open = stream;
            int used = stream.version().number();
            if (used != version) {
                version = used;
                LOG.info(
                        "node {}: read with peer version {}", transport.address().hostPort(), used);
            }
            return true;
        }
    }

    private void readFrames() throws IOException {
        StatesStream stream;
        synchronized (this) {
            stream = open;
        }
        while (!closed && stream != null) {
            StateFrame frame = stream.next();
            accept(stream, frame);
        }
    }

    /** The connection's version, or why there is none. */
    synchronized PeerConnection connection() {
        return open == null
                ? new PeerConnection(0, trouble == null ? "" : trouble, incompatible)
                : new PeerConnection(version, "", false);
    }

    private synchronized void accept(StatesStream from, StateFrame received) {
        if (open != from) {
            return; // The connection was dropped in the meantime.
        }
        lastFrameNanos = System.nanoTime();
        if (received.leaving() && !leaving) {
            leaving = true;
            LOG.info("node {} is leaving, reading other replicas", transport.address().hostPort());
        }
        received.changes()
                .forEach((partition, changes) -> {
                    RemoteReplica replica = remote(partition);
                    // Before the state: the readers that the state wakes read these changes.
                    replica.addPushed(
                            received.moved().getOrDefault(partition, replica.state()).epoch(),
                            changes);
                });
        received.moved().forEach((partition, state) -> remote(partition).updateState(state));
        if (trouble != null) {
            trouble = null;
            LOG.info("node {} is reachable again", transport.address().hostPort());
        }
    }

    /** Without a common version the nodes do not read each other until one is replaced. */
    private synchronized void refuse(NoCommonVersionException e) {
        String why = String.valueOf(e.getMessage());
        if (!why.equals(trouble)) {
            LOG.warn(
                    "node {} is not read: {}; upgrade the older of the two",
                    transport.address().hostPort(),
                    why);
        }
        trouble = why;
        drop(why);
        incompatible = true;
    }

    private synchronized void drop(String why) {
        StatesStream ending = open;
        open = null;
        leaving = false;
        incompatible = false;
        lastFrameNanos = System.nanoTime();
        replicas.values().forEach(RemoteReplica::disconnected);
        if (!closed && !why.equals(trouble)) {
            trouble = why;
            LOG.info("node {} is not reachable: {}", transport.address().hostPort(), why);
        }
        if (ending != null) {
            try {
                ending.close();
            } catch (IOException e) {
                LOG.debug("closing a connection failed", e);
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        drop("closed");
    }
}
