package io.tidemark.authorization;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The random cases of {@link RandomRulesTest} detect each mistake that {@link Mutant} names. */
@Execution(ExecutionMode.CONCURRENT)
class MutantsTest {
    private static final int CASES = 10_000;

    @Test
    void randomCasesDetectEachMutant() {
        RandomCases random = new RandomCases(1);
        Map<Mutant, Integer> detected = new EnumMap<>(Mutant.class);
        Set<Mutant> alive = EnumSet.allOf(Mutant.class);
        for (int i = 0; i < CASES && !alive.isEmpty(); i++) {
            Case question = random.next();
            boolean allowed = ReferenceRbac.answer(question).allowed();
            for (Mutant mutant : Set.copyOf(alive)) {
                if (ProductRbac.answer(mutant.rewrite(question)).allowed() != allowed) {
                    detected.put(mutant, i);
                    alive.remove(mutant);
                }
            }
        }
        assertThat(alive).as("detected by case: %s", detected).isEmpty();
    }
}
