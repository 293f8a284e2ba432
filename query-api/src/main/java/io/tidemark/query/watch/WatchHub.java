package io.tidemark.query.watch;

import io.tidemark.query.read.ClusterView;
import io.tidemark.query.read.MergedChanges;
import io.tidemark.query.read.PartitionSet;
import io.tidemark.query.read.Tides;
import io.tidemark.query.status.Refusals;
import io.tidemark.record.Bytes;
import io.tidemark.view.Projection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** All watches of this server: one channel for each set of partitions that is watched. */
public final class WatchHub implements AutoCloseable {
    private final ClusterView view;
    private final Tides tides;
    private final WatchLimits limits;
    private final Semaphore slots;
    private final Map<PartitionSet, Channel> channels = new ConcurrentHashMap<>();
    private final AtomicInteger open = new AtomicInteger();
    private final LongAdder lagging = new LongAdder();
    private volatile boolean closed;

    public WatchHub(ClusterView view, Tides tides, WatchLimits limits) {
        this.view = view;
        this.tides = tides;
        this.limits = limits;
        this.slots = new Semaphore(limits.watches());
    }

    /**
     * Takes one of the places for a watch.
     *
     * @throws io.tidemark.query.status.StatusException 429 when all are taken, or the server stops
     */
    public Admission admit() {
        if (closed || !slots.tryAcquire()) {
            throw Refusals.tooManyRequests(
                    closed ? "the server is stopping" : "too many watches are open");
        }
        open.incrementAndGet();
        return new Admission(this);
    }

    /** How many watches are open. */
    public int watches() {
        return open.get();
    }

    /** How many of them are reading on by themselves now. */
    public long laggingWatches() {
        return lagging.sum();
    }

    /** Whether all watches have been ended. */
    public boolean closed() {
        return closed;
    }

    Tides tides() {
        return tides;
    }

    LongAdder lagging() {
        return lagging;
    }

    MergedChanges history(
            PartitionSet partitions,
            Interest interest,
            long epoch,
            long afterRevision,
            Projection projection) {
        Bytes prefix = interest.scope().key();
        // Whoever reads for itself alone reads no more than it shows, if it can tell from that
        // whether it shows it.
        Projection enough =
                interest.selection().isDecidedByMetadata() ? projection : Projection.WHOLE;
        return view.changes(partitions, prefix, epoch, afterRevision, limits.page(), enough);
    }

    /** Ends all watches cleanly and admits no more. */
    @Override
    public void close() {
        closed = true;
        channels.values().forEach(channel -> channel.board().close());
    }

    /** A place for one watch. Closing it gives it back. */
    public static final class Admission implements AutoCloseable {
        private final WatchHub hub;
        private boolean given = true;

        private Admission(WatchHub hub) {
            this.hub = hub;
        }

        /**
         * Begins to watch.
         *
         * @param afterRevision exclusive; may lie in the future
         */
        public WatchCursor watch(
                Interest interest, PartitionSet partitions, long epoch, long afterRevision) {
            return watch(interest, partitions, epoch, afterRevision, Projection.WHOLE);
        }

        /**
         * The same.
         *
         * @param projection how much of the objects it shows: its events may hold more, not less
         */
        public WatchCursor watch(
                Interest interest,
                PartitionSet partitions,
                long epoch,
                long afterRevision,
                Projection projection) {
            Channel channel =
                    hub.channels.computeIfAbsent(
                            partitions, set -> new Channel(set, hub.view, hub.tides, hub.limits));
            channel.use();
            if (hub.closed) {
                channel.board().close();
            }
            return new WatchCursor(
                    hub, channel, interest, partitions, epoch, afterRevision, projection);
        }

        @Override
        public void close() {
            if (given) {
                given = false;
                hub.open.decrementAndGet();
                hub.slots.release();
            }
        }
    }
}
