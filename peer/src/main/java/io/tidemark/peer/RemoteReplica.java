package io.tidemark.peer;

import io.tidemark.peer.cluster.Replica;
import io.tidemark.peer.wire.CallCodec;
import io.tidemark.peer.wire.PushedChanges;
import io.tidemark.peer.wire.StateCodec;
import io.tidemark.peer.wire.ViewCall;
import io.tidemark.peer.wire.WireInput;
import io.tidemark.view.Listeners;
import io.tidemark.view.PartitionState;
import io.tidemark.view.PartitionView.Subscription;
import io.tidemark.view.ReadOutcome;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * A copy on another node. Where it stands is what that node said last: a copy only moves on within
 * a history, so what is a little old claims too little, never too much. What a reader at the end of
 * the history goes on with is told with that, see {@link ChangeFeed}.
 */
final class RemoteReplica implements Replica {
    /** Before the other node tells no more for want of questions. */
    private static final Duration ASK_AGAIN = ChangeFeed.LEASE.dividedBy(3);

    /** How long a question waits for memory for its answer. */
    private static final Duration MEMORY_TIMEOUT = Duration.ofSeconds(1);

    private static final int BUDGET_GROWTH = 8;

    private final int partition;
    private final PeerTransport transport;
    private final AnswerBudget memory;
    private final BooleanSupplier isDegraded;
    private final Listeners listeners;
    private final RecentChanges recent = new RecentChanges();
    private volatile PartitionState state = PartitionState.EMPTY;

    /** When changes were last asked for and given, as of System.nanoTime; 0 for never. */
    private volatile long followedNanos;

    /**
     * @param memory of the answers of all other nodes, until they are taken apart
     * @param isDegraded whether its node is leaving, or silent
     */
    RemoteReplica(
            int partition,
            PeerTransport transport,
            AnswerBudget memory,
            BooleanSupplier isDegraded) {
        this.partition = partition;
        this.memory = memory;
        this.isDegraded = isDegraded;
        this.listeners = new Listeners(partition);
        this.transport = transport;
    }

    /** The other node has said where it stands; by one thread at a time. */
    void updateState(PartitionState next) {
        if (!next.equals(state)) {
            state = next;
            listeners.notifyListeners();
        }
    }

    /** The other node has told what comes next, without being asked; by the same thread. */
    void addPushed(long epoch, PushedChanges changes) {
        recent.add(epoch, changes);
    }

    /** There is no other node. */
    void disconnected() {
        recent.clear();
        updateState(PartitionState.EMPTY);
    }

    @Override
    public PartitionState state() {
        return state;
    }

    @Override
    public boolean isDegraded() {
        return isDegraded.getAsBoolean();
    }

    @Override
    public <T> Answer<T> ask(ViewCall<T> call) {
        PartitionState now = state;
        boolean follows = System.nanoTime() - followedNanos < ASK_AGAIN.toNanos();
        Optional<T> known =
                follows
                        ? call.readFromCache(request -> recent.read(now.epoch(), request))
                        : Optional.empty();
        return known.isPresent()
                ? new Answer<>(new ReadOutcome.Served<>(known.get()), now)
                : readRemote(call);
    }

    /** Few answers are larger than is expected; such are asked for again, with more memory. */
    private <T> Answer<T> readRemote(ViewCall<T> call) {
        long most = AnswerSize.expected(call);
        while (true) {
            try (AnswerBudget.Booking booking = memory.booking()) {
                return booking.take(most, MEMORY_TIMEOUT)
                        ? readRemote(call, most)
                        : notHere("no memory for its answer");
            } catch (AnswerTooLargeException e) {
                if (most == PeerPaths.MAX_ANSWER_BYTES) {
                    return notHere(String.valueOf(e.getMessage()));
                }
                most = Math.min(PeerPaths.MAX_ANSWER_BYTES, BUDGET_GROWTH * most);
            } catch (IOException e) {
                return notHere(String.valueOf(e.getMessage()));
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                return notHere("the reader was interrupted");
            }
        }
    }

    private <T> Answer<T> readRemote(ViewCall<T> call, long most)
            throws IOException, InterruptedException {
        WireInput in = new WireInput(transport.ask(partition, CallCodec.write(call), most));
        PartitionState then = StateCodec.read(in);
        ReadOutcome<T> outcome = CallCodec.readOutcome(call, in);
        in.end();
        if (call instanceof ViewCall.Changes && outcome instanceof ReadOutcome.Served<T>) {
            followedNanos = System.nanoTime();
        }
        return new Answer<>(outcome, then);
    }

    private <T> Answer<T> notHere(String why) {
        return new Answer<>(
                new ReadOutcome.ReplicaUnavailable<>(
                        "partition %d at node %s: %s"
                                .formatted(partition, transport.address().hostPort(), why)),
                PartitionState.EMPTY);
    }

    @Override
    public Subscription onChange(Runnable listener) {
        return listeners.add(listener);
    }
}
