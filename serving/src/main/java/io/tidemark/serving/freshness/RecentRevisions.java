package io.tidemark.serving.freshness;

import io.tidemark.serving.read.ClusterView;
import io.tidemark.serving.read.ReadPoint;
import io.tidemark.serving.read.RevisionExpiredException;
import io.tidemark.view.request.RevisionAtTime;
import java.time.Duration;
import java.time.InstantSource;
import java.util.OptionalLong;

/**
 * Tells whether the state at a revision was etcd's within a time from now, by the times of tide
 * marks. Unknown ages count as older. Thread-safe.
 */
public final class RecentRevisions {
    /** The oldest recent revision is found out again after this time. */
    private static final long REUSE_MILLIS = 1_000;

    private final ClusterView view;
    private final InstantSource clock;
    private final long reachMillis;
    private volatile Oldest cached = new Oldest(-1, 0, 0);

    /**
     * The oldest recent revision.
     *
     * @param madeMillis when it was found out
     */
    private record Oldest(long epoch, long revision, long madeMillis) {}

    /**
     * @param reach how old a recent state may be
     */
    public RecentRevisions(ClusterView view, InstantSource clock, Duration reach) {
        this.view = view;
        this.clock = clock;
        this.reachMillis = reach.toMillis();
    }

    /** Whether a time is recent; a future one is. */
    public boolean isRecentTime(long timeMillis) {
        return timeMillis >= clock.millis() - reachMillis;
    }

    /**
     * Whether a revision is recent.
     *
     * @param newest the newest local state of the partitions that are asked
     * @param epoch that the revision belongs to
     */
    public boolean isRecent(ReadPoint newest, long epoch, long revision)
            throws InterruptedException {
        if (epoch != newest.epoch()) {
            return false;
        }
        return revision >= newest.revision() || revision >= oldest(newest);
    }

    private long oldest(ReadPoint newest) throws InterruptedException {
        long now = clock.millis();
        Oldest known = cached;
        long age = now - known.madeMillis();
        if (known.epoch() == newest.epoch() && age >= 0 && age < REUSE_MILLIS) {
            return known.revision();
        }
        OptionalLong found = find(newest, now - reachMillis);
        if (found.isEmpty()) {
            return newest.revision();
        }
        cached = new Oldest(newest.epoch(), found.getAsLong(), now);
        return found.getAsLong();
    }

    /** Empty while it is unknown. */
    private OptionalLong find(ReadPoint newest, long sinceMillis) throws InterruptedException {
        try {
            RevisionAtTime found = view.revisionAt(newest, sinceMillis);
            if (found.revision().isEmpty() && found.oldestMillis() > sinceMillis) {
                // The mirror's memory of times begins later: its beginning is recent.
                found = view.revisionAt(newest, found.oldestMillis());
            }
            return found.settled() ? found.revision() : OptionalLong.empty();
        } catch (RevisionExpiredException _) {
            return OptionalLong.empty();
        }
    }
}
