package io.tidemark.simulation.mutant;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.simulation.KnownSeeds;
import java.util.List;
import org.junit.jupiter.api.Test;

class MutantTest {
    @Test
    void knownSeedsNameMutants() {
        List<String> mutants = Mutant.all().stream().map(Mutant::toString).toList();
        assertThat(KnownSeeds.read().mistakes())
                // Others are patches, which have a place.
                .filteredOn(mistake -> !mistake.contains(": "))
                .isNotEmpty()
                .isSubsetOf(mutants);
    }
}
