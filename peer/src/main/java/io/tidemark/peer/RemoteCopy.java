package io.tidemark.peer;

import io.tidemark.peer.cluster.Copy;
import io.tidemark.peer.wire.CallCodec;
import io.tidemark.peer.wire.StateCodec;
import io.tidemark.peer.wire.ViewCall;
import io.tidemark.peer.wire.WireInput;
import io.tidemark.view.Listeners;
import io.tidemark.view.PartitionState;
import io.tidemark.view.PartitionView.Subscription;
import io.tidemark.view.ReadOutcome;
import java.io.IOException;
import java.util.function.BooleanSupplier;

/**
 * A copy on another node. Where it stands is what that node said last: a copy only moves on within
 * a history, so what is a little old claims too little, never too much.
 */
final class RemoteCopy implements Copy {
    private final int partition;
    private final PeerTransport transport;
    private final BooleanSupplier lastResort;
    private final Listeners listeners;
    private volatile PartitionState state = PartitionState.EMPTY;

    /**
     * @param lastResort whether its node is leaving, or silent
     */
    RemoteCopy(int partition, PeerTransport transport, BooleanSupplier lastResort) {
        this.partition = partition;
        this.lastResort = lastResort;
        this.listeners = new Listeners(partition);
        this.transport = transport;
    }

    /** The other node has said where it stands; by one thread at a time. */
    void moved(PartitionState next) {
        if (!next.equals(state)) {
            state = next;
            listeners.tell();
        }
    }

    @Override
    public PartitionState state() {
        return state;
    }

    @Override
    public boolean lastResort() {
        return lastResort.getAsBoolean();
    }

    @Override
    public <T> Answer<T> ask(ViewCall<T> call) {
        try {
            WireInput in = new WireInput(transport.ask(partition, CallCodec.write(call)));
            PartitionState then = StateCodec.read(in);
            ReadOutcome<T> outcome = CallCodec.readOutcome(call, in);
            in.end();
            return new Answer<>(outcome, then);
        } catch (IOException e) {
            return notHere(String.valueOf(e.getMessage()));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return notHere("the reader was interrupted");
        }
    }

    private <T> Answer<T> notHere(String why) {
        return new Answer<>(
                new ReadOutcome.NotHere<>(
                        "partition %d at node %s: %s"
                                .formatted(partition, transport.address(), why)),
                PartitionState.EMPTY);
    }

    @Override
    public Subscription onChange(Runnable listener) {
        return listeners.add(listener);
    }
}
