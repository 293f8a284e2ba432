package io.tidemark.query.watch;

import io.tidemark.query.read.ClusterView;
import io.tidemark.query.read.MergedChanges;
import io.tidemark.query.read.PartitionSet;
import io.tidemark.query.read.RevisionExpiredException;
import io.tidemark.query.read.Tide;
import io.tidemark.query.read.Tides;
import io.tidemark.query.status.Refusals;
import io.tidemark.query.status.StatusException;
import io.tidemark.record.Bytes;
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
final class Channel {
    private static final Logger LOG = LoggerFactory.getLogger(Channel.class);

    /** How often the dispatcher looks for a new history and for its own end, when nothing moves. */
    private static final Duration LOOK_UP = Duration.ofMillis(500);

    private final PartitionSet partitions;
    private final ClusterView view;
    private final Tides tides;
    private final WatchLimits limits;
    private final WindowBudget budget;
    private final EventBoard board;
    private final Object lock = new Object();

    // Both guarded by lock.
    private int users;
    private @Nullable Thread dispatcher;

    Channel(
            PartitionSet partitions,
            ClusterView view,
            Tides tides,
            WatchLimits limits,
            WindowBudget budget) {
        this.partitions = partitions;
        this.view = view;
        this.tides = tides;
        this.limits = limits;
        this.budget = budget;
        this.board = new EventBoard(limits, budget);
    }

    EventBoard board() {
        return board;
    }

    /** Begins to read, if nobody did; must be followed by one {@link #release}. */
    void use() {
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
                board.suspend(Refusals.initializing());
            }
        }
    }

    private void run() {
        try {
            while (isCurrent()) {
                if (board.suspended()) {
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
        tides.await(partitions, 0, 0, System.nanoTime() + LOOK_UP.toNanos());
        synchronized (lock) {
            if (dispatcher == Thread.currentThread()) {
                restartIfReady();
            }
        }
    }

    private void restartIfReady() {
        Tide tide = tides.now(partitions);
        if (tide.ready() && tide.isSettled()) {
            board.restart(tide.epoch(), tide.watermark());
        }
    }

    private void dispatchOneHistory() throws InterruptedException {
        try {
            dispatch(board.epoch(), board.position());
        } catch (RevisionExpiredException e) {
            // History was trimmed faster than it was read, or replaced: who depends on it must
            // know.
            e.replacement().ifPresentOrElse(this::suspend, this::lose);
        } catch (StatusException e) {
            LOG.warn("watching of partitions {} waits: {}", partitions, e.getMessage());
        } catch (RuntimeException e) {
            String id = UUID.randomUUID().toString();
            LOG.error("watching of partitions {} failed, id {}", partitions, id, e);
            suspend(Refusals.internal(id));
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
            Tide tide = tides.await(partitions, epoch, next, System.nanoTime() + LOOK_UP.toNanos());
            if (tide.epoch() > epoch) {
                suspend(Refusals.historyReplaced(tide.epoch()));
                return;
            }
            if (tide.ready() && tide.watermark() >= next) {
                ChangePage page = changes.next(tide.watermark());
                postIfCurrent(page);
            }
        }
    }

    /** Not when nothing can be waited for any more, either: it would look again without a pause. */
    private boolean isCurrent() {
        synchronized (lock) {
            return dispatcher == Thread.currentThread() && !tides.closed();
        }
    }

    private void postIfCurrent(ChangePage page) {
        synchronized (lock) {
            if (dispatcher == Thread.currentThread()) {
                board.post(page);
            }
        }
    }

    private void lose() {
        synchronized (lock) {
            if (dispatcher == Thread.currentThread()) {
                board.lose();
            }
        }
    }

    private void suspend(StatusException why) {
        synchronized (lock) {
            if (dispatcher == Thread.currentThread()) {
                board.suspend(why);
            }
        }
    }
}
