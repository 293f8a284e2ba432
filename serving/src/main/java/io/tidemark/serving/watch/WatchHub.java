package io.tidemark.serving.watch;

import io.tidemark.record.Bytes;
import io.tidemark.serving.freshness.WatermarkTracker;
import io.tidemark.serving.read.ClusterView;
import io.tidemark.serving.read.MergedChanges;
import io.tidemark.serving.read.PartitionSet;
import io.tidemark.serving.status.StatusErrors;
import io.tidemark.view.object.Projection;
import io.tidemark.view.request.ChangePosition;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * All watches of this node: admits, drains and ends them; one dispatcher per watched partition set.
 */
public final class WatchHub implements AutoCloseable {
    /** Longest pause between two watches that are drained. */
    private static final Duration MAX_PAUSE = Duration.ofMillis(50);

    private final ClusterView view;
    private final WatermarkTracker watermarks;
    private final WatchLimits limits;
    private final DispatchRunner runner;
    private final LongSupplier nanoClock;
    private final WindowBudget windows;
    private final Semaphore slots;
    private final Map<PartitionSet, WatchDispatcher> dispatchers = new ConcurrentHashMap<>();
    private final Set<Admission> open = ConcurrentHashMap.newKeySet();
    private final AtomicLong admitted = new AtomicLong();

    /** Watches that are catching up, with the revision that each has reached. */
    private final Map<WatchCursor, Long> lagging = new ConcurrentHashMap<>();

    private volatile boolean draining;
    private final CatchUpBudget catchUpBudget;

    /** Number of open watches by client address. */
    private final Map<String, Integer> clients = new ConcurrentHashMap<>();

    private volatile boolean closed;

    public WatchHub(ClusterView view, WatermarkTracker watermarks, WatchLimits limits) {
        this(view, watermarks, limits, DispatchRunner.THREADS, System::nanoTime);
    }

    /**
     * @param nanoClock with another one than the system's, cursors must not wait
     */
    public WatchHub(
            ClusterView view,
            WatermarkTracker watermarks,
            WatchLimits limits,
            DispatchRunner runner,
            LongSupplier nanoClock) {
        this.runner = runner;
        this.nanoClock = nanoClock;
        this.view = view;
        this.watermarks = watermarks;
        this.limits = limits;
        this.windows = new WindowBudget(limits.windowBytes());
        this.slots = new Semaphore(limits.watches());
        this.catchUpBudget = new CatchUpBudget(limits.catchUpBytes(), limits.page());
    }

    /**
     * Admits a watch.
     *
     * @throws io.tidemark.serving.status.StatusException 429 when too many are open or the server
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
     * Admits a watch of a client with a limit per client.
     *
     * @param client the client's address
     * @param most limit of its open watches
     * @throws io.tidemark.serving.status.StatusException 429 also when it has reached its limit
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

    /** Upper bound of the bytes held by watches that are catching up. */
    public long catchUpBytes() {
        return catchUpBudget.held();
    }

    CatchUpBudget catchUpBudget() {
        return catchUpBudget;
    }

    /** Number of open watches. */
    public int watches() {
        return open.size();
    }

    /** Number of open watches that are catching up. */
    public long laggingWatches() {
        return lagging.size();
    }

    /** The smallest revision that a watch that is catching up has reached; empty without one. */
    public OptionalLong oldestLaggingRevision() {
        return lagging.values().stream().mapToLong(Long::longValue).min();
    }

    /** Whether watches are being ended, or have been. */
    public boolean draining() {
        return draining || closed;
    }

    /** Whether all watches have been ended. */
    public boolean closed() {
        return closed;
    }

    LongSupplier nanoClock() {
        return nanoClock;
    }

    WatermarkTracker watermarks() {
        return watermarks;
    }

    /** Notes that a watch is catching up, and how far it is. */
    void lags(WatchCursor watch, long revision) {
        lagging.put(watch, revision);
    }

    /** Notes that a watch has caught up or ended. */
    void caughtUp(WatchCursor watch) {
        lagging.remove(watch);
    }

    MergedChanges history(
            PartitionSet partitions,
            WatchFilter filter,
            long epoch,
            ChangePosition after,
            Projection projection) {
        Bytes prefix = filter.scope().key();
        // A watch that reads for itself needs only the projection, if that decides the selectors.
        Projection enough =
                filter.selection().isDecidedByMetadata() ? projection : Projection.WHOLE;
        return view.changes(partitions, prefix, epoch, after, limits.page(), enough);
    }

