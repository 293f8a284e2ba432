package io.tidemark.golden.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.golden.recording.GoldenRecordings;
import java.io.InputStream;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The list itself: each entry has a unique name, a reason, and selects more than a single row. */
class DeviationsTest {
    private static final Set<String> MEMBERS =
            Set.of("name", "reason", "seen", "when", "instead", "headers", "edits", "companion");

    @Test
    void eachHasANameAReasonAndACheck() throws Exception {
        Set<String> names = new HashSet<>();
        try (InputStream in =
                Objects.requireNonNull(getClass().getResourceAsStream("/golden/deviations.json"))) {
            for (JsonNode row : GoldenRecordings.JSON.readTree(in)) {
                Deviation deviation = Deviation.of(row);
                assertThat(names.add(deviation.name())).as(deviation.name()).isTrue();
                assertThat(deviation.reason()).as(deviation.name()).endsWith(".");
                assertThat(deviation.when()).as(deviation.name()).isNotEmpty();
                assertThat(
                                deviation.instead().isPresent()
                                        || deviation.companion().isPresent()
                                        || !deviation.edits().isEmpty())
                        .as(deviation.name())
                        .isTrue();
                row.fieldNames().forEachRemaining(member -> assertThat(MEMBERS).contains(member));
                assertThat(row.path("when").has("id")).isFalse();
            }
        }
    }
}
