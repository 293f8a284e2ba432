package io.tidemark.serving.watch;

import io.tidemark.record.Bytes;
import io.tidemark.serving.read.ClusterView;
import io.tidemark.serving.read.MergedChanges;
import io.tidemark.serving.read.PartitionSet;
import io.tidemark.serving.read.WatermarkTracker;
import io.tidemark.serving.status.StatusErrors;
import io.tidemark.view.ChangePosition;
import io.tidemark.view.Projection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** All watches of this server: one channel for each set of partitions that is watched. */
public final class WatchHub implements AutoCloseable {
    /** Few watches need not take long to end. */
    private static final Duration APART = Duration.ofMillis(50);

    private final ClusterView view;
    private final WatermarkTracker watermarks;
    private final WatchLimits limits;
    private final WindowBudget windows;
    private final Semaphore slots;
    private final Map<PartitionSet, WatchDispatcher> channels = new ConcurrentHashMap<>();
    private final Set<Admission> open = ConcurrentHashMap.newKeySet();
    private final LongAdder lagging = new LongAdder();
    private volatile boolean draining;
    private final CatchUpBudget catchUpBudget;

    /** Watches of each client that has any. */
    private final Map<String, Integer> clients = new ConcurrentHashMap<>();

    private volatile boolean closed;

    public WatchHub(ClusterView view, WatermarkTracker watermarks, WatchLimits limits) {
        this.view = view;
        this.watermarks = watermarks;
        this.limits = limits;
        this.windows = new WindowBudget(limits.windowBytes());
        this.slots = new Semaphore(limits.watches());
        this.catchUpBudget = new CatchUpBudget(limits.catchUpBytes(), limits.page());
    }

    /**
     * Takes one of the places for a watch.
     *
     * @throws io.tidemark.serving.status.StatusException 429 when all are taken, or the server
     *     stops
     */
    public Admission admit() {
        takeSlot();
        return admitted("");
    }

    private Admission admitted(String client) {
        Admission admission = new Admission(this, client);
        open.add(admission);
        return admission;
    }

    private void takeSlot() {
        if (closed || !slots.tryAcquire()) {
            throw StatusErrors.tooManyRequests(
                    closed ? "the server is stopping" : "too many watches are open");
        }
    }

    /**
     * The same for a client that may not have all of them.
     *
     * @param client its address
     * @param most how many it may have
     * @throws io.tidemark.serving.status.StatusException 429 also when it has so many
     */
    public Admission admit(String client, int most) {
        int[] before = {0};
        clients.compute(
                client,
                (_, had) -> {
                    before[0] = had == null ? 0 : had;
                    return before[0] < most ? before[0] + 1 : had;
                });
        if (before[0] >= most) {
            throw StatusErrors.tooManyRequests("too many watches of this client are open");
        }
        try {
            takeSlot();
            return admitted(client);
        } catch (RuntimeException e) {
            leave(client);
            throw e;
        }
    }

    private void leave(String client) {
        clients.computeIfPresent(client, (_, had) -> had == 1 ? null : had - 1);
    }

    /** Bytes, at most, that watches hold which read on by themselves. */
    public long catchUpBytes() {
        return catchUpBudget.held();
    }

    CatchUpBudget catchUpBudget() {
        return catchUpBudget;
    }

    /** How many watches are open. */
    public int watches() {
        return open.size();
    }

    /** How many of them are reading on by themselves now. */
    public long laggingWatches() {
        return lagging.sum();
    }

    /** Whether watches are being ended, or have been. */
    public boolean draining() {
        return draining || closed;
    }

    /** Whether all watches have been ended. */
    public boolean closed() {
        return closed;
    }

    WatermarkTracker watermarks() {
        return watermarks;
    }

    LongAdder lagging() {
        return lagging;
    }

