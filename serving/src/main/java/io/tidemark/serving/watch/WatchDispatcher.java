package io.tidemark.serving.watch;

import io.tidemark.record.Bytes;
import io.tidemark.serving.freshness.WatermarkTracker;
import io.tidemark.serving.read.ClusterView;
import io.tidemark.serving.read.MergedChanges;
import io.tidemark.serving.read.PartitionSet;
import io.tidemark.serving.read.PartitionSetStatus;
import io.tidemark.serving.read.RevisionExpiredException;
import io.tidemark.serving.status.StatusErrors;
import io.tidemark.serving.status.StatusException;
import io.tidemark.view.object.Projection;
import io.tidemark.view.request.ChangePage;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the changes of one set of partitions once for all its watches and publishes them to an
 * {@link EventDemux}, which puts each event into the mailboxes of the watches whose filter it
 * matches. It runs while there are watches: when the watermark of every partition has advanced, it
 * reads the new changes in revision order and publishes them. A watch whose mailbox overflows does
 * not delay it: that watch reads what it lacks from the stores and joins again.
 *
 * <p>A history is an epoch. When another one begins, all watches of the old one end. When changes
 * were compacted before this has read them, each watch continues by itself from its own cursor.
 */
final class WatchDispatcher {
    private static final Logger LOG = LoggerFactory.getLogger(WatchDispatcher.class);

    /** How often an idle dispatcher checks for a new history and for its own end. */
    private static final Duration POLL_INTERVAL = Duration.ofMillis(500);

    private final PartitionSet partitions;
    private final ClusterView view;
    private final WatermarkTracker watermarks;
    private final WatchLimits limits;
    private final WindowBudget budget;
    private final DispatchRunner runner;
    private final EventDemux demux;
    private final Object lock = new Object();

    // All guarded by lock.
    private int users;
    private @Nullable Dispatch current;
    private Runnable stop = () -> {};

    WatchDispatcher(
            PartitionSet partitions,
            ClusterView view,
            WatermarkTracker watermarks,
            WatchLimits limits,
            WindowBudget budget,
            DispatchRunner runner) {
        this.partitions = partitions;
        this.view = view;
        this.watermarks = watermarks;
        this.limits = limits;
        this.budget = budget;
        this.runner = runner;
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
                Dispatch begun = new Dispatch();
                current = begun;
                stop = runner.start("watch-dispatch-" + partitions, begun);
            }
        }
    }

    /** Removes a watch; reading ends with the last one. */
    void release() {
        synchronized (lock) {
            if (--users > 0) {
                return;
            }
            budget.leave();
            if (current != null) {
                current = null;
                stop.run();
                demux.suspend(StatusErrors.initializing());
            }
        }
    }

    private void restartIfReady() {
        PartitionSetStatus status = watermarks.status(partitions);
        if (status.ready() && status.hasCommonRevision()) {
            demux.restart(status.epoch(), status.watermark());
        }
    }

    /** From the first watch to the last one; the next watch begins another. */
    private final class Dispatch implements DispatchRunner.Loop {
        /** Null until a history is read. */
        private @Nullable MergedChanges changes;

        private boolean failed;

        /** False also once the tracker is closed: its waits return at once, and this would spin. */
        @Override
        public boolean isCurrent() {
            synchronized (lock) {
                return current == this && !watermarks.closed();
            }
        }

        @Override
        public boolean turn() throws InterruptedException {
            if (demux.suspended()) {
                changes = null;
                ifCurrent(WatchDispatcher.this::restartIfReady);
                return !demux.suspended();
            }
            try {
                return dispatch(demux.epoch());
            } catch (RevisionExpiredException e) {
                e.replacement().ifPresentOrElse(this::suspend, () -> ifCurrent(demux::fallBackAll));
            } catch (StatusException e) {
                LOG.warn(
                        "watch dispatch for partitions {} delayed: {}", partitions, e.getMessage());
            } catch (RuntimeException e) {
                String id = UUID.randomUUID().toString();
                LOG.error("watch dispatch for partitions {} failed, id {}", partitions, id, e);
                suspend(StatusErrors.internal(id));
                failed = true;
                return false;
            }
            // It resumes at the demux's position.
            changes = null;
            return true;
        }

        private boolean dispatch(long epoch) throws InterruptedException {
            MergedChanges reading = reading(epoch);
            PartitionSetStatus status = watermarks.status(partitions);
            if (status.epoch() > epoch) {
                suspend(StatusErrors.historyReplaced(status.epoch()));
                return true;
            }
            if (!status.ready() || status.watermark() <= reading.through().wholeRevision()) {
                return false;
            }
            ChangePage page = reading.next(status.watermark());
            ifCurrent(() -> demux.publish(page));
            return reading.through().wholeRevision() < status.watermark();
        }

        private MergedChanges reading(long epoch) {
            MergedChanges reading = changes;
            if (reading == null) {
                reading =
                        view.changes(
                                partitions,
                                Bytes.EMPTY,
                                epoch,
                                demux.position(),
                                limits.page(),
                                Projection.WHOLE);
                changes = reading;
            }
            return reading;
        }

        @Override
        public void park() throws InterruptedException {
            if (failed) {
                failed = false;
                Thread.sleep(POLL_INTERVAL);
                return;
            }
            long until = System.nanoTime() + POLL_INTERVAL.toNanos();
            MergedChanges reading = changes;
            if (reading != null) {
                long next = reading.through().wholeRevision() + 1;
                PartitionSetStatus _ = watermarks.await(partitions, demux.epoch(), next, until);
                return;
            }
            PartitionSetStatus status = watermarks.status(partitions);
            long epoch = status.ready() ? status.epoch() : 0;
            long common = status.ready() ? status.settledFrom() : 0;
            PartitionSetStatus _ = watermarks.await(partitions, epoch, common, until);
        }

        private void ifCurrent(Runnable action) {
            synchronized (lock) {
                if (current == this) {
                    action.run();
                }
            }
        }

        private void suspend(StatusException why) {
            ifCurrent(() -> demux.suspend(why));
        }
    }
}
