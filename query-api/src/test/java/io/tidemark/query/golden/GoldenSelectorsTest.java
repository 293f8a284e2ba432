package io.tidemark.query.golden;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.query.catalog.Catalog;
import io.tidemark.query.select.FieldSelectors;
import io.tidemark.query.select.LabelSelectors;
import io.tidemark.serving.status.StatusException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every recorded selector parses, or is refused with the API server's message. */
class GoldenSelectorsTest {
    @Test
    void parsesSelectorsLikeTheApiServer() throws IOException {
        Catalog catalog = ClusterObjects.read().catalog();
        List<String> differences = new ArrayList<>();
        int compared = 0;
        for (Golden.Row row : Golden.requests()) {
            if (!row.category().contains("selector")
                    || !(row.status() == 200 || row.status() == 400)) {
                continue;
            }
            Golden.Place place = Golden.Place.of(row.path()).orElseThrow();
            String answer =
                    catalog.find(place.group(), place.version(), place.plural())
                            .map(resource -> {
                                try {
                                    LabelSelectors.parse(
                                            row.parameters().getOrDefault("labelSelector", ""));
                                    FieldSelectors.parse(
                                            row.parameters().getOrDefault("fieldSelector", ""),
                                            resource);
                                    return "";
                                } catch (StatusException e) {
                                    return e.status().message();
                                }
                            })
                            .orElse("no such resource");
            compared++;
            if (!answer.equals(row.status() == 200 ? "" : row.message())) {
                differences.add(row + "\n  expected " + row.message() + "\n  actual   " + answer);
            }
        }
        assertThat(differences).isEmpty();
        assertThat(compared).isGreaterThan(150);
    }
}