    MergedChanges history(
            PartitionSet partitions,
            WatchFilter filter,
            long epoch,
            ChangePosition after,
            Projection projection) {
        Bytes prefix = filter.scope().key();
        // Whoever reads for itself alone reads no more than it shows, if it can tell from that
        // whether it shows it.
        Projection enough =
                filter.selection().isDecidedByMetadata() ? projection : Projection.WHOLE;
        return view.changes(partitions, prefix, epoch, after, limits.page(), enough);
    }

    /**
     * Ends the watches one after the other, so that their clients do not all come back at once:
     * those that are open, and those that begin meanwhile. Returns when all have been told.
     *
     * @param longest they are told faster where there are many
     */
    public void drain(Duration longest) throws InterruptedException {
        draining = true;
        long deadline = System.nanoTime() + longest.toNanos();
        List<Admission> openWatches = openWatches();
        while (!openWatches.isEmpty()) {
            long left = Math.max(0, deadline - System.nanoTime());
            Duration pause = Duration.ofNanos(Math.min(left / openWatches.size(), APART.toNanos()));
            for (Admission each : openWatches) {
                each.end();
                Thread.sleep(pause);
            }
            openWatches = openWatches();
        }
    }

    /** In no order that anybody could foresee. */
    private List<Admission> openWatches() {
        List<Admission> openWatches = new ArrayList<>(open);
        openWatches.removeIf(Admission::ending);
        Collections.shuffle(openWatches);
        return openWatches;
    }

    /** Ends all watches cleanly and admits no more. */
    @Override
    public void close() {
        closed = true;
        channels.values().forEach(channel -> channel.demux().close());
    }

    /** A place for one watch. Closing it gives it back. */
    public static final class Admission implements AutoCloseable {
        private final WatchHub hub;

        /** Empty for one that is not counted. */
        private final String client;

        private boolean given = true;
        private volatile boolean ending;
        private volatile @Nullable WatchCursor cursor;
        private volatile Runnable requireClient = () -> {};

        private Admission(WatchHub hub, String client) {
            this.hub = hub;
            this.client = client;
        }

        /**
         * Begins to watch.
         *
         * @param afterRevision exclusive; may lie in the future
         */
        public WatchCursor watch(
                WatchFilter filter, PartitionSet partitions, long epoch, long afterRevision) {
            return watch(filter, partitions, epoch, afterRevision, Projection.WHOLE);
        }

        /**
         * The same.
         *
         * @param projection how much of the objects it shows: its events may hold more, not less
         */
        public WatchCursor watch(
                WatchFilter filter,
                PartitionSet partitions,
                long epoch,
                long afterRevision,
                Projection projection) {
            WatchDispatcher channel =
                    hub.channels.computeIfAbsent(
                            partitions,
                            set ->
                                    new WatchDispatcher(
                                            set,
                                            hub.view,
                                            hub.watermarks,
                                            hub.limits,
                                            hub.windows));
            channel.acquire();
            if (hub.closed) {
                channel.demux().close();
            }
            WatchCursor begun =
                    new WatchCursor(
                            hub,
                            this,
                            channel,
                            filter,
                            partitions,
                            epoch,
                            afterRevision,
                            projection);
            cursor = begun;
            return begun;
        }

        /**
         * Has something checked before each page that the watch reads from the history.
         *
         * @param check throws {@link io.tidemark.serving.read.ClientDisconnectedException} when the
         *     client has left
         */
        public void requireBeforeReading(Runnable check) {
            requireClient = check;
        }

        void requireClient() {
            requireClient.run();
        }

        /** Whether the watch is to end where it stands: it shall not wait for more. */
        public boolean ending() {
            return ending;
        }

        private void end() {
            ending = true;
            WatchCursor waiting = cursor;
            if (waiting != null) {
                waiting.wake();
            }
        }

        @Override
        public void close() {
            if (given) {
                given = false;
                hub.open.remove(this);
                hub.slots.release();
                if (!client.isEmpty()) {
                    hub.leave(client);
                }
            }
        }
    }
}
