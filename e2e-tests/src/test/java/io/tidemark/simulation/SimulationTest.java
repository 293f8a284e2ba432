package io.tidemark.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.simulation.world.CoverageEvent;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Holds every promise against many runs. Properties of the JVM choose which:
 *
 * <ul>
 *   <li>{@code -Dtidemark.seed=S}: this one alone, made smaller and told in full if it fails
 *   <li>{@code -Dtidemark.seeds=N}: as many fresh ones, instead of 1,000
 * </ul>
 */
class SimulationTest {
    private static final int FIXED_SEEDS = 10_000;
    private static final int FRESH_SEEDS = 1_000;

    /** Never reached on a machine that is fit to build; the runs so far count then. */
    private static final Duration LIMIT = Duration.ofMinutes(10);

    private static final int CORES = Runtime.getRuntime().availableProcessors();

    @Test
    void fixedSeedsKeepEveryPromiseAndMeetEveryFault() throws InterruptedException {
        if (Long.getLong("tidemark.seed") == null) {
            Campaign campaign = run(1, FIXED_SEEDS);
            List<CoverageEvent> missing =
                    Arrays.stream(CoverageEvent.values())
                            .filter(each -> campaign.census().of(each) == 0)
                            .toList();
            assertThat(missing).as("what never happened").isEmpty();
        }
    }

    @Test
    void freshSeedsKeepEveryPromise() throws InterruptedException {
        Long wanted = Long.getLong("tidemark.seed");
        if (wanted != null) {
            run(wanted, 1);
        } else {
            int seeds = Integer.getInteger("tidemark.seeds", FRESH_SEEDS);
            run(new SplittableRandom().nextLong(1L << 40), seeds);
        }
    }

    private static Campaign run(long from, int seeds) throws InterruptedException {
        Campaign campaign = new Campaign(from, seeds, LIMIT);
        Simulation.Result failed = campaign.run(CORES, System.out::println);
        System.out.printf("simulation: %s%n%s", campaign.summary(), campaign.census());
        if (failed != null) {
            throw new AssertionError(Campaign.report(failed, Mutation.NONE));
        }
        return campaign;
    }
}
