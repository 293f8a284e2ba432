package io.tidemark.connector;

import io.tidemark.connector.feed.FeedEvent;
import io.tidemark.connector.feed.FeedSchedule;
import io.tidemark.connector.source.EtcdEvent;
import io.tidemark.connector.source.EtcdSource;
import io.tidemark.connector.source.WatchSignal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Turns a watch's signals into feed events: consecutive changes become one batch, for one mark. A
 * revision larger than a batch becomes several. The feed's thread uses it.
 */
final class WatchBatcher {
    /** Limits of a batch, which otherwise takes all that has arrived. */
    private static final int BATCH_CHANGES = 4_000;

    private static final long BATCH_BYTES = 4L * 1024 * 1024;

    /** A signal that was polled after a batch and is no part of it. */
    private @Nullable WatchSignal lookahead;

    private long drainedMillis = System.currentTimeMillis();

    /** Whether this watch has delivered everything from before it began. */
    private boolean caughtUp;

    /** Prepares for another watch. */
    void reset() {
        lookahead = null;
        caughtUp = false;
    }

    /** Whether the watch has caught up, which only a progress signal shows. */
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
    @Nullable FeedEvent next(EtcdSource.Watch watch, FeedSchedule pace, long markedRevision)
            throws InterruptedException {
        WatchSignal signal = lookahead;
        lookahead = null;
        if (signal == null) {
            Optional<WatchSignal> polled = watch.next(Duration.ZERO);
            if (polled.isEmpty()) {
                polled = watch.next(pace.pollTimeout());
                drainedMillis = System.currentTimeMillis();
            }
            if (polled.isEmpty()) {
                return null;
            }
            signal = polled.get();
        }
        pace.watchResponded(System.nanoTime());
        return switch (signal) {
            case WatchSignal.Opened(long clusterId) -> new FeedEvent.WatchOpened(clusterId);
            case WatchSignal.Changes changes -> batch(changes, watch, pace);
            case WatchSignal.Progress(long revision) -> {
                caughtUp = true;
                // Many barriers at one revision share one mark.
                boolean advances = revision > markedRevision;
                yield advances || pace.idle(System.nanoTime())
                        ? new FeedEvent.Progressed(revision)
                        : null;
            }
            case WatchSignal.Compacted(long revision) -> new FeedEvent.WatchCompacted(revision);
            case WatchSignal.Broken(String why) -> new FeedEvent.EtcdLost(why);
        };
    }

    /** These changes, and those that arrive after them before a mark is due. */
    private FeedEvent batch(WatchSignal.Changes first, EtcdSource.Watch watch, FeedSchedule pace)
            throws InterruptedException {
        List<EtcdEvent> events = new ArrayList<>(first.events());
        long bytes = first.size();
        boolean whole = first.whole();
        while (events.size() < BATCH_CHANGES && bytes < BATCH_BYTES) {
            Optional<WatchSignal> more = watch.next(pace.batchDelay(System.nanoTime()));
            if (more.isEmpty()) {
                drainedMillis = System.currentTimeMillis();
                break;
            }
            if (!(more.get() instanceof WatchSignal.Changes changes)) {
                lookahead = more.get();
                break;
            }
            events.addAll(changes.events());
            bytes += changes.size();
            whole = changes.whole();
        }
        return new FeedEvent.Changed(events, whole);
    }
}
