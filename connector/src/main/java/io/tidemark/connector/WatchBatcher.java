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
 * Makes events of a watch's signals: changes that have arrived behind each other become one batch,
 * for one mark. A revision larger than a batch becomes several. The feed's thread uses it.
 */
final class WatchBatcher {
    /** A batch takes what has arrived, up to these. */
    private static final int BATCH_CHANGES = 4_000;

    private static final long BATCH_BYTES = 4L * 1024 * 1024;

    /** What was found behind a batch and is no part of it. */
    private @Nullable WatchSignal held;

    private long drainedMillis = System.currentTimeMillis();

    /** Whether this watch has told all that had happened before it began. */
    private boolean caughtUp;

    /** Another watch will be read. */
    void reset() {
        held = null;
        caughtUp = false;
    }

    /** Whether it is known since when the watch is up to date; progress tells it. */
    boolean isCaughtUp() {
        return caughtUp;
    }

    /**
     * When nothing was left to be read: what has been read is etcd's state as of then, if there is
     * no {@link CatchUpDetector}.
     */
    long drainedMillis() {
        return drainedMillis;
    }

    /**
     * The next event; null when there was none for a little while.
     *
     * @param markedRevision progress at it is no news
     */
    @Nullable FeedEvent next(EtcdSource.Watch watch, FeedSchedule pace, long markedRevision)
            throws InterruptedException {
        WatchSignal signal = held;
        held = null;
        if (signal == null) {
            Optional<WatchSignal> came = watch.next(Duration.ZERO);
            if (came.isEmpty()) {
                came = watch.next(pace.pollTimeout());
                drainedMillis = System.currentTimeMillis();
            }
            if (came.isEmpty()) {
                return null;
            }
            signal = came.get();
        }
        pace.watchResponded(System.nanoTime());
        return switch (signal) {
            case WatchSignal.Opened(long clusterId) -> new FeedEvent.WatchOpened(clusterId);
            case WatchSignal.Changes changes -> batch(changes, watch, pace);
            case WatchSignal.Progress(long revision) -> {
                caughtUp = true;
                // Many barriers at one revision make one mark, not one each.
                boolean news = revision > markedRevision;
                yield news || pace.idle(System.nanoTime())
                        ? new FeedEvent.Progressed(revision)
                        : null;
            }
            case WatchSignal.Compacted(long revision) -> new FeedEvent.WatchCompacted(revision);
            case WatchSignal.Broken(String why) -> new FeedEvent.EtcdLost(why);
        };
    }

    /** These changes, and those that arrive behind them before a mark is due. */
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
                held = more.get();
                break;
            }
            events.addAll(changes.events());
            bytes += changes.size();
            whole = changes.whole();
        }
        return new FeedEvent.Changed(events, whole);
    }
}
