package io.tidemark.serving.watch;

import io.tidemark.record.Bytes;
import io.tidemark.serving.read.ClusterView;
import io.tidemark.serving.read.MergedChanges;
import io.tidemark.serving.read.PartitionSet;
import io.tidemark.serving.read.PartitionSetStatus;
import io.tidemark.serving.read.RevisionExpiredException;
import io.tidemark.serving.read.WatermarkTracker;
import io.tidemark.serving.status.StatusErrors;
import io.tidemark.serving.status.StatusException;
import io.tidemark.view.ChangePage;
import io.tidemark.view.ChangePosition;
import io.tidemark.view.object.Projection;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the changes of one set of partitions once for all its watches and publishes them to an
 * {@link EventDemux}, which puts each event into the mailboxes of the watches whose filter it
 * matches. Its thread runs while there are watches: it waits until the watermark of every partition
 * has advanced, reads the new changes in revision order and publishes them. A watch whose mailbox
 * overflows does not delay it: that watch reads what it lacks from the stores and joins again.
 *
 * <p>A history is an epoch. When another one begins, all watches of the old one end. When changes
 * were compacted before this has read them, each watch continues by itself from its own cursor.
 */
final class WatchDispatcher {
    private static final Logger LOG = LoggerFactory.getLogger(WatchDispatcher.class);

    /** How often an idle thread checks for a new history and for its own end. */
    private static final Duration POLL_INTERVAL = Duration.ofMillis(500);

    private final PartitionSet partitions;
    private final ClusterView view;
    private final WatermarkTracker watermarks;
    private final WatchLimits limits;
    private final WindowBudget budget;
    private final EventDemux demux;
    private final Object lock = new Object();

    // Both guarded by lock.
    private int users;
    private @Nullable Thread thread;

    WatchDispatcher(
            PartitionSet partitions,
            ClusterView view,
            WatermarkTracker watermarks,
            WatchLimits limits,
            WindowBudget budget) {
        this.partitions = partitions;
        this.view = view;
        this.watermarks = watermarks;
        this.limits = limits;
        this.budget = budget;
        this.demux = new EventDemux(limits, budget);
    }

    /** Where watches join; suspended, which lets none join, until this has a readable revision. */
    EventDemux demux() {
        return demux;
    }

    /** Adds a watch and starts reading with the first one; pairs with {@link #release}. */
    void acquire() {
        synchronized (lock) {
            if (users++ == 0) {
                budget.enter();
                restartIfReady();
                thread = Thread.ofVirtual().name("watch-dispatch-" + partitions).start(this::run);
            }
        }
    }

    /** Removes a watch; the thread ends with the last one. */
    void release() {
        synchronized (lock) {
            if (--users > 0) {
                return;
            }
            budget.leave();
            if (thread != null) {
                thread.interrupt();
                thread = null;
                demux.suspend(StatusErrors.initializing());
            }
        }
    }

    private void run() {
        try {
            while (isCurrent()) {
                if (demux.suspended()) {
                    awaitReady();
                } else {
                    dispatchOneHistory();
                }
            }
        } catch (InterruptedException _) {
            // The last watch has left; the next one starts another thread.
        }
    }

    /** Waits until all partitions can be read at one revision, and starts publishing after it. */
    private void awaitReady() throws InterruptedException {
        watermarks.await(partitions, 0, 0, System.nanoTime() + POLL_INTERVAL.toNanos());
        synchronized (lock) {
            if (thread == Thread.currentThread()) {
                restartIfReady();
            }
        }
    }

    private void restartIfReady() {
        PartitionSetStatus status = watermarks.status(partitions);
        if (status.ready() && status.hasCommonRevision()) {
            demux.restart(status.epoch(), status.watermark());
        }
    }

    private void dispatchOneHistory() throws InterruptedException {
        try {
            dispatch(demux.epoch(), demux.position());
        } catch (RevisionExpiredException e) {
            e.replacement().ifPresentOrElse(this::suspend, this::fallBackAll);
        } catch (StatusException e) {
            LOG.warn("watch dispatch for partitions {} delayed: {}", partitions, e.getMessage());
        } catch (RuntimeException e) {
            String id = UUID.randomUUID().toString();
            LOG.error("watch dispatch for partitions {} failed, id {}", partitions, id, e);
            suspend(StatusErrors.internal(id));
            Thread.sleep(POLL_INTERVAL);
        }
    }

    /** Returns when another history begins or no watch is left. */
    private void dispatch(long epoch, ChangePosition after) throws InterruptedException {
        MergedChanges changes =
                view.changes(
                        partitions, Bytes.EMPTY, epoch, after, limits.page(), Projection.WHOLE);
        while (isCurrent()) {
            long next = changes.through().wholeRevision() + 1;
            PartitionSetStatus status =
                    watermarks.await(
                            partitions, epoch, next, System.nanoTime() + POLL_INTERVAL.toNanos());
            if (status.epoch() > epoch) {
                suspend(StatusErrors.historyReplaced(status.epoch()));
                return;
            }
            if (status.ready() && status.watermark() >= next) {
                ChangePage page = changes.next(status.watermark());
                publishIfCurrent(page);
            }
        }
    }

    /**
     * False also once the tracker is closed: its waits return at once, and the thread would spin.
     */
    private boolean isCurrent() {
        synchronized (lock) {
            return thread == Thread.currentThread() && !watermarks.closed();
        }
    }

    private void publishIfCurrent(ChangePage page) {
        synchronized (lock) {
            if (thread == Thread.currentThread()) {
                demux.publish(page);
            }
        }
    }

    private void fallBackAll() {
        synchronized (lock) {
            if (thread == Thread.currentThread()) {
                demux.fallBackAll();
            }
        }
    }

    private void suspend(StatusException why) {
        synchronized (lock) {
            if (thread == Thread.currentThread()) {
                demux.suspend(why);
            }
        }
    }
}
