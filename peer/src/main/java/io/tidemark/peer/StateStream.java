package io.tidemark.peer;

import io.tidemark.peer.wire.PushedChanges;
import io.tidemark.peer.wire.StateFrame;
import io.tidemark.peer.wire.WireVersion;
import io.tidemark.view.PartitionDirectory;
import io.tidemark.view.PartitionState;
import io.tidemark.view.PartitionView;
import io.tidemark.view.PartitionView.Subscription;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends the states of this node's replicas to one other node: at once when they change, and as a
 * heartbeat when they do not. Changes during the write of a frame are combined in the next one. A
 * node that is about to leave says so before its replicas go. A state update carries the changes
 * that led to it where the other node has subscribed, see {@link ChangeFeed}.
 */
final class StateStream {
    static final Duration HEARTBEAT = Duration.ofMillis(300);

    /** A frame takes no further partition's changes beyond this. */
    private static final long PAGES_BYTES = 1 << 20;

    private final PartitionDirectory local;
    private final WireVersion version;
    private final Map<Integer, PartitionState> sentStates = new HashMap<>();
    private final Map<Integer, Subscription> followed = new HashMap<>();
    private final Map<Integer, ChangeFeed> feeds = new ConcurrentHashMap<>();
    private final AtomicBoolean moved = new AtomicBoolean();
    private final CountDownLatch leavingSent = new CountDownLatch(1);
    private volatile boolean leaving;
    private volatile @Nullable Thread writer;

    /**
     * @param version that the other node requested
     */
    StateStream(PartitionDirectory local, WireVersion version) {
        this.local = local;
        this.version = version;
    }

    /** Sends with the next frame that this node is leaving. */
    void leave() {
        leaving = true;
        wake();
    }

    /** The other node has read the changes of a partition through this revision. */
    void follow(int partition, long epoch, long throughRevision) {
        feeds.computeIfAbsent(partition, p -> new ChangeFeed(local.view(p), System::nanoTime))
                .follow(epoch, throughRevision);
    }

    /** Waits until the leaving notice has been sent, or the stream has ended. */
    void awaitLeavingSent(long deadlineNanos) throws InterruptedException {
        boolean _ = leavingSent.await(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    /** Writes frames until {@code ended}; throws when the other node has gone. */
    void writeTo(OutputStream stream, BooleanSupplier ended) throws IOException {
        DataOutputStream out = new DataOutputStream(stream);
        writer = Thread.currentThread();
        try {
            while (!ended.getAsBoolean()) {
                followNewPartitions();
                boolean last = leaving;
                Map<Integer, PartitionState> updates = changedStates();
                Map<Integer, PushedChanges> changes = pendingChanges();
                byte[] frame = version.encodeFrame(new StateFrame(last, updates, changes));
                out.writeInt(frame.length);
                out.write(frame);
                out.flush();
                if (last) {
                    leavingSent.countDown();
                }
                if (!moved.getAndSet(false)) {
                    LockSupport.parkNanos(this, HEARTBEAT.toNanos());
                    moved.set(false);
                }
                if (Thread.interrupted()) {
                    return;
                }
            }
        } finally {
            leavingSent.countDown();
            followed.values().forEach(Subscription::close);
        }
    }

    private void wake() {
        Thread sleeping = writer;
        if (!moved.getAndSet(true) && sleeping != null) {
            LockSupport.unpark(sleeping);
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
        long deadline = System.nanoTime() + ChangeFeed.LONGEST_READ.toNanos();
        long bytes = 0;
        for (var feed : feeds.entrySet()) {
            PartitionState state = sentStates.getOrDefault(feed.getKey(), PartitionState.EMPTY);
            if (bytes >= PAGES_BYTES || System.nanoTime() - deadline >= 0) {
                moved.set(true);
                break;
            }
            Optional<PushedChanges> next = feed.getValue().next(state);
            if (next.isPresent()) {
                changes.put(feed.getKey(), next.get());
                bytes += next.get().page().bytes();
                if (next.get().page().throughRevision() < state.watermark()) {
                    moved.set(true);
                }
            }
        }
        return changes;
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
}
