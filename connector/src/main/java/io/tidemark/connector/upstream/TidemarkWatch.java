package io.tidemark.connector.upstream;

import io.tidemark.etcd.EtcdWatch;
import io.tidemark.etcd.ProgressSupport;
import io.tidemark.etcd.WatchEvent;
import io.tidemark.etcd.connection.EtcdException;
import io.tidemark.etcd.connection.EtcdException.Kind;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A watch of another Tidemark: a bounded queue of events, which {@link WatchReader} fills. The node
 * sends a bookmark after every batch of changes and ten times a second, and its state is newer
 * every second: one that stands still for {@link #STANDSTILL} is given up.
 */
final class TidemarkWatch implements EtcdWatch {
    static final Duration STANDSTILL = Duration.ofSeconds(15);

    private static final String CLOSED = "the watch is closed";
    private static final String STOOD_STILL =
            "the followed Tidemark has sent nothing new for %d s".formatted(STANDSTILL.toSeconds());

    /** Events that wait for the reader, of about a MiB each. */
    private static final int MAX_WAITING = 16;

    /**
     * @param asOfMillis as of when all events through this one are etcd's state; 0 when not known
     */
    private record Item(WatchEvent event, long asOfMillis) {}

    private final BlockingQueue<Item> waiting = new ArrayBlockingQueue<>(MAX_WAITING);
    private final LongSupplier nanoClock;
    private final Runnable stop;
    private final Runnable distrust;
    private volatile long advancedNanos;
    private volatile long deliveredMillis;
    private volatile WatchEvent.@Nullable End end;
    private volatile boolean closed;

    /**
     * @param nanoClock such as {@link System#nanoTime}
     * @param stop ends the reading, when the watch has ended or is closed; called more than once,
     *     from any thread
     * @param distrust called when the node failed, so that another is tried first
     */
    TidemarkWatch(
            WatchEvent.Created created, LongSupplier nanoClock, Runnable stop, Runnable distrust) {
        this.nanoClock = nanoClock;
        this.stop = stop;
        this.distrust = distrust;
        this.advancedNanos = nanoClock.getAsLong();
        waiting.add(new Item(created, 0));
    }

    /** A watch that the node refused. */
    static TidemarkWatch refused(WatchEvent.Created created, WatchEvent.End why) {
        TidemarkWatch watch = new TidemarkWatch(created, System::nanoTime, () -> {}, () -> {});
        watch.waiting.add(new Item(why, 0));
        return watch;
    }

    /**
     * Waits until the event fits into the queue.
     *
     * @param asOfMillis as of when all events through this one are etcd's state; 0 when not known
     */
    void put(WatchEvent event, long asOfMillis) throws InterruptedException {
        waiting.put(new Item(event, asOfMillis));
    }

    /** The node has sent something new. */
    void advanced() {
        advancedNanos = nanoClock.getAsLong();
    }

    @Override
    public Optional<WatchEvent> next(Duration timeout) throws InterruptedException {
        WatchEvent.End ended = end;
        if (ended != null) {
            return Optional.of(ended);
        }
        long wait = closed ? 0 : timeout.toNanos();
        Item item = waiting.poll(wait, TimeUnit.NANOSECONDS);
        if (item != null) {
            deliveredMillis = Math.max(deliveredMillis, item.asOfMillis());
            return Optional.of(
                    item.event() instanceof WatchEvent.End last ? end(last) : item.event());
        }
        if (closed) {
            return Optional.of(end(failed(CLOSED)));
        }
        return standsStill() ? Optional.of(end(failed(STOOD_STILL))) : Optional.empty();
    }

    private boolean standsStill() {
        return nanoClock.getAsLong() - advancedNanos > STANDSTILL.toNanos();
    }

    private static WatchEvent.End failed(String why) {
        return new WatchEvent.Failed(new EtcdException(Kind.UNAVAILABLE, why, null));
    }

    private WatchEvent end(WatchEvent.End last) {
        end = last;
        if (last instanceof WatchEvent.Failed && !closed) {
            distrust.run();
        }
        stop.run();
        return last;
    }

    @Override
    public ProgressSupport progressSupport() {
        return ProgressSupport.MANUAL;
    }

    /** Progress comes without a request, ten times a second. */
    @Override
    public boolean requestProgress() {
        return end == null && !closed;
    }

    @Override
    public OptionalLong deliveredAsOfMillis() {
        return OptionalLong.of(deliveredMillis);
    }

    @Override
    public void close() {
        closed = true;
        stop.run();
        // Wakes a reader that waits; one that comes later sees the flag.
        boolean _ = waiting.offer(new Item(failed(CLOSED), 0));
    }
}
