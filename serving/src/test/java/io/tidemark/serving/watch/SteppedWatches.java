package io.tidemark.serving.watch;

import io.tidemark.record.Bytes;
import io.tidemark.serving.read.ClusterView;
import io.tidemark.serving.read.MergedChanges;
import io.tidemark.serving.read.PageLimits;
import io.tidemark.serving.read.PartitionSet;
import io.tidemark.serving.read.PartitionSetStatus;
import io.tidemark.serving.read.RevisionExpiredException;
import io.tidemark.serving.read.WatermarkTracker;
import io.tidemark.serving.status.StatusErrors;
import io.tidemark.serving.status.StatusException;
import io.tidemark.view.ChangePage;
import io.tidemark.view.object.Projection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The watches of one node without threads: production's hub, demuxes and cursors, and each
 * dispatcher run one step at a time by the simulation. It is in this package because those are
 * package-private.
 */
public final class SteppedWatches {
    private static final PageLimits PAGE = new PageLimits(6, 4_000);

    /** Small, so that watchers fall behind windows and mailboxes overflow. */
    private static final WatchLimits LIMITS =
            new WatchLimits(1_000, 40, 1 << 20, 12, 1 << 20, PAGE);

    private final ClusterView view;
    private final WatermarkTracker watermarks;
    private final WatchHub hub;
    private final UnaryOperator<ChangePage> merged;
    private final Map<PartitionSet, SteppedDispatcher> channels = new HashMap<>();

    /**
     * @param merged maps a page between the merge and the demux
     */
    public SteppedWatches(
            ClusterView view, WatermarkTracker watermarks, UnaryOperator<ChangePage> merged) {
        this.view = view;
        this.watermarks = watermarks;
        this.merged = merged;
        this.hub = new WatchHub(view, watermarks, LIMITS);
    }

    /** Begins to watch; call the cursor's {@code next} with a time that is over. */
    public WatchCursor watch(
            WatchFilter filter, PartitionSet partitions, long epoch, long afterRevision) {
        SteppedDispatcher stepped = channels.computeIfAbsent(partitions, SteppedDispatcher::new);
        return new WatchCursor(
                hub,
                hub.admit(),
                stepped.channel,
                filter,
                partitions,
                epoch,
                afterRevision,
                Projection.WHOLE);
    }

    /**
     * Every dispatcher does one round.
     *
     * @return whether one of them has more to do
     */
    public boolean step() throws InterruptedException {
        boolean more = false;
        for (SteppedDispatcher stepped : channels.values()) {
            more |= stepped.step();
        }
        return more;
    }

    /** A dispatcher without its thread. */
    private final class SteppedDispatcher {
        private final PartitionSet partitions;
        private final WatchDispatcher channel;
        private @Nullable MergedChanges changes;

        SteppedDispatcher(PartitionSet partitions) {
            this.partitions = partitions;
            this.channel =
                    new WatchDispatcher(
                            partitions,
                            view,
                            watermarks,
                            LIMITS,
                            new WindowBudget(LIMITS.windowBytes()));
            restartIfReady();
        }

        private void restartIfReady() {
            PartitionSetStatus status = watermarks.status(partitions);
            if (status.ready() && status.hasCommonRevision()) {
                channel.demux().restart(status.epoch(), status.watermark());
                changes = null;
            }
        }

        boolean step() throws InterruptedException {
            EventDemux demux = channel.demux();
            if (demux.suspended()) {
                restartIfReady();
                return false;
            }
            PartitionSetStatus status = watermarks.status(partitions);
            if (status.epoch() > demux.epoch()) {
                demux.suspend(StatusErrors.historyReplaced(status.epoch()));
                return status.ready();
            }
            try {
                post(demux, status);
            } catch (RevisionExpiredException e) {
                e.replacement().ifPresentOrElse(demux::suspend, demux::fallBackAll);
            } catch (StatusException _) {
                // It resumes at the demux's position, as the dispatcher does.
                changes = null;
            }
            return status.ready()
                    && (changes == null || changes.through().wholeRevision() < status.watermark());
        }

        private void post(EventDemux demux, PartitionSetStatus status) throws InterruptedException {
            if (changes == null) {
                changes =
                        view.changes(
                                partitions,
                                Bytes.EMPTY,
                                demux.epoch(),
                                demux.position(),
                                PAGE,
                                Projection.WHOLE);
            }
            if (status.ready() && status.watermark() > changes.through().wholeRevision()) {
                demux.publish(merged.apply(changes.next(status.watermark())));
            }
        }
    }
}
