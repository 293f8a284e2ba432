package io.tidemark.query.seats;

import io.tidemark.query.seats.SeatQueue.Place;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** The seats of a node. Thread-safe; requests wait on their own threads. */
public final class Seats {
    private final SeatLimits limits;
    private final LongAdder refused = new LongAdder();

    // Both guarded by queue.
    private final SeatQueue queue;
    private final Map<Place, CountDownLatch> waiting = new HashMap<>();

    public Seats(SeatLimits limits) {
        this.limits = limits;
        this.queue = new SeatQueue(limits);
    }

    /** The seats of one request. Closing it frees them; only the first call counts. */
    @FunctionalInterface
    public interface Seat extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * Waits for seats.
     *
     * @param user who shares with others
     * @param seats that the request needs
     * @return empty when the queue is full, or there was no seat in time
     */
    public Optional<Seat> take(String user, int seats) throws InterruptedException {
        Place place;
        CountDownLatch called = new CountDownLatch(1);
        synchronized (queue) {
            Optional<Place> entered = queue.enter(user, seats);
            if (entered.isEmpty()) {
                refused.increment();
                return Optional.empty();
            }
            place = entered.get();
            if (place.isSeated()) {
                return Optional.of(() -> leave(place));
            }
            waiting.put(place, called);
        }
        boolean seated = false;
        try {
            seated = called.await(limits.longestWait().toNanos(), TimeUnit.NANOSECONDS);
        } finally {
            stopWaiting(place, seated);
        }
        if (!seated) {
            refused.increment();
            return Optional.empty();
        }
        return Optional.of(() -> leave(place));
    }

    /** Seats that came too late go to the next one. */
    private void stopWaiting(Place place, boolean seated) {
        synchronized (queue) {
            waiting.remove(place);
            if (!seated) {
                leave(place);
            }
        }
    }

    private void leave(Place place) {
        synchronized (queue) {
            List<Place> next = queue.leave(place);
            for (Place each : next) {
                CountDownLatch called = waiting.get(each);
                if (called != null) {
                    called.countDown();
                }
            }
        }
    }

    /** Seats that are taken. */
    public int taken() {
        synchronized (queue) {
            return queue.taken();
        }
    }

    /** Requests that wait for seats. */
    public int waiting() {
        synchronized (queue) {
            return queue.queued();
        }
    }

    /** Requests that got no seat, since the start. */
    public long refused() {
        return refused.sum();
    }
}
