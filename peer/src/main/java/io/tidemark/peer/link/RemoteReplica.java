package io.tidemark.peer.link;

import io.tidemark.peer.cluster.Replica;
import io.tidemark.peer.wire.PushedChanges;
import io.tidemark.peer.wire.WireAnswer;
import io.tidemark.view.Listeners;
import io.tidemark.view.PartitionState;
import io.tidemark.view.PartitionView.Subscription;
import io.tidemark.view.RecentChanges;
import io.tidemark.view.request.ChangePage;
import io.tidemark.view.request.ChangesRequest;
import io.tidemark.view.request.ReadOutcome;
import io.tidemark.view.request.ReadRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * A replica on another node. Its state is the one that the node sent last: within an epoch a
 * replica only advances, so a stale state claims too little, never too much. A reader at the
 * watermark gets the next changes with the state update, see {@link ChangeFeed}. As on the other
 * node, they are read from the floor on only: a change that came late to the other replica lies
 * below it, and may be missing from what was pushed before.
 */
final class RemoteReplica implements Replica {
    /** Renews the subscription before it expires. */
    private static final Duration ASK_AGAIN = ChangeFeed.LEASE.dividedBy(3);

    /** How long a read waits for memory for its answer, of its node's part and of all. */
    private static final Duration MEMORY_TIMEOUT = Duration.ofSeconds(1);

    private static final int BUDGET_GROWTH = 8;

    /** Of pushed changes that are kept. */
    private static final long RECENT_BYTES = 2L << 20;

    private final int partition;
    private final PeerClient client;
    private final AnswerBudget memory;
    private final AnswerBudget part;
    private final LongSupplier nanoTime;
    private final BooleanSupplier isDegraded;
    private final Listeners listeners;
    private final RecentChanges recent = new RecentChanges(RecentChanges.MAX_CHANGES, RECENT_BYTES);
    private volatile PartitionState state = PartitionState.EMPTY;

    /** When changes were last read remotely, by nanoTime; at first so long ago as if never. */
    private volatile long followedNanos;

    /**
     * @param memory shared by the answers of all other nodes until they are decoded
     * @param part of that memory, shared by the answers of its node
     * @param isDegraded whether its node is leaving or silent
     */
    RemoteReplica(
            int partition,
            PeerClient client,
            AnswerBudget memory,
            AnswerBudget part,
            LongSupplier nanoTime,
            BooleanSupplier isDegraded) {
        this.partition = partition;
        this.memory = memory;
        this.part = part;
        this.isDegraded = isDegraded;
        this.listeners = new Listeners(partition);
        this.client = client;
        this.nanoTime = nanoTime;
        this.followedNanos = nanoTime.getAsLong() - ASK_AGAIN.toNanos();
    }

    /** Takes a state from the other node; called by one thread at a time. */
    void updateState(PartitionState next) {
        if (!next.ready() || !recent.isOf(next.epoch())) {
            recent.clear();
        } else {
            recent.compact(next.floor());
        }
        if (!next.equals(state)) {
            state = next;
            listeners.notifyListeners();
        }
    }

    /** Takes changes that the other node pushed; called by the same thread. */
    void addPushed(long epoch, PushedChanges pushed) {
        recent.append(epoch, pushed.afterRevision(), pushed.page());
    }

    /** The connection to the other node is lost. */
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
    @SuppressWarnings("unchecked") // A request is typed by its answer.
    public <T> Answer<T> ask(ReadRequest<T> request) {
        PartitionState now = state;
        if (request instanceof ChangesRequest changes) {
            Optional<ChangePage> known = recentChanges(now.epoch(), changes);
            if (known.isPresent()) {
                return new Answer<>(new ReadOutcome.Served<>((T) known.get()), now);
            }
        }
        return readRemote(request);
    }

    /** Empty now and then although it has the page: a request renews the subscription. */
    @Override
    public Optional<ChangePage> recentChanges(long epoch, ChangesRequest request) {
        return state.hasChangesAfter(epoch, request.afterRevision())
                        && nanoTime.getAsLong() - followedNanos < ASK_AGAIN.toNanos()
                ? recent.read(epoch, request, Long.MAX_VALUE)
                : Optional.empty();
    }

    /**
     * Few answers are larger than expected: those are requested again, with the memory that they
     * need as far as the other node states it.
     */
    private <T> Answer<T> readRemote(ReadRequest<T> request) {
        long most = AnswerSize.expected(request);
        while (true) {
            try (AnswerBudget.Booking ofNode = part.booking();
                    AnswerBudget.Booking ofAll = memory.booking()) {
                return ofNode.take(most, MEMORY_TIMEOUT) && ofAll.take(most, MEMORY_TIMEOUT)
                        ? readRemote(request, most)
                        : unavailable("no memory for its answer", false);
            } catch (AnswerTooLargeException e) {
                if (most == AnswerSize.MAX) {
                    return unavailable(String.valueOf(e.getMessage()), true);
                }
                long needed = e.bytes() > most ? e.bytes() : BUDGET_GROWTH * most;
                most = Math.min(AnswerSize.MAX, needed);
            } catch (IOException e) {
                return unavailable(String.valueOf(e.getMessage()), true);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                return unavailable("the reader was interrupted", false);
            }
        }
    }

    private <T> Answer<T> readRemote(ReadRequest<T> request, long most)
            throws IOException, InterruptedException {
        WireAnswer<T> answer = client.ask(partition, request, most);
        if (request instanceof ChangesRequest
                && answer.outcome() instanceof ReadOutcome.Served<T>) {
            followedNanos = nanoTime.getAsLong();
        }
        return new Answer<>(answer.outcome(), answer.state());
    }

    private <T> Answer<T> unavailable(String why, boolean asked) {
        return new Answer<>(
                new ReadOutcome.ReplicaUnavailable<>(
                        "partition %d at node %s: %s".formatted(partition, client.name(), why)),
                PartitionState.EMPTY,
                asked);
    }

    @Override
    public Subscription onChange(Runnable listener) {
        return listeners.add(listener);
    }
}
