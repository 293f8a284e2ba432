package io.tidemark.query.watch;

import io.tidemark.query.read.ClusterView;
import io.tidemark.query.read.MergedChanges;
import io.tidemark.query.read.PageLimits;
import io.tidemark.query.read.PartitionSet;
import io.tidemark.query.read.RevisionExpiredException;
import io.tidemark.query.read.Tide;
import io.tidemark.query.read.Tides;
import io.tidemark.query.status.Refusals;
import io.tidemark.query.status.StatusException;
import io.tidemark.record.Bytes;
import io.tidemark.view.ChangePage;
import io.tidemark.view.Projection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The watches of one node with the crank turned by hand: the hub's boards and cursors as they are,
 * and each channel's dispatcher one step at a time instead of in a thread of its own. It lies in
 * this package because those are nobody else's business.
 */
public final class SteppedWatches {
    private static final PageLimits PAGE = new PageLimits(6, 4_000);

    /** Small, so that windows are outrun and mailboxes overflow. */
    private static final WatchLimits LIMITS =
            new WatchLimits(1_000, 40, 1 << 20, 12, 1 << 20, PAGE);

    private final ClusterView view;
    private final Tides tides;
    private final WatchHub hub;
    private final UnaryOperator<ChangePage> merged;
    private final Map<PartitionSet, Stepped> channels = new HashMap<>();

    /**
     * @param merged what becomes of a page between the merge and the board
     */
    public SteppedWatches(ClusterView view, Tides tides, UnaryOperator<ChangePage> merged) {
        this.view = view;
        this.tides = tides;
        this.merged = merged;
        this.hub = new WatchHub(view, tides, LIMITS);
    }

    /** Begins to watch; the cursor's {@code next} is to be called with a time that is over. */
    public WatchCursor watch(
            Interest interest, PartitionSet partitions, long epoch, long afterRevision) {
        Stepped stepped = channels.computeIfAbsent(partitions, Stepped::new);
        return new WatchCursor(
                hub,
                hub.admit(),
                stepped.channel,
                interest,
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
        for (Stepped stepped : channels.values()) {
            more |= stepped.step();
        }
        return more;
    }

    /** A channel without its thread. */
    private final class Stepped {
        private final PartitionSet partitions;
        private final Channel channel;
        private @Nullable MergedChanges changes;

        Stepped(PartitionSet partitions) {
            this.partitions = partitions;
            this.channel =
                    new Channel(
                            partitions,
                            view,
                            tides,
                            LIMITS,
                            new WindowBudget(LIMITS.windowBytes()));
            restartIfReady();
        }

        private void restartIfReady() {
            Tide tide = tides.now(partitions);
            if (tide.ready() && tide.isSettled()) {
                channel.board().restart(tide.epoch(), tide.watermark());
                changes = null;
            }
        }

        boolean step() throws InterruptedException {
            EventBoard board = channel.board();
            if (board.suspended()) {
                restartIfReady();
                return false;
            }
            Tide tide = tides.now(partitions);
            if (tide.epoch() > board.epoch()) {
                board.suspend(Refusals.historyReplaced(tide.epoch()));
                return tide.ready();
            }
            try {
                post(board, tide);
            } catch (RevisionExpiredException e) {
                e.replacement().ifPresentOrElse(board::suspend, board::lose);
            } catch (StatusException _) {
                // It begins again where the board stands, as the dispatcher does.
                changes = null;
            }
            return tide.ready()
                    && (changes == null || changes.through().wholeRevision() < tide.watermark());
        }

        private void post(EventBoard board, Tide tide) throws InterruptedException {
            if (changes == null) {
                changes =
                        view.changes(
                                partitions,
                                Bytes.EMPTY,
                                board.epoch(),
                                board.position(),
                                PAGE,
                                Projection.WHOLE);
            }
            if (tide.ready() && tide.watermark() > changes.through().wholeRevision()) {
                board.post(merged.apply(changes.next(tide.watermark())));
            }
        }
    }
}
