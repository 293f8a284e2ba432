package io.tidemark.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.simulation.world.CoverageEvent;
import io.tidemark.waits.LongTest;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Checks every promise in many runs. Each build runs the same seeds, which meet every kind of
 * fault, so that a failure is due to a change; {@code -Dtidemark.seeds=N} adds fresh ones.
 */
class SimulationIT {
    private static final int FIXED_SEEDS = 2_000;
    private static final int FRESH_SEEDS = Integer.getInteger("tidemark.seeds", 0);

    /** Not reached on a machine that can build the project; the runs so far count then. */
    private static final Duration LIMIT = Duration.ofMinutes(10).plusMillis(20L * FRESH_SEEDS);

    @Test
    @LongTest
    void fixedSeedsKeepEveryPromiseAndMeetEveryFault() throws InterruptedException {
        Campaign campaign = Campaign.check(1, FIXED_SEEDS, LIMIT);
        List<CoverageEvent> missing =
                Arrays.stream(CoverageEvent.values())
                        .filter(each -> campaign.census().of(each) == 0)
                        .toList();
        assertThat(missing).as("what never happened").isEmpty();
    }

    @Test
    @EnabledIfSystemProperty(
            named = "tidemark.seeds",
            matches = "[1-9][0-9]*",
            disabledReason = "fresh seeds: mvn verify -Pnightly, or -Dtidemark.seeds=N")
    void freshSeedsKeepEveryPromise() throws InterruptedException {
        Campaign.check(new SplittableRandom().nextLong(1L << 40), FRESH_SEEDS, LIMIT);
    }
}
