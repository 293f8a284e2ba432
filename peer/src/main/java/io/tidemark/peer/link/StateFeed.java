package io.tidemark.peer.link;

import io.tidemark.peer.wire.PushedChanges;
import io.tidemark.peer.wire.StateFrame;
import io.tidemark.peer.wire.WireAnswer;
import io.tidemark.view.PartitionDirectory;
import io.tidemark.view.PartitionState;
import io.tidemark.view.PartitionView;
import io.tidemark.view.PartitionView.Subscription;
import io.tidemark.view.request.ChangePage;
import io.tidemark.view.request.ChangePosition;
import io.tidemark.view.request.ChangesRequest;
import io.tidemark.view.request.ReadOutcome;
import io.tidemark.view.request.ReadRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/**
 * Makes the frames that keep one other node up to date with this node's replicas: their states when
 * they change, and a heartbeat when they do not. Changes while a frame is being sent are combined
 * in the next one. A node that is about to leave says so before its replicas go. A state update
 * carries the changes that led to it where the other node has subscribed, see {@link ChangeFeed}.
 *
 * <p>Its driver sends a frame whenever it is woken, and one per {@link #HEARTBEAT} otherwise. Only
 * {@link #next} and {@link #close} are for one thread.
 */
public final class StateFeed implements AutoCloseable {
    public static final Duration HEARTBEAT = Duration.ofMillis(300);

    /** A frame takes no further partition's changes beyond this. */
    private static final long PAGES_BYTES = 1 << 20;

    private final PartitionDirectory local;
    private final TimedRead timed;
    private final LongSupplier nanoTime;
    private final Runnable wake;
    private final Map<Integer, PartitionState> sentStates = new HashMap<>();
    private final Map<Integer, Subscription> followed = new HashMap<>();
    private final ConcurrentNavigableMap<Integer, ChangeFeed> feeds = new ConcurrentSkipListMap<>();
    private final AtomicBoolean moved = new AtomicBoolean(true);
    private int lastAsked = -1;
    private volatile boolean leaving;

    /**
     * @param timed reads the changes that are not in memory
     * @param nanoTime as {@link System#nanoTime}
     * @param wake called by any thread when there is more to send; must be quick
     */
    public StateFeed(
            PartitionDirectory local, TimedRead timed, LongSupplier nanoTime, Runnable wake) {
        this.local = local;
        this.timed = timed;
        this.nanoTime = nanoTime;
        this.wake = wake;
    }

    /** Sends with the next frame that this node is leaving. */
    public void leave() {
        leaving = true;
        wake();
    }

    /**
     * The other node got this answer: if it has read as far as it asked, the following changes are
     * pushed to it.
     */
    public <T> void answered(int partition, ReadRequest<T> request, WireAnswer<T> answer) {
        if (request instanceof ChangesRequest asked
                && answer.outcome() instanceof ReadOutcome.Served<T>(ChangePage page)
                && page.through().equals(ChangePosition.endOf(asked.throughRevision()))) {
            feeds.computeIfAbsent(partition, p -> new ChangeFeed(local.view(p), timed, nanoTime))
                    .follow(answer.state().epoch(), page.throughRevision());
        }
    }

    /** Whether there is more to send than a heartbeat. */
    public boolean hasMoved() {
        return moved.get();
    }

    /** The next frame; without content it is a heartbeat. */
    public StateFrame next() {
        moved.set(false);
        followNewPartitions();
        boolean last = leaving;
        Map<Integer, PartitionState> updates = changedStates();
        return new StateFrame(last, updates, pendingChanges());
    }

    private void wake() {
        if (!moved.getAndSet(true)) {
            wake.run();
        }
    }

    private void followNewPartitions() {
        for (int p = 0; p < local.partitions(); p++) {
            followed.computeIfAbsent(p, partition -> local.view(partition).onChange(this::wake));
        }
    }

    /**
     * At most one page per partition: the rest follows in the next frame. The frame is a heartbeat
     * too, so all pages together may take no longer than one.
     */
    private Map<Integer, PushedChanges> pendingChanges() {
        Map<Integer, PushedChanges> changes = new TreeMap<>();
        long deadline = nanoTime.getAsLong() + ChangeFeed.LONGEST_READ.toNanos();
        long bytes = 0;
        for (var feed : inTurn()) {
            int partition = feed.getKey();
            PartitionState state = sentStates.getOrDefault(partition, PartitionState.EMPTY);
            if (bytes >= PAGES_BYTES || nanoTime.getAsLong() - deadline >= 0) {
                moved.set(true);
                break;
            }
            lastAsked = partition;
            Optional<PushedChanges> next = feed.getValue().next(state);
            if (next.isPresent()) {
                changes.put(partition, next.get());
                bytes += next.get().page().bytes();
                if (next.get().page().throughRevision() < state.watermark()) {
                    moved.set(true);
                }
            }
        }
        return changes;
    }

    /** Begins after the last one asked: a frame may not have room for the changes of all. */
    private List<Map.Entry<Integer, ChangeFeed>> inTurn() {
        List<Map.Entry<Integer, ChangeFeed>> order =
                new ArrayList<>(feeds.tailMap(lastAsked, false).entrySet());
        order.addAll(feeds.headMap(lastAsked, true).entrySet());
        return order;
    }

    private Map<Integer, PartitionState> changedStates() {
        Map<Integer, PartitionState> updates = new TreeMap<>();
        for (int p = 0; p < local.partitions(); p++) {
            PartitionView view = local.view(p);
            PartitionState now = view.state();
            if (!now.equals(sentStates.put(p, now))) {
                updates.put(p, now);
            }
        }
        return updates;
    }

    @Override
    public void close() {
        followed.values().forEach(Subscription::close);
    }
}
