package io.tidemark.simulation.mutant;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.simulation.KnownSeeds;
import io.tidemark.simulation.Simulation;
import io.tidemark.simulation.promise.Promise;
import io.tidemark.simulation.promise.Violation;
import io.tidemark.simulation.world.Plan;
import io.tidemark.waits.LongTest;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Checks the checker: every deliberate mistake breaks the promise that it must. */
@LongTest
class MutantsIT {
    private static final int MAX_SEEDS = 5_000;
    private static final KnownSeeds KNOWN = KnownSeeds.read();

    /**
     * How a mutant was caught.
     *
     * @param seed 0 when it was not
     */
    private record Detection(Mutant mutant, long seed, Set<Promise> also) {
        String row() {
            return "| %s | %s | %s | %s | %s |%n"
                    .formatted(
                            mutant.name,
                            mutant.does,
                            mutant.detectedBy,
                            seed == 0 ? "missed" : Long.toString(seed),
                            also.stream().map(Enum::name).collect(Collectors.joining(", ")));
        }
    }

    @Test
    void everyMutantBreaksItsPromise() throws InterruptedException, ExecutionException {
        List<Future<Detection>> runs = new ArrayList<>();
        int cores = Runtime.getRuntime().availableProcessors();
        try (ExecutorService executor = Executors.newFixedThreadPool(cores)) {
            Mutant.all().forEach(mutant -> runs.add(executor.submit(() -> hunt(mutant))));
        }
        List<String> missed = new ArrayList<>();
        StringBuilder table =
                new StringBuilder(
                        "| mutant | what it does | caught by | seed | also |%n".formatted());
        Map<String, Long> found = new TreeMap<>();
        for (Future<Detection> run : runs) {
            Detection caught = run.get();
            table.append(caught.row());
            found.put(caught.mutant().name, caught.seed());
            if (caught.seed() == 0) {
                missed.add(caught.mutant().name);
            }
        }
        System.out.print(table);
        KNOWN.printOutdated(found);
        assertThat(missed).isEmpty();
        assertThat(runs).hasSizeGreaterThanOrEqualTo(25);
    }

    /** Begins with the seed that is known to detect it; then the seeds from 1 on count. */
    private static Detection hunt(Mutant mutant) {
        Detection detection = hunt(mutant, KNOWN.of(mutant.name), 1);
        return detection.seed() > 0 ? detection : hunt(mutant, 1, MAX_SEEDS);
    }

    private static Detection hunt(Mutant mutant, long from, int seeds) {
        Set<Promise> others = EnumSet.noneOf(Promise.class);
        for (long seed = from; seed < from + seeds; seed++) {
            Set<Promise> broken =
                    Simulation.run(seed, Plan.of(seed), mutant, false).violations().stream()
                            .map(Violation::promise)
                            .collect(Collectors.toCollection(() -> EnumSet.noneOf(Promise.class)));
            others.addAll(broken);
            if (broken.contains(mutant.detectedBy)) {
                others.remove(mutant.detectedBy);
                return new Detection(mutant, seed, others);
            }
        }
        return new Detection(mutant, 0, others);
    }
}
