package io.tidemark.peer;

import io.tidemark.peer.wire.PushedChanges;
import io.tidemark.peer.wire.StateCodec;
import io.tidemark.peer.wire.StateFrame;
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
 * Tells one other node where the copies here stand: at once when they move, and that it is alive
 * when they do not. Moves that come while a frame is written are told together in the next one. A
 * node that is about to leave says so before its copies go. What changed is told with it where the
 * other node follows that, see {@link ChangeFeed}.
 */
final class StateStream {
    static final Duration HEARTBEAT = Duration.ofMillis(300);

    /** No further partition's changes are put into a frame after so many bytes of them. */
    private static final long PAGES_BYTES = 1 << 20;

    private final PartitionDirectory local;
    private final Map<Integer, PartitionState> sentStates = new HashMap<>();
    private final Map<Integer, Subscription> followed = new HashMap<>();
    private final Map<Integer, ChangeFeed> feeds = new ConcurrentHashMap<>();
    private final AtomicBoolean moved = new AtomicBoolean();
    private final CountDownLatch leavingSent = new CountDownLatch(1);
    private volatile boolean leaving;
    private volatile @Nullable Thread writer;

    StateStream(PartitionDirectory local) {
        this.local = local;
    }

    /** Has the other node told, with the next frame, that the copies here will be gone. */
    void leave() {
        leaving = true;
        wake();
    }

    /**
     * The other node reads the changes of a partition and has come to the end of what there was.
     */
    void follow(int partition, long epoch, long throughRevision) {
        feeds.computeIfAbsent(partition, p -> new ChangeFeed(local.view(p), System::nanoTime))
                .follow(epoch, throughRevision);
    }

    /** Waits until that has been sent, or cannot be. */
    void awaitLeavingSent(long deadlineNanos) throws InterruptedException {
        boolean _ = leavingSent.await(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    /** Writes until it should end, or the other node has gone, by exception. */
    void writeTo(OutputStream stream, BooleanSupplier ended) throws IOException {
        DataOutputStream out = new DataOutputStream(stream);
        writer = Thread.currentThread();
        try {
            while (!ended.getAsBoolean()) {
                followNewPartitions();
                boolean last = leaving;
                Map<Integer, PartitionState> news = changedStates();
                Map<Integer, PushedChanges> changes = pendingChanges();
                byte[] frame = StateCodec.frame(new StateFrame(last, news, changes));
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
     * Of each no more than a page: what it leaves, and what is left out here, comes next. The frame
     * is a heartbeat too, so all of them together wait no longer than one of them may.
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
        Map<Integer, PartitionState> news = new TreeMap<>();
        for (int p = 0; p < local.partitions(); p++) {
            PartitionView view = local.view(p);
            PartitionState now = view.state();
            if (!now.equals(sentStates.put(p, now))) {
                news.put(p, now);
            }
        }
        return news;
    }
}
