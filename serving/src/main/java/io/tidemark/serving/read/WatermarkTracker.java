package io.tidemark.serving.read;

import io.tidemark.serving.status.StatusErrors;
import io.tidemark.view.PartitionDirectory;
import io.tidemark.view.PartitionState;
import io.tidemark.view.PartitionView;
import io.tidemark.view.PartitionView.Subscription;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * Watches how far partitions have come, and wakes whoever waits for a revision. One thread looks at
 * the waiting ones when a view says that it moved on, so that neither the thread that applies
 * changes nor a waiting request pays for the others.
 */
public final class WatermarkTracker implements AutoCloseable {
    /** A view may be replaced without a word, so it is looked for again this often. */
    private static final long RECHECK_NANOS = 200_000_000;

    private final PartitionDirectory directory;
    private final Set<Waiter> waiters = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean moved = new AtomicBoolean();
    private final Map<Integer, Followed> followed = new HashMap<>();
    private final Thread thread;
    private volatile boolean closed;

    public WatermarkTracker(PartitionDirectory directory) {
        this.directory = directory;
        this.thread = Thread.ofPlatform().name("tidemark-tides").daemon().unstarted(this::follow);
    }

    public void start() {
        thread.start();
    }

    /** How many partitions there are; 0 while that is not known. */
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
     * @throws io.tidemark.serving.status.StatusException 429 while their number is not known
     */
    public PartitionSet allPartitions() {
        int partitions = directory.partitions();
        if (partitions < 1) {
            throw StatusErrors.initializing();
        }
        return new PartitionSet(0, partitions);
    }

    /** Where a set of partitions stands now. */
    public PartitionSetStatus status(PartitionSet partitions) {
        return PartitionSetStatus.of(partitions, states(partitions));
    }

    /**
     * Waits until everything through a revision is here, in that history or a later one.
     *
     * @param deadlineNanos as of {@link System#nanoTime}
     * @return how it stands then, or at the deadline
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

    /** Wakes all who wait: they see how it stands, and no more comes. */
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }

    /** Whether nobody is made to wait here any more. */
    public boolean closed() {
        return closed;
    }

    private PartitionState[] states(PartitionSet partitions) {
        PartitionState[] states = new PartitionState[partitions.endExclusive()];
        for (int p = partitions.first(); p < partitions.endExclusive(); p++) {
            states[p] = directory.view(p).state();
        }
        return states;
    }

    private void follow() {
        while (!closed) {
            subscribeToCurrentViews();
            if (!moved.getAndSet(false)) {
                LockSupport.parkNanos(this, RECHECK_NANOS);
                moved.set(false);
            }
            wakeSatisfiedWaiters();
        }
        followed.values().forEach(Followed::end);
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
            Followed before = followed.get(p);
            if (before == null || before.view() != view) {
                followed.put(p, new Followed(view, view.onChange(this::viewMoved)));
                if (before != null) {
                    before.end();
                }
            }
        }
    }

    private void viewMoved() {
        if (!moved.getAndSet(true)) {
            LockSupport.unpark(thread);
        }
    }

    private record Followed(PartitionView view, Subscription subscription) {
        void end() {
            subscription.close();
        }
    }

    /** Compared by identity through its thread: a thread waits once at a time. */
    private record Waiter(PartitionSet partitions, long epoch, long revision, Thread thread) {}
}
