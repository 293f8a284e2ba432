package io.tidemark.simulation;

import io.tidemark.simulation.fault.Mutation;
import io.tidemark.simulation.promise.Promise;
import io.tidemark.simulation.world.CoverageCounts;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Runs many seeds on all cores, until all are done, the time is over, or one has failed. */
final class Campaign {
    private static final ThreadMXBean CPU = ManagementFactory.getThreadMXBean();

    private final long from;
    private final long seeds;
    private final long deadlineNanos;
    private final AtomicLong next;
    private final long beganNanos = System.nanoTime();

    // Guarded by this.
    private final CoverageCounts census = new CoverageCounts();
    private long runs;
    private long events;
    private long cpuNanos;
    private Simulation.@Nullable Result failed;
    private @Nullable Throwable crashed;

    /**
     * @param from the first seed
     * @param seeds how many
     * @param limit on the time of all
     */
    Campaign(long from, long seeds, Duration limit) {
        this.from = from;
        this.seeds = seeds;
        this.deadlineNanos = beganNanos + limit.toNanos();
        this.next = new AtomicLong(from);
    }

    /**
     * Runs many seeds on all cores and prints the counts.
     *
     * @param limit on the time of all; the runs so far count when it is over
     * @return the campaign, in which no promise was broken
     * @throws AssertionError with the shrunk plan of the first run that broke a promise
     */
    static Campaign check(long from, int seeds, Duration limit) throws InterruptedException {
        Campaign campaign = new Campaign(from, seeds, limit);
        Simulation.Result failed =
                campaign.run(Runtime.getRuntime().availableProcessors(), System.out::println);
        System.out.printf("simulation: %s%n%s", campaign.summary(), campaign.census());
        if (failed != null) {
            throw new AssertionError(Campaign.report(failed, Mutation.NONE));
        }
        return campaign;
    }

    /**
     * Runs them.
     *
     * @param progress called now and then with the counts so far
     * @return the run that failed, if one did
     */
    Simulation.@Nullable Result run(int threads, Consumer<String> progress)
            throws InterruptedException {
        List<Thread> workers = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            workers.add(Thread.ofPlatform().name("simulation-" + i).start(this::work));
        }
        for (Thread worker : workers) {
            while (!worker.join(Duration.ofSeconds(10))) {
                progress.accept(summary());
            }
        }
        synchronized (this) {
            if (crashed != null) {
                throw new IllegalStateException("a run crashed", crashed);
            }
            return failed;
        }
    }

    private void work() {
        try {
            for (long seed = next.getAndIncrement();
                    seed < from + seeds && !isOver();
                    seed = next.getAndIncrement()) {
                long began = CPU.getCurrentThreadCpuTime();
                Simulation.Result result = Simulation.run(seed);
                add(result, CPU.getCurrentThreadCpuTime() - began);
            }
        } catch (RuntimeException | Error e) {
            synchronized (this) {
                crashed = e;
            }
        }
    }

    private synchronized boolean isOver() {
        return failed != null || crashed != null || System.nanoTime() - deadlineNanos > 0;
    }

    private synchronized void add(Simulation.Result result, long nanos) {
        runs++;
        cpuNanos += nanos;
        events += result.events();
        census.add(result.census());
        boolean first = failed == null || failed.seed() > result.seed();
        if (!result.violations().isEmpty() && first) {
            failed = result;
        }
    }

    synchronized long runs() {
        return runs;
    }

    synchronized CoverageCounts census() {
        return census;
    }

    /** How many runs and events so far, and their rate. */
    synchronized String summary() {
        double seconds = (System.nanoTime() - beganNanos) / 1e9;
        return "%,d seeds from %d, %,d events, %.0f s, %.0f seeds/s, %.1f ms of CPU each"
                .formatted(
                        runs,
                        from,
                        events,
                        seconds,
                        runs / seconds,
                        cpuNanos / 1e6 / Math.max(1, runs));
    }

    /** Describes a failed run: the broken promise, how to replay it, and a smaller plan. */
    static String report(Simulation.Result failed, Mutation mutation) {
        Promise broken = failed.violations().getFirst().promise();
        return report(failed, Shrinker.shrink(failed, mutation, broken));
    }

    /**
     * The same, given the smaller plan.
     *
     * @param small its traced run
     */
    static String report(Simulation.Result failed, Simulation.Result small) {
        return """
        seed %d broke: %s
        replay it: dev/simulate.sh --seed %d
              or: mvn -pl e2e-tests -am test -Dtest=SimulationTest -Dtidemark.seed=%d \
        -Dsurefire.failIfNoSpecifiedTests=false
        %d of its %d steps are enough, in %s, for: %s
        the steps: %s
        what happened then: %s
        """
                .formatted(
                        failed.seed(),
                        lines(failed.violations()),
                        failed.seed(),
                        failed.seed(),
                        small.plan().steps().size(),
                        failed.plan().steps().size(),
                        small.plan().settings(),
                        lines(small.violations()),
                        lines(small.plan().steps()),
                        lines(small.trace()));
    }

    private static String lines(List<?> these) {
        StringBuilder text = new StringBuilder();
        these.forEach(each -> text.append("\n  ").append(each));
        return text.toString();
    }
}
