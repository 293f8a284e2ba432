package io.tidemark.golden.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.golden.recording.GoldenRecordings;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The list itself: each entry has a unique name, a reason, and selects more than a single row. */
class DeviationsTest {
    private static final Set<String> MEMBERS =
            Set.of("name", "reason", "seen", "when", "instead", "headers", "edits", "companion");

    private static final Path DOCUMENT = Path.of("../docs/deviations.md");
    private static final Pattern QUOTED = Pattern.compile("`([a-z0-9-]+)`");

    /** Readers find each of them with a reason, in a dozen rows at most. */
    @Test
    void theDocumentNamesEachOfThem() throws Exception {
        List<String> rows =
                Files.readAllLines(DOCUMENT).stream()
                        .filter(line -> line.startsWith("| ") && line.contains("`"))
                        .toList();
        Set<String> named = new TreeSet<>();
        for (String row : rows) {
            String[] cells = row.split(" \\| ");
            QUOTED.matcher(cells[cells.length - 1])
                    .results()
                    .forEach(name -> assertThat(named.add(name.group(1))).as(row).isTrue());
        }
        Set<String> declared = new TreeSet<>();
        try (InputStream in = list()) {
            GoldenRecordings.JSON
                    .readTree(in)
                    .forEach(row -> declared.add(row.path("name").asText()));
        }
        assertThat(named).isEqualTo(declared);
        assertThat(rows).hasSizeLessThanOrEqualTo(12);
    }

    private InputStream list() {
        return Objects.requireNonNull(getClass().getResourceAsStream("/golden/deviations.json"));
    }

    @Test
    void eachHasANameAReasonAndACheck() throws Exception {
        Set<String> names = new HashSet<>();
        try (InputStream in = list()) {
            for (JsonNode row : GoldenRecordings.JSON.readTree(in)) {
                Deviation deviation = Deviation.of(row);
                assertThat(names.add(deviation.name())).as(deviation.name()).isTrue();
                assertThat(deviation.reason()).as(deviation.name()).endsWith(".");
                assertThat(deviation.when()).as(deviation.name()).isNotEmpty();
                assertThat(
                                deviation.instead().isPresent()
                                        || deviation.companion().isPresent()
                                        || !deviation.headers().isEmpty()
                                        || !deviation.edits().isEmpty())
                        .as(deviation.name())
                        .isTrue();
                row.fieldNames().forEachRemaining(member -> assertThat(MEMBERS).contains(member));
                assertThat(row.path("when").has("id")).isFalse();
            }
        }
    }
}
