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
import io.tidemark.view.Projection;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the changes of one set of partitions once, for all who watch there. Its dispatcher runs
 * while somebody watches: it waits until all partitions have moved on, reads what is new in order
 * of revision, and posts it. With nobody watching it reads nothing.
 */
final class WatchDispatcher {
    private static final Logger LOG = LoggerFactory.getLogger(WatchDispatcher.class);

    /** How often the dispatcher looks for a new history and for its own end, when nothing moves. */
    private static final Duration LOOK_UP = Duration.ofMillis(500);

    private final PartitionSet partitions;
    private final ClusterView view;
    private final WatermarkTracker watermarks;
    private final WatchLimits limits;
    private final WindowBudget budget;
    private final EventDemux demux;
    private final Object lock = new Object();

    // Both guarded by lock.
    private int users;
    private @Nullable Thread dispatcher;

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

    EventDemux demux() {
        return demux;
    }

    /** Begins to read, if nobody did; must be followed by one {@link #release}. */
    void acquire() {
        synchronized (lock) {
            if (users++ == 0) {
                budget.enter();
                restartIfReady();
                dispatcher =
                        Thread.ofVirtual().name("watch-dispatch-" + partitions).start(this::run);
            }
        }
    }

    void release() {
        synchronized (lock) {
            if (--users > 0) {
                return;
            }
            budget.leave();
            if (dispatcher != null) {
                dispatcher.interrupt();
                dispatcher = null;
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
            // Nobody watches any more; a next one starts another dispatcher.
        }
    }

    private void awaitReady() throws InterruptedException {
        watermarks.await(partitions, 0, 0, System.nanoTime() + LOOK_UP.toNanos());
        synchronized (lock) {
            if (dispatcher == Thread.currentThread()) {
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
            // History was trimmed faster than it was read, or replaced: who depends on it must
            // know.
            e.replacement().ifPresentOrElse(this::suspend, this::fallBackAll);
        } catch (StatusException e) {
            LOG.warn("watching of partitions {} waits: {}", partitions, e.getMessage());
        } catch (RuntimeException e) {
            String id = UUID.randomUUID().toString();
            LOG.error("watching of partitions {} failed, id {}", partitions, id, e);
            suspend(StatusErrors.internal(id));
            Thread.sleep(LOOK_UP);
        }
    }

    /** Ends when another history begins or nobody is left, and by exception. */
    private void dispatch(long epoch, ChangePosition after) throws InterruptedException {
        MergedChanges changes =
                view.changes(
                        partitions, Bytes.EMPTY, epoch, after, limits.page(), Projection.WHOLE);
        while (isCurrent()) {
            long next = changes.through().wholeRevision() + 1;
            PartitionSetStatus status =
                    watermarks.await(
                            partitions, epoch, next, System.nanoTime() + LOOK_UP.toNanos());
            if (status.epoch() > epoch) {
                suspend(StatusErrors.historyReplaced(status.epoch()));
                return;
            }
            if (status.ready() && status.watermark() >= next) {
                ChangePage page = changes.next(status.watermark());
                postIfCurrent(page);
            }
        }
    }

    /** Not when nothing can be waited for any more, either: it would look again without a pause. */
    private boolean isCurrent() {
        synchronized (lock) {
            return dispatcher == Thread.currentThread() && !watermarks.closed();
        }
    }

    private void postIfCurrent(ChangePage page) {
        synchronized (lock) {
            if (dispatcher == Thread.currentThread()) {
                demux.publish(page);
            }
        }
    }

    private void fallBackAll() {
        synchronized (lock) {
            if (dispatcher == Thread.currentThread()) {
                demux.fallBackAll();
            }
        }
    }

    private void suspend(StatusException why) {
        synchronized (lock) {
            if (dispatcher == Thread.currentThread()) {
                demux.suspend(why);
            }
        }
    }
}