    /**
     * Ends the open watches, and those that begin meanwhile, one after the other, so that their
     * clients do not reconnect all at once. Returns when all have been signalled.
     *
     * @param longest the pauses shrink to fit all watches into it
     */
    public void drain(Duration longest) throws InterruptedException {
        Drain drain = beginDrain(longest, ThreadLocalRandom.current());
        for (Optional<Duration> pause = drain.next(); pause.isPresent(); pause = drain.next()) {
            Thread.sleep(pause.get());
        }
    }

    /**
     * The same for a caller that pauses by itself.
     *
     * @param random decides the order
     */
    public Drain beginDrain(Duration longest, RandomGenerator random) {
        draining = true;
        return new Drain(nanoClock.getAsLong() + longest.toNanos(), random);
    }

    /** Ends watches one at a time. */
    public final class Drain {
        private final long deadline;
        private final RandomGenerator random;
        private final Deque<Admission> next = new ArrayDeque<>();
        private Duration pause = Duration.ZERO;

        private Drain(long deadline, RandomGenerator random) {
            this.deadline = deadline;
            this.random = random;
        }

        /**
         * Signals the next watch that it ends.
         *
         * @return the pause after it; empty when all open watches have been signalled
         */
        public Optional<Duration> next() {
            if (next.isEmpty()) {
                next.addAll(openWatches(random));
                if (next.isEmpty()) {
                    return Optional.empty();
                }
                long left = Math.max(0, deadline - nanoClock.getAsLong());
                pause = Duration.ofNanos(Math.min(left / next.size(), MAX_PAUSE.toNanos()));
            }
            next.remove().end();
            return Optional.of(pause);
        }
    }

    /** In random order. */
    private List<Admission> openWatches(RandomGenerator random) {
        List<Admission> openWatches = new ArrayList<>(open);
        openWatches.removeIf(Admission::ending);
        openWatches.sort(Comparator.comparingLong(each -> each.number));
        Collections.shuffle(openWatches, random);
        return openWatches;
    }

    /** Ends all watches cleanly and admits no more. */
    @Override
    public void close() {
        closed = true;
        dispatchers.values().forEach(dispatcher -> dispatcher.demux().close());
    }

    /** An admitted watch's slot. Closing it frees the slot. */
    public static final class Admission implements AutoCloseable {
        private final WatchHub hub;

        private final long number;

        /** Empty when the client has no limit. */
        private final String client;

        private boolean held = true;
        private volatile boolean ending;
        private volatile @Nullable WatchCursor cursor;
        private volatile Runnable requireClient = () -> {};

        private Admission(WatchHub hub, String client) {
            this.hub = hub;
            this.number = hub.admitted.getAndIncrement();
            this.client = client;
        }

        /**
         * Starts the watch.
         *
         * @param afterRevision exclusive; may lie in the future
         */
        public WatchCursor watch(
                WatchFilter filter, PartitionSet partitions, long epoch, long afterRevision) {
            return watch(filter, partitions, epoch, afterRevision, Projection.WHOLE);
        }

        /**
         * Starts the watch.
         *
         * @param projection the part of each object that it sends; its events may hold more, not
         *     less
         */
        public WatchCursor watch(
                WatchFilter filter,
                PartitionSet partitions,
                long epoch,
                long afterRevision,
                Projection projection) {
            return watch(
                    filter, partitions, epoch, afterRevision, projection, new WatchBound.Present());
        }

        /** The same up to a revision. A watch with a bound always reads the history itself. */
        public WatchCursor watch(
                WatchFilter filter,
                PartitionSet partitions,
                long epoch,
                long afterRevision,
                Projection projection,
                WatchBound bound) {
            WatchDispatcher dispatcher =
                    hub.dispatchers.computeIfAbsent(
                            partitions,
                            set ->
                                    new WatchDispatcher(
                                            set,
                                            hub.view,
                                            hub.watermarks,
                                            hub.limits,
                                            hub.windows,
                                            hub.runner));
            if (bound instanceof WatchBound.Present) {
                dispatcher.acquire();
            }
            if (hub.closed) {
                dispatcher.demux().close();
            }
            WatchCursor begun =
                    new WatchCursor(
                            hub,
                            this,
                            dispatcher,
                            filter,
                            partitions,
                            epoch,
                            afterRevision,
                            projection,
                            bound);
            cursor = begun;
            return begun;
        }

        /**
         * Sets a check that runs before each page of a catch-up read.
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

        /** Whether the watch is being drained: it must not wait for more events. */
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
            if (held) {
                held = false;
                hub.open.remove(this);
                hub.slots.release();
                if (!client.isEmpty()) {
                    hub.leave(client);
                }
            }
        }
    }
}
