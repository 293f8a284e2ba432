package io.tidemark.query.golden;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.query.catalog.Catalog;
import io.tidemark.query.json.GoJson;
import io.tidemark.query.representation.Renderer;
import io.tidemark.query.representation.Representation;
import io.tidemark.query.representation.Representation.Shape;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Compares every recorded bookmark in every form, except the columns of a first event. */
class GoldenBookmarksTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @Test
    void writesTheApiServersBookmarks() throws IOException {
        Catalog catalog = ClusterObjects.read().catalog();
        List<String> differences = new ArrayList<>();
        int compared = 0;
        for (JsonNode watch : Golden.lines(Golden.shared().resolve("golden/watch.jsonl.gz"))) {
            for (JsonNode line : watch.path("lines")) {
                if (!line.path("json").path("type").asText().equals("BOOKMARK")) {
                    continue;
                }
                JsonNode expected = line.path("json").path("object");
                byte[] actual = bookmark(catalog, watch.path("request"), expected);
                compared++;
                String wanted = withoutColumns(expected);
                String got = withoutColumns(JSON.readTree(actual));
                if (!wanted.equals(got)) {
                    differences.add(watch.path("id") + "\n  " + wanted + "\n  " + got);
                }
            }
        }
        assertThat(differences).isEmpty();
        assertThat(compared).isGreaterThan(30);
    }

    private static byte[] bookmark(Catalog catalog, JsonNode request, JsonNode expected) {
        Golden.Row row =
                new Golden.Row(
                        "",
                        "",
                        "GET",
                        request.path("path").asText(),
                        request.path("headers").path("Accept").asText(""),
                        "",
                        200,
                        Map.of(),
                        "");
        Golden.Place place = Golden.Place.of(row.path()).orElseThrow();
        Renderer renderer =
                catalog.find(place.group(), place.version(), place.plural())
                        .map(resource ->
                                Representation.negotiate(
                                                row.accept(),
                                                row.parameters().getOrDefault("includeObject", ""),
                                                false,
                                                resource,
                                                Shape.WATCH)
                                        .renderer(resource, InstantSource.system()))
                        .orElseThrow();
        return renderer.bookmark(
                expected.path("metadata").path("resourceVersion").asLong(),
                expected.toString().contains("initial-events-end"));
    }

    private static String withoutColumns(JsonNode object) {
        ((ObjectNode) object).remove("columnDefinitions");
        return new String(GoJson.write(object), StandardCharsets.UTF_8);
    }
}
