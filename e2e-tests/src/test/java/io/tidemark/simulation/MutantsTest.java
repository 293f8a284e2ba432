package io.tidemark.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.simulation.promise.Promise;
import io.tidemark.simulation.promise.Violation;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The checker is checked: every mistake that is made on purpose breaks the promise it must. */
class MutantsTest {
    private static final int MAX_SEEDS = 300;

    @Test
    void everyMutantIsNoticedByItsPromise() {
        List<Mutant> missed = new ArrayList<>();
        StringBuilder table = new StringBuilder();
        table.append("%-40s %-16s %5s  %s%n".formatted("mutant", "noticed by", "seed", "also"));
        for (Mutant mutant : Mutant.values()) {
            boolean noticed = false;
            for (long seed = 1; seed <= MAX_SEEDS && !noticed; seed++) {
                Set<Promise> broken = brokenBy(mutant, seed);
                if (broken.remove(mutant.noticedBy())) {
                    noticed = true;
                    table.append(row(mutant, seed, broken));
                }
            }
            if (!noticed) {
                missed.add(mutant);
                table.append("%-40s %-16s missed%n".formatted(mutant, mutant.noticedBy()));
            }
        }
        System.out.print(table);
        assertThat(missed).isEmpty();
    }

    private static Set<Promise> brokenBy(Mutant mutant, long seed) {
        Settings settings = Settings.DEFAULT;
        Plan plan = Plan.of(seed, settings.millis(), settings.nodes(), settings.partitions());
        return Simulation.run(seed, settings, plan, mutant).violations().stream()
                .map(Violation::promise)
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(Promise.class)));
    }

    private static String row(Mutant mutant, long seed, Set<Promise> also) {
        String others = also.stream().map(Enum::name).collect(Collectors.joining(", "));
        return "%-40s %-16s %5d  %s%n".formatted(mutant, mutant.noticedBy(), seed, others);
    }
}
