package io.tidemark.peer;

import io.tidemark.peer.cluster.PeerReplicas;
import io.tidemark.peer.cluster.Replica;
import io.tidemark.peer.wire.StateCodec;
import io.tidemark.peer.wire.StateFrame;
import io.tidemark.peer.wire.WireException;
import io.tidemark.view.PartitionState;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows where the copies of one other node stand, over one connection that is made again and
 * again. While there is none, or it has fallen silent, that node has no copies.
 */
final class PeerLink implements PeerReplicas, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PeerLink.class);

    /** Several heartbeats. */
    static final Duration FRAME_TIMEOUT = Duration.ofMillis(2_500);

    /** Three heartbeats: who is silent for so long is asked behind all others. */
    static final Duration DEGRADED_AFTER = StateStream.HEARTBEAT.multipliedBy(3);

    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

    private final PeerTransport transport;
    private final AnswerBudget memory;
    private final Map<Integer, RemoteReplica> copies = new ConcurrentHashMap<>();
    private final Thread thread;
    private volatile boolean closed;

    /** Changed by who holds this, as are the copies' states. */
    private volatile long lastFrameNanos;

    private volatile boolean leaving;

    /** The open connection. */
    private @Nullable InputStream open;

    private @Nullable String trouble;

    /**
     * @param memory of the answers of all other nodes
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
        return copies.computeIfAbsent(
                partition, p -> new RemoteReplica(p, transport, memory, this::isDegraded));
    }

    private boolean isDegraded() {
        return leaving || System.nanoTime() - lastFrameNanos > DEGRADED_AFTER.toNanos();
    }

    /** Whether that node will go on holding a copy that answers reads of a history. */
    boolean canServe(int partition, long epoch) {
        PartitionState state = remote(partition).state();
        return !isDegraded() && state.ready() && state.epoch() == epoch;
    }

    /** Gives a connection up that has been silent for too long; to be called now and then. */
    synchronized void checkAlive(long nowNanos) {
        if (open != null && nowNanos - lastFrameNanos > FRAME_TIMEOUT.toNanos()) {
            drop("it has been silent for " + FRAME_TIMEOUT.toMillis() + " ms");
        }
    }

    private void follow() {
        Duration pause = FIRST_PAUSE;
        while (!closed) {
            try {
                if (connect()) {
                    pause = FIRST_PAUSE;
                    readFrames();
                }
            } catch (IOException e) {
                drop(String.valueOf(e.getMessage()));
            } catch (InterruptedException _) {
                break;
            }
            try {
                long most = pause.toMillis();
                Thread.sleep(ThreadLocalRandom.current().nextLong(most / 2, most + 1));
            } catch (InterruptedException _) {
                break;
            }
            pause = pause.compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
        }
        drop("closed");
    }

    private boolean connect() throws IOException, InterruptedException {
        InputStream stream = transport.states();
        synchronized (this) {
            if (closed) {
                stream.close();
                return false;
            }
            lastFrameNanos = System.nanoTime();
            open = stream;
            return true;
        }
    }

    private void readFrames() throws IOException {
        InputStream stream;
        synchronized (this) {
            stream = open;
        }
        if (stream == null) {
            return;
        }
        DataInputStream in = new DataInputStream(stream);
        while (!closed) {
            int length = in.readInt();
            if (length < 0 || length > PeerPaths.MAX_FRAME_BYTES) {
                throw new IOException("it sent a frame of " + length + " bytes");
            }
            byte[] frame = in.readNBytes(length);
            if (frame.length < length) {
                throw new EOFException("it ended the connection");
            }
            accept(stream, frame);
        }
    }

    private synchronized void accept(InputStream from, byte[] frame) throws WireException {
        if (open != from) {
            return; // Given up since.
        }
        lastFrameNanos = System.nanoTime();
        StateFrame told = StateCodec.readFrame(frame);
        if (told.leaving() && !leaving) {
            leaving = true;
            LOG.info("node {} is leaving", transport.address().hostPort());
        }
        told.changes()
                .forEach((partition, changes) -> {
                    RemoteReplica copy = remote(partition);
                    // Before the state: who is woken by that one reads them.
                    copy.addPushed(
                            told.moved().getOrDefault(partition, copy.state()).epoch(), changes);
                });
        told.moved().forEach((partition, state) -> remote(partition).updateState(state));
        if (trouble != null) {
            trouble = null;
            LOG.info("node {} answers again", transport.address().hostPort());
        }
    }

    private synchronized void drop(String why) {
        InputStream ending = open;
        open = null;
        leaving = false;
        lastFrameNanos = System.nanoTime();
        copies.values().forEach(RemoteReplica::disconnected);
        if (!closed && !why.equals(trouble)) {
            trouble = why;
            LOG.info("node {} cannot be read: {}", transport.address().hostPort(), why);
        }
        if (ending != null) {
            try {
                ending.close();
            } catch (IOException e) {
                LOG.debug("a connection did not close well", e);
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
