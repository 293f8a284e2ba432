package io.tidemark.connector;

import io.tidemark.concurrent.TimeSource;
import io.tidemark.connector.feed.FeedEvent;
import io.tidemark.connector.feed.FeedSchedule;
import io.tidemark.etcd.EtcdWatch;
import io.tidemark.etcd.KeyChange;
import io.tidemark.etcd.WatchEvent;
import io.tidemark.etcd.connection.EtcdException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Turns a watch's events into the feed's: consecutive changes become one batch, for one mark. A
 * revision larger than a batch becomes several. The feed's thread uses it.
 */
final class WatchBatcher {
    /** Limits of a batch, which otherwise takes all that has arrived. */
    private static final int BATCH_CHANGES = 4_000;

    private static final long BATCH_BYTES = 4L * 1024 * 1024;

    /** An event that was polled after a batch and is no part of it. */
    private @Nullable WatchEvent lookahead;

    private final TimeSource time;
    private long drainedMillis;

    /** Whether this watch has delivered everything from before it began. */
    private boolean caughtUp;

    WatchBatcher(TimeSource time) {
        this.time = time;
        this.drainedMillis = time.currentTimeMillis();
    }

    /** Prepares for another watch. */
    void reset() {
        lookahead = null;
        caughtUp = false;
    }

    /** Whether the watch has caught up, which only a progress event shows. */
    boolean isCaughtUp() {
        return caughtUp;
    }

    /**
     * When the watch last had nothing left to read: what has been read is etcd's state as of then,
     * unless the {@link CatchUpDetector} reports a lag.
     */
    long drainedMillis() {
        return drainedMillis;
    }

    /**
     * The next event; null when none arrived in the poll interval.
     *
     * @param markedRevision the last mark; progress at it adds nothing
     */
    @Nullable FeedEvent next(EtcdWatch watch, FeedSchedule pace, long markedRevision)
            throws InterruptedException {
        WatchEvent event = lookahead;
        lookahead = null;
        if (event == null) {
            Optional<WatchEvent> polled = watch.next(Duration.ZERO);
            if (polled.isEmpty()) {
                polled = watch.next(pace.pollTimeout());
                drainedMillis = time.currentTimeMillis();
            }
            if (polled.isEmpty()) {
                return null;
            }
            event = polled.get();
        }
        pace.watchResponded(time.nanoTime());
        return switch (event) {
            case WatchEvent.Created(_, long clusterId) -> new FeedEvent.WatchOpened(clusterId);
            case WatchEvent.Changes changes -> batch(changes, watch, pace);
            case WatchEvent.Progress(long revision) -> {
                caughtUp = true;
                long now = time.nanoTime();
                // Many barriers at one revision share one mark.
                boolean due =
                        revision == markedRevision ? pace.isHeartbeatDue(now) : pace.idle(now);
                yield revision > markedRevision || due ? new FeedEvent.Progressed(revision) : null;
            }
            case WatchEvent.Compacted(long revision) -> new FeedEvent.WatchCompacted(revision);
            case WatchEvent.Failed(EtcdException cause) ->
                    new FeedEvent.EtcdLost(String.valueOf(cause.getMessage()));
        };
    }

    /** These changes, and those that arrive after them before a mark is due. */
    private FeedEvent batch(WatchEvent.Changes first, EtcdWatch watch, FeedSchedule pace)
            throws InterruptedException {
        List<KeyChange> batch = new ArrayList<>(first.changes());
        long bytes = first.size();
        boolean whole = first.isWhole();
        while (batch.size() < BATCH_CHANGES && bytes < BATCH_BYTES) {
            Optional<WatchEvent> more = watch.next(pace.batchDelay(time.nanoTime()));
            if (more.isEmpty()) {
                drainedMillis = time.currentTimeMillis();
                break;
            }
            if (!(more.get() instanceof WatchEvent.Changes changes)) {
                lookahead = more.get();
                break;
            }
            batch.addAll(changes.changes());
            bytes += changes.size();
            whole = changes.isWhole();
        }
        return new FeedEvent.Changed(batch, whole);
    }
}
