package io.tidemark.simulation.connector;

import io.tidemark.simulation.world.Scheduler;
import io.tidemark.simulation.world.Settings;
import java.util.ArrayList;
import java.util.List;

/**
 * Knows when transactions ended, and so which revisions a store may forget.
 *
 * <p>The next transaction repeats what an aborted one wrote. A store that has already trimmed these
 * changes, or that was rebuilt after the cleaner had removed their first part, cannot tell a
 * repetition from a change that it missed: it rightly gives up its history through there.
 */
public final class CommitGaps {
    private final Scheduler scheduler;
    private final long overdueMillis;
    private final List<CommitGap> gaps = new ArrayList<>();
    private long lastMillis;
    private boolean aborted;

    /** A time between two commits within which a transaction was aborted. */
    private record CommitGap(long fromMillis, long toMillis, boolean overdue) {}

    public CommitGaps(Scheduler scheduler, long historyMillis) {
        this.scheduler = scheduler;
        this.overdueMillis = historyMillis / 2;
        this.lastMillis = scheduler.nowMillis();
    }

    /** A connector has committed its writes. */
    public void committed() {
        if (aborted || isCommitOverdue()) {
            gaps.add(new CommitGap(lastMillis, scheduler.nowMillis(), isCommitOverdue()));
        }
        aborted = false;
        lastMillis = scheduler.nowMillis();
    }

    /** What a connector wrote since then is lost, or will be. */
    public void aborted() {
        aborted = true;
    }

    /** Whether the last commit is so long ago that the repetition lies past all windows. */
    public boolean isCommitOverdue() {
        return scheduler.nowMillis() - lastMillis > overdueMillis;
    }

    /**
     * The revision through which everything may be forgotten, given the one that may be anyway.
     *
     * @param borderMillis where the cleaner may have been
     */
    public long mayForgetThrough(long borderMillis) {
        long now = scheduler.nowMillis();
        if (isCommitOverdue() || (aborted && borderMillis >= lastMillis)) {
            return now;
        }
        long excused = borderMillis;
        for (CommitGap gap : gaps) {
            boolean inside = gap.fromMillis <= borderMillis && borderMillis <= gap.toMillis;
            if (gap.overdue) {
                // Stores that lag read the repetition later.
                excused = Math.max(excused, Math.min(now, gap.toMillis + Settings.QUIET_MILLIS));
            } else if (inside) {
                excused = Math.max(excused, gap.toMillis);
            }
        }
        return excused;
    }
}
