package io.tidemark.simulation.world;

import io.tidemark.concurrent.TimeSource;
import io.tidemark.connector.FeedRuntime;
import io.tidemark.simulation.fault.Mutation;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;

/** The process in which a feed runs: its time is virtual, and its one thread is a coroutine. */
public final class SimulatedProcess implements FeedRuntime {
    private final Scheduler scheduler;
    private final Mutation mutation;
    private final Coroutine coroutine;
    private final TimeSource time;
    private boolean noPauses;

    /**
     * @param clock the machine's, which may be wrong
     */
    public SimulatedProcess(
            Scheduler scheduler,
            Mutation mutation,
            String name,
            InstantSource clock,
            Runnable body) {
        this.scheduler = scheduler;
        this.mutation = mutation;
        this.coroutine = new Coroutine(scheduler, name, body);
        this.time =
                new TimeSource() {
                    @Override
                    public long nanoTime() {
                        return TimeUnit.MILLISECONDS.toNanos(scheduler.nowMillis());
                    }

                    @Override
                    public long currentTimeMillis() {
                        return clock.millis();
                    }
                };
    }

    public Coroutine coroutine() {
        return coroutine;
    }

    /** Rounded up, so that no wait is too short. */
    public static long millis(Duration duration) {
        return TimeUnit.NANOSECONDS.toMillis(duration.toNanos() + 999_999);
    }

    /** A call over the network takes a while: other events may happen before it has an effect. */
    public void delay() {
        delay(0, 2);
    }

    /** As {@link #delay()}; calls from outside of the feed's thread take no time. */
    public void delay(long lowMillis, long highMillis) {
        if (coroutine.isRunning()) {
            coroutine.sleep(duration(lowMillis, highMillis));
        }
    }

    private long duration(long lowMillis, long highMillis) {
        return scheduler.oneIn(50)
                ? scheduler.between(5, 300)
                : scheduler.between(lowMillis, highMillis);
    }

    @Override
    public TimeSource time() {
        return time;
    }

    @Override
    public void pause(Duration duration) {
        boolean unused = coroutine.await(() -> noPauses, millis(duration));
    }

    @Override
    public void endPauses() {
        noPauses = true;
        coroutine.signal();
    }

    @Override
    public void execute(Runnable call) {
        var unused =
                scheduler.after(
                        duration(0, 2),
                        "call",
                        () -> {
                            if (!coroutine.isKilled() && mutation.answersFeed()) {
                                call.run();
                            }
                        });
    }
}
