package io.tidemark.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Holds every promise against many runs. Properties of the JVM choose which:
 *
 * <ul>
 *   <li>{@code -Dtidemark.seed=S}: this one alone, with its whole trace if it fails
 *   <li>{@code -Dtidemark.seeds=N}: as many fresh ones
 * </ul>
 */
class SimulationTest {
    private static final int FIXED_SEEDS = 400;
    private static final int FRESH_SEEDS = 100;

    @Test
    void fixedSeedsKeepEveryPromise() {
        if (Long.getLong("tidemark.seed") == null) {
            run("fixed seeds", LongStream.rangeClosed(1, FIXED_SEEDS));
        }
    }

    @Test
    void freshSeedsKeepEveryPromise() {
        Long wanted = Long.getLong("tidemark.seed");
        if (wanted != null) {
            run("seed " + wanted, LongStream.of(wanted));
            return;
        }
        long origin = new SplittableRandom().nextLong(1L << 40);
        int count = Integer.getInteger("tidemark.seeds", FRESH_SEEDS);
        run("fresh seeds from " + origin, LongStream.range(origin, origin + count));
    }

    /** Each of these has broken something once. */
    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "7, the rest of an aborted transaction hid a put that the cleaner had taken",
        "1715, the rest of an aborted transaction hid a delete that the cleaner had taken",
        "31253, the rest of an aborted transaction followed on a put that the cleaner had taken"
    })
    void seedsThatFoundABugKeepEveryPromise(long seed, String bug) {
        assertThat(Simulation.run(seed, Settings.DEFAULT).violations()).as(bug).isEmpty();
    }

    private static void run(String what, LongStream seeds) {
        long began = System.nanoTime();
        Totals totals = new Totals();
        seeds.forEach(seed -> {
            Simulation.Result result = Simulation.run(seed, Settings.DEFAULT);
            if (!result.violations().isEmpty()) {
                throw new AssertionError(report(result));
            }
            totals.add(result.counts());
        });
        System.out.printf(
                "simulation, %s: %s, in %d ms%n",
                what, totals, (System.nanoTime() - began) / 1_000_000);
    }

    private static String report(Simulation.Result result) {
        Simulation.Result shorter = Shrinker.shrink(result, Settings.DEFAULT, Mutation.NONE);
        return """
        seed %d broke %s
        replay it: mvn -pl e2e-tests -am test -Dtest=SimulationTest -Dtidemark.seed=%d \
        -Dsurefire.failIfNoSpecifiedTests=false
        %d of its %d steps are enough for %s:
        %s
        trace of the short run:
        %s
        """
                .formatted(
                        result.seed(),
                        lines(result.violations()),
                        result.seed(),
                        shorter.plan().steps().size(),
                        result.plan().steps().size(),
                        lines(shorter.violations()),
                        lines(shorter.plan().steps()),
                        lines(shorter.trace()));
    }

    private static String lines(List<?> these) {
        return these.stream().map(Object::toString).collect(Collectors.joining("\n  ", "\n  ", ""));
    }

    /** What happened in all runs together. */
    private static final class Totals {
        private long runs;
        private long events;
        private long revisions;
        private long faults;
        private long compacted;
        private long watched;
        private long reads;

        void add(Simulation.Counts counts) {
            runs++;
            events += counts.events();
            revisions += counts.revisions();
            faults += counts.faults();
            compacted += counts.compacted();
            watched += counts.watched();
            reads += counts.reads();
        }

        @Override
        public String toString() {
            return "%,d runs, %,d events, %,d revisions, %,d faults, %,d records compacted away, %,d watch events, %,d reads; all promises kept"
                    .formatted(runs, events, revisions, faults, compacted, watched, reads);
        }
    }
}
