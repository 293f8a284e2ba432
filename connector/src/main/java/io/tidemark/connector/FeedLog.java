package io.tidemark.connector;

import io.tidemark.concurrent.TimeSource;
import io.tidemark.connector.ConnectorStatus.Phase;
import io.tidemark.connector.feed.FeedState;
import io.tidemark.connector.metrics.ConnectorMetrics;
import io.tidemark.connector.metrics.TermGauges;
import io.tidemark.connector.source.EtcdView;
import io.tidemark.etcd.ProgressSupport;
import java.time.Duration;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Logs the feed's transitions and derives the connector's status from them. The feed's thread
 * writes; any thread reads the status.
 */
final class FeedLog {
    private static final Logger LOG = LoggerFactory.getLogger(FeedLog.class);
    private static final long LOG_INTERVAL = Duration.ofSeconds(5).toNanos();

    private final ConnectorMetrics metrics;
    private final TermGauges term;
    private final TimeSource time;
    private long listBegan;
    private long loggedAt;
    private boolean checkedWhileFollowing;
    private volatile long replayThrough;
    private volatile long listed;
    private volatile long total;
    private volatile double perSecond;
    private volatile String lastError = "";

    FeedLog(ConnectorMetrics metrics, TimeSource time) {
        this.metrics = metrics;
        this.term = metrics.term();
        this.time = time;
    }

    void moved(FeedState from, FeedState to) {
        if (to instanceof FeedState.Verifying) {
            checkedWhileFollowing = from instanceof FeedState.Following;
        }
        switch (to) {
            case FeedState.Listing list -> listing(from, list);
            case FeedState.Following following -> following(from, following);
            case FeedState.NewEpoch begun when !from.equals(to) -> {
                LOG.warn("new epoch {}, relisting: {}", begun.epoch(), begun.why());
                lastError = begun.why();
            }
            case FeedState.Waiting waiting -> {
                LOG.warn("{}; retrying", waiting.why());
                lastError = waiting.why();
            }
            case FeedState.Stopped stopped -> {
                // A fenced connector leads again, or another one does.
                Level level = stopped.end() == FeedState.End.FENCED ? Level.WARN : Level.ERROR;
                LOG.atLevel(level).log("stopped: {}", stopped.why());
                lastError = stopped.why();
            }
            case FeedState.Gap gap when !from.equals(to) ->
                    LOG.warn(
                            "gap: etcd compacted through revision {}, the mirror is complete"
                                    + " through {} only; loading the topic's keys, to write the"
                                    + " differences in this epoch",
                            gap.compactRevision(),
                            gap.marked().revision());
            case FeedState.ReconcilingGap reconciling -> reconciling(from, reconciling);
            case FeedState.OpeningTopic(EtcdView etcd) ->
                    LOG.info(
                            "etcd {} of cluster {} is at revision {}; opening the topic",
                            etcd.version(),
                            Long.toHexString(etcd.clusterId()),
                            etcd.revision());
            case FeedState.Idle _,
                    FeedState.Checking _,
                    FeedState.Verifying _,
                    FeedState.FindingBackfillRevision _,
                    FeedState.NewEpoch _,
                    FeedState.Gap _ -> {}
        }
    }

    private void listing(FeedState from, FeedState.Listing list) {
        long now = time.nanoTime();
        if (!(from instanceof FeedState.Listing)) {
            listBegan = now;
            loggedAt = now;
            LOG.info("listing at revision {}, epoch {}", list.revision(), list.epoch());
        }
        count(list.objects(), list.objects() + list.remaining(), now);
        if (now - loggedAt >= LOG_INTERVAL) {
            loggedAt = now;
            LOG.info("listed {}", counts());
        }
    }

    private void reconciling(FeedState from, FeedState.ReconcilingGap reconciling) {
        long now = time.nanoTime();
        if (!(from instanceof FeedState.ReconcilingGap)) {
            listBegan = now;
            loggedAt = now;
            LOG.info(
                    "comparing the topic's keys with etcd at revision {}",
                    reconciling.etcd().revision());
        }
        count(reconciling.objects(), reconciling.objects() + reconciling.remaining(), now);
        if (now - loggedAt >= LOG_INTERVAL) {
            loggedAt = now;
            LOG.info("compared {}", counts());
        }
    }

    private void count(long objects, long all, long now) {
        listed = objects;
        total = all;
        perSecond = objects * 1e9 / Math.max(1, now - listBegan);
    }

    private String counts() {
        return String.format(Locale.ROOT, "%,d of %,d objects, %,.0f/s", listed, total, perSecond);
    }

    private void following(FeedState from, FeedState.Following following) {
        long marked = following.marked().revision();
        long now = time.nanoTime();
        boolean resumed = from instanceof FeedState.Verifying && checkedWhileFollowing;
        if (from instanceof FeedState.Following || resumed) {
            if (now - loggedAt >= LOG_INTERVAL && marked < replayThrough) {
                loggedAt = now;
                LOG.info("replaying: at revision {} of {}", marked, replayThrough);
            }
            return;
        }
        if (from instanceof FeedState.Listing) {
            count(total, total, now);
            if (LOG.isInfoEnabled()) {
                LOG.info("listed {}", counts());
            }
        }
        loggedAt = now;
        replayThrough = following.etcd().revision();
        LOG.info(
                "following from revision {}, epoch {}; etcd is at {}",
                marked + 1,
                following.marked().epoch(),
                replayThrough);
        if (following.etcd().progress() == ProgressSupport.PERIODIC) {
            LOG.warn(
                    "etcd {} cannot be asked for watch progress (3.4.31, 3.5.13 and newer can):"
                        + " using its periodic notices; freshness on a quiet prefix depends on its"
                        + " flag --experimental-watch-progress-notify-interval",
                    following.etcd().version());
        }
    }

    ConnectorStatus status(FeedState state, long epoch) {
        return new ConnectorStatus(
                phase(state),
                listed,
                total,
                perSecond,
                epoch,
                term.markedRevision(),
                term.etcdRevision(),
                metrics.changes(),
                metrics.deadLetters(),
                term.unreadableKeys(),
                metrics.gaps(),
                lastError);
    }

    /** A mark is sent before all partitions have it. */
    private long acknowledged(long sent) {
        return Math.min(sent, term.markedRevision());
    }

    private Phase phase(FeedState state) {
        return switch (state) {
            case FeedState.Idle _, FeedState.Checking _, FeedState.OpeningTopic _ -> Phase.STARTING;
            case FeedState.FindingBackfillRevision _, FeedState.NewEpoch _, FeedState.Verifying _ ->
                    Phase.STARTING;
            case FeedState.Listing _, FeedState.Gap _, FeedState.ReconcilingGap _ -> Phase.LISTING;
            case FeedState.Following(EtcdView etcd, var marked) ->
                    acknowledged(marked.revision()) < replayThrough
                                    && etcd.progress() == ProgressSupport.MANUAL
                            ? Phase.REPLAYING
                            : Phase.FOLLOWING;
            case FeedState.Waiting _ -> Phase.WAITING;
            case FeedState.Stopped _ -> Phase.FAILED;
        };
    }
}
