package io.tidemark.serving.freshness;

import io.tidemark.serving.read.KeyScope;
import io.tidemark.serving.read.PartitionSet;
import io.tidemark.serving.read.PartitionSetStatus;
import io.tidemark.serving.status.StatusErrors;
import io.tidemark.view.PartitionDirectory;
import io.tidemark.view.PartitionView;
import io.tidemark.view.PartitionView.Subscription;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * Tracks the watermarks of all partitions and wakes requests that wait for a revision. A
 * partition's watermark is the revision through which its replicas have applied every change; a set
 * of partitions can be read at the lowest of theirs, if all are in the same epoch, which is one
 * unbroken revision history. When a view of a partition has advanced, the thread that applies
 * changes wakes a few waiters itself, such as dispatchers. If there are more, one thread checks
 * them, so that neither the thread that applies changes nor a waiting request pays for the others.
 */
public final class WatermarkTracker implements AutoCloseable {
    /** A view may be replaced without notice, so the thread looks them up again this often. */
    private static final Duration RECHECK_INTERVAL = Duration.ofMillis(200);

    /** The thread that applies changes checks so many waiters itself. */
    private static final int FEW = 16;

    private final PartitionDirectory directory;
    private final Duration recheckInterval;
    private final int few;
    private final Set<Waiter> waiters = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean advanced = new AtomicBoolean();
    private final Map<Integer, Followed> subscribed = new HashMap<>();
    private final Thread thread;
    private volatile boolean closed;

    /** Tracks nothing before {@link #start}. */
    public WatermarkTracker(PartitionDirectory directory) {
        this(directory, RECHECK_INTERVAL, FEW);
    }

    WatermarkTracker(PartitionDirectory directory, Duration recheckInterval, int few) {
        this.directory = directory;
        this.recheckInterval = recheckInterval;
        this.few = few;
        this.thread =
                Thread.ofPlatform().name("tidemark-watermarks").daemon().unstarted(this::track);
    }

    /** Starts the thread; once. */
    public void start() {
        thread.start();
    }

    /** The number of partitions; 0 while it is unknown. */
    public int partitions() {
        return directory.partitions();
    }

    /**
     * The partitions of a scope.
     *
     * @throws io.tidemark.serving.status.StatusException 429 while their number is not known
     */
    public PartitionSet partitionsOf(KeyScope scope) {
        int partitions = directory.partitions();
        if (partitions < 1) {
            throw StatusErrors.initializing();
        }
        return PartitionSet.of(scope, partitions);
    }

    /**
     * All partitions of the mirror.
     *
     * @throws io.tidemark.serving.status.StatusException 429 while their number is not known
     */
    public PartitionSet allPartitions() {
        int partitions = directory.partitions();
        if (partitions < 1) {
            throw StatusErrors.initializing();
        }
        return new PartitionSet(0, partitions);
    }

    /** The current epoch, watermark and readiness of some partitions; does not wait. */
    public PartitionSetStatus status(PartitionSet partitions) {
        return PartitionSetStatus.of(partitions, directory);
    }

    /**
     * Waits until every change through a revision is applied in each of the partitions, or a later
     * epoch has begun.
     *
     * @param epoch of the revision; 0 to wait only until the partitions can be read
     * @param deadlineNanos as of {@link System#nanoTime}
     * @return the status then, or at the deadline, or once this is closed: the caller checks which
     */
    public PartitionSetStatus await(
            PartitionSet partitions, long epoch, long revision, long deadlineNanos)
            throws InterruptedException {
        PartitionSetStatus status = status(partitions);
        if (status.reached(epoch, revision)) {
            return status;
        }
        Waiter waiter = new Waiter(partitions, epoch, revision, Thread.currentThread());
        waiters.add(waiter);
        try {
            while (true) {
                // Again, since a view may have advanced before the waiter was added.
                status = status(partitions);
                long left = deadlineNanos - System.nanoTime();
                if (status.reached(epoch, revision) || left <= 0 || closed) {
                    return status;
                }
                LockSupport.parkNanos(waiter, left);
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
            }
        } finally {
            waiters.remove(waiter);
        }
    }

    /** Wakes all waiters; they return the current status. */
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }

    /** Whether {@link #await} returns at once. */
    public boolean closed() {
        return closed;
    }

    private void track() {
        while (!closed) {
            subscribeToCurrentViews();
            advanced.set(false);
            // After the subscription, since a view may have advanced before it.
            wakeSatisfiedWaiters();
            if (!advanced.get()) {
                LockSupport.parkNanos(this, recheckInterval.toNanos());
            }
        }
        subscribed.values().forEach(Followed::end);
        waiters.forEach(waiter -> LockSupport.unpark(waiter.thread()));
    }

    private void wakeSatisfiedWaiters() {
        if (waiters.isEmpty()) {
            return;
        }
        Map<PartitionSet, PartitionSetStatus> seen = new HashMap<>();
        for (Waiter waiter : waiters) {
            PartitionSetStatus status = seen.computeIfAbsent(waiter.partitions(), this::status);
            if (status.reached(waiter.epoch(), waiter.revision())) {
                LockSupport.unpark(waiter.thread());
            }
        }
    }

    private void subscribeToCurrentViews() {
        for (int p = 0; p < directory.partitions(); p++) {
            PartitionView view = directory.view(p);
            Followed before = subscribed.get(p);
            if (before == null || before.view() != view) {
                subscribed.put(p, new Followed(view, view.onChange(this::viewAdvanced)));
                if (before != null) {
                    before.end();
                }
            }
        }
    }

    private void viewAdvanced() {
        if (waiters.size() <= few) {
            wakeSatisfiedWaiters();
        } else if (!advanced.getAndSet(true)) {
            LockSupport.unpark(thread);
        }
    }

    private record Followed(PartitionView view, Subscription subscription) {
        void end() {
            subscription.close();
        }
    }

    /** Unique by its thread: a thread waits once at a time. */
    private record Waiter(PartitionSet partitions, long epoch, long revision, Thread thread) {}
}
