package io.tidemark.simulation.node;

import io.tidemark.peer.link.PeerLink;
import io.tidemark.peer.link.StateConnection;
import io.tidemark.peer.link.StateFeed;
import io.tidemark.peer.link.TimedRead;
import io.tidemark.peer.wire.StateFrame;
import io.tidemark.peer.wire.WireAnswer;
import io.tidemark.peer.wire.WireException;
import io.tidemark.peer.wire.WireVersion;
import io.tidemark.simulation.fault.Mutation;
import io.tidemark.simulation.world.CoverageEvent;
import io.tidemark.simulation.world.Scheduler;
import io.tidemark.view.PartitionState;
import io.tidemark.view.request.ReadOutcome;
import io.tidemark.view.request.ReadRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * One connection on which a node sends its states to another, as TCP: in order, with nothing lost
 * in between. While the link is cut, all that was sent waits. When the sending process ends, the
 * reader hears of it at once or not at all.
 */
final class SimulatedStateStream implements StateConnection, TimedRead {
    /** How often a sender or a receiver that cannot go on looks again. */
    private static final long RETRY_MILLIS = 50;

    private final Scheduler scheduler;
    private final Mutation mutation;
    private final SimulatedPeerLink owner;
    private final PeerLink link;
    private final SimulatedNode sender;
    private final SimulatedPeers senders;
    private final WireVersion version;
    private final StateFeed feed;
    private final Deque<byte[]> underWay = new ArrayDeque<>();
    private Scheduler.Handle nextWrite = () -> {};
    private boolean sending = true;
    private boolean receiving = true;

    SimulatedStateStream(
            Scheduler scheduler,
            Mutation mutation,
            SimulatedPeerLink owner,
            PeerLink link,
            SimulatedNode sender,
            WireVersion version) {
        this.scheduler = scheduler;
        this.mutation = mutation;
        this.owner = owner;
        this.link = link;
        this.sender = sender;
        this.senders = sender.peers();
        this.version = version;
        this.feed = new StateFeed(sender.local(), this, scheduler::nowNanos, () -> writeIn(0));
    }

    void start() {
        senders.serve(this);
        writeIn(0);
    }

    void leave() {
        feed.leave();
    }

    <T> void answered(int partition, ReadRequest<T> request, WireAnswer<T> answer) {
        if (sending) {
            feed.answered(partition, request, answer);
        }
    }

    private void writeIn(long millis) {
        nextWrite.cancel();
        nextWrite = scheduler.after(millis, "frame", this::write);
    }

    private void write() {
        if (!sending) {
            return;
        }
        if (!sender.isResponsive()) {
            writeIn(RETRY_MILLIS);
            return;
        }
        byte[] frame = version.encodeFrame(feed.next());
        underWay.add(frame);
        if (underWay.size() == 1) {
            deliverIn(owner.delayMillis());
        }
        // The write of a frame takes a moment, in which changes are combined.
        writeIn(feed.hasMoved() ? scheduler.between(1, 5) : StateFeed.HEARTBEAT.toMillis());
    }

    private void deliverIn(long millis) {
        var unused = scheduler.after(millis, "frame arrives", this::deliver);
    }

    private void deliver() {
        if (!receiving) {
            return;
        }
        if (owner.isCut() || !owner.isReading()) {
            deliverIn(RETRY_MILLIS);
            return;
        }
        try {
            link.received(this, seen(version.decodeFrame(underWay.remove())));
        } catch (WireException e) {
            throw new IllegalStateException(e);
        }
        if (!underWay.isEmpty()) {
            deliverIn(scheduler.between(0, 3));
        }
    }

    private StateFrame seen(StateFrame frame) {
        scheduler.count(CoverageEvent.PEER_FRAMES);
        if (!frame.changes().isEmpty()) {
            scheduler.count(CoverageEvent.PEER_PUSHES);
        }
        Map<Integer, PartitionState> moved = new TreeMap<>();
        frame.moved()
                .forEach((partition, state) ->
                        moved.put(partition, mutation.advertisedState(state)));
        return new StateFrame(frame.leaving(), moved, frame.changes());
    }

    /** A read takes no time, and now and then too long. */
    @Override
    public <T> ReadOutcome<T> within(Duration longest, Supplier<ReadOutcome<T>> read) {
        return scheduler.oneIn(30)
                ? new ReadOutcome.ReplicaUnavailable<>("the read takes too long")
                : read.get();
    }

    /** The sending process has ended. */
    void breakOff() {
        stopSending();
        if (!owner.isCut() && scheduler.oneIn(2)) {
            var unused =
                    scheduler.after(
                            scheduler.between(1, 50),
                            "reset",
                            () -> {
                                if (receiving) {
                                    link.failed(new IOException("connection reset"));
                                }
                            });
        } else {
            scheduler.count(CoverageEvent.PEERS_HALF_OPEN);
        }
    }

    private void stopSending() {
        sending = false;
        nextWrite.cancel();
        feed.close();
    }

    @Override
    public int version() {
        return version.number();
    }

    /** The reader has closed it; the sender notices at its next frame. */
    @Override
    public void end() {
        receiving = false;
        if (sending) {
            stopSending();
            senders.ended(this);
        }
        owner.ended(this);
    }
}
