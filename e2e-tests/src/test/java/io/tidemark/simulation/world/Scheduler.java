package io.tidemark.simulation.world;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/**
 * One seed, one thread, virtual time: everything that happens in a simulation is an event of this
 * queue, in order of time, ties in order of scheduling. So a seed determines the whole run.
 */
public final class Scheduler {
    private static final int TRACE_LENGTH = 2_000;

    /** Far enough from zero that "an hour ago" is a valid time. */
    private static final long START_MILLIS = 1_700_000_000_000L;

    private final SplittableRandom random;
    private final PriorityQueue<Event> queue = new PriorityQueue<>();
    private final List<Runnable> afterEachEvent = new ArrayList<>();
    private final CoverageCounts census = new CoverageCounts();
    private final boolean traced;
    private final Deque<String> trace = new ArrayDeque<>();
    private long nowMillis = START_MILLIS;
    private long sequence;
    private long executed;

    public Scheduler(long seed) {
        this(seed, true);
    }

    /**
     * @param traced whether to keep notes
     */
    public Scheduler(long seed, boolean traced) {
        this.random = new SplittableRandom(seed);
        this.traced = traced;
    }

    /** Counts what happens. */
    public CoverageCounts census() {
        return census;
    }

    public void count(CoverageEvent what) {
        census.count(what);
    }

    public SplittableRandom random() {
        return random;
    }

    /** True once in {@code times} calls on average. */
    public boolean oneIn(int times) {
        return random.nextInt(times) == 0;
    }

    /** Uniform between both bounds, inclusive. */
    public long between(long low, long high) {
        return random.nextLong(low, high + 1);
    }

    public <T> T pick(List<T> candidates) {
        return candidates.get(random.nextInt(candidates.size()));
    }

    public long nowMillis() {
        return nowMillis;
    }

    /** The same time in nanoseconds, for production's clocks. */
    public long nowNanos() {
        return nowMillis * 1_000_000;
    }

    /** Since the beginning of the run. */
    public long elapsedMillis() {
        return nowMillis - START_MILLIS;
    }

    public InstantSource clock() {
        return () -> Instant.ofEpochMilli(nowMillis);
    }

    public long executed() {
        return executed;
    }

    /** Runs {@code action} after {@code delayMillis} of virtual time, at least 0. */
    public Handle after(long delayMillis, String what, Runnable action) {
        if (delayMillis < 0) {
            throw new IllegalArgumentException("delay " + delayMillis);
        }
        Event event = new Event(nowMillis + delayMillis, sequence++, what, action);
        queue.add(event);
        return event;
    }

    /** Runs {@code action} again and again until its handle is cancelled; the gap is random. */
    public Handle every(long lowMillis, long highMillis, String what, Runnable action) {
        Repeating repeating = new Repeating(lowMillis, highMillis, what, action);
        repeating.next();
        return repeating;
    }

    /** Runs {@code check} after every event. */
    public void afterEachEvent(Runnable check) {
        afterEachEvent.add(check);
    }

    /** Notes an event for the trace of a failure; the newest lines are kept. */
    public void note(Supplier<String> line) {
        if (!traced) {
            return;
        }
        if (trace.size() == TRACE_LENGTH) {
            trace.removeFirst();
        }
        trace.addLast("%8d ms  %s".formatted(elapsedMillis(), line.get()));
    }

    public List<String> trace() {
        return List.copyOf(trace);
    }

    /** Runs everything due within the next {@code millis}; then time is at their end. */
    public void advance(long millis) {
        long until = nowMillis + millis;
        while (!queue.isEmpty() && queue.peek().atMillis <= until) {
            Event event = queue.remove();
            if (event.cancelled) {
                continue;
            }
            nowMillis = event.atMillis;
            executed++;
            event.action.run();
            for (Runnable check : afterEachEvent) {
                check.run();
            }
        }
        nowMillis = until;
    }

    /** A scheduled event that can still be cancelled. */
    public interface Handle {
        void cancel();
    }

    private final class Repeating implements Handle {
        private final long lowMillis;
        private final long highMillis;
        private final String what;
        private final Runnable action;
        private boolean cancelled;

        Repeating(long lowMillis, long highMillis, String what, Runnable action) {
            this.lowMillis = lowMillis;
            this.highMillis = highMillis;
            this.what = what;
            this.action = action;
        }

        void next() {
            var unused =
                    after(
                            between(lowMillis, highMillis),
                            what,
                            () -> {
                                if (!cancelled) {
                                    action.run();
                                    next();
                                }
                            });
        }

        @Override
        public void cancel() {
            cancelled = true;
        }
    }

    private static final class Event implements Comparable<Event>, Handle {
        private final long atMillis;
        private final long sequence;
        private final String what;
        private final Runnable action;
        private boolean cancelled;

        Event(long atMillis, long sequence, String what, Runnable action) {
            this.atMillis = atMillis;
            this.sequence = sequence;
            this.what = what;
            this.action = action;
        }

        @Override
        public void cancel() {
            cancelled = true;
        }

        @Override
        public int compareTo(Event other) {
            int byTime = Long.compare(atMillis, other.atMillis);
            return byTime != 0 ? byTime : Long.compare(sequence, other.sequence);
        }

        @Override
        public String toString() {
            return what + "@" + atMillis;
        }
    }
}
