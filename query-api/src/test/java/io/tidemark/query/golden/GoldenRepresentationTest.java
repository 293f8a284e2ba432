package io.tidemark.query.golden;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.tidemark.query.catalog.Resource;
import io.tidemark.query.json.GoJson;
import io.tidemark.query.representation.Renderer;
import io.tidemark.query.representation.Renderer.ListMeta;
import io.tidemark.query.representation.Representation;
import io.tidemark.query.representation.Representation.Shape;
import io.tidemark.query.testing.RenderedLists;
import io.tidemark.serving.status.StatusException;
import io.tidemark.serving.status.StatusException.FailureStatus;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Compares complete responses to LIST and GET in every form, byte for byte except for ages. */
class GoldenRepresentationTest {
    /** Shortly before the recording, so that most ages match, too. */
    private static final InstantSource CLOCK =
            InstantSource.fixed(Instant.parse("2026-11-21T09:24:30Z"));

    private static final Set<String> PARAMETERS = Set.of("includeObject", "pretty");
    private static final Set<String> AGES =
            Set.of("Age", "Last Schedule", "Duration", "Last Seen", "First Seen");
    private static final String LIST_REVISION = "3777";

    /** Known differences, intended or due to an older dump, by a part of the response. */
    private static final Map<String, String> DEVIATIONS =
            Map.of(
                    "openshift-kube-apiserver.18ea04c11fa8242e",
                    "an event that is not in the dump",
                    "\n    - \u00fc\n    - '\u2028'",
                    "a line separator is written in double quotes in YAML, so that it stays one",
                    "Name parameter invalid",
                    "names are checked before anything is rendered",
                    "406: Not Acceptable",
                    "types that nothing has are refused before a form is chosen");

    private static final ObjectMapper JSON = new ObjectMapper();

    @Test
    void writesTheApiServersResponses() throws IOException {
        ClusterObjects cluster = ClusterObjects.read();
        List<String> differences = new ArrayList<>();
        Map<String, Integer> compared = new HashMap<>();
        for (Golden.Row row : Golden.requests()) {
            Optional<String> answer = answer(cluster, row);
            if (answer.isEmpty()) {
                continue;
            }
            compared.merge(row.category(), 1, Integer::sum);
            String expected = withoutAges(row.body());
            String actual = withoutAges(answer.get());
            if (!expected.equals(actual)) {
                differences.add(row + difference(expected, actual));
            }
        }
        assertThat(differences).isEmpty();
        assertThat(compared.values().stream().mapToInt(Integer::intValue).sum())
                .as("compared: " + compared)
                .isGreaterThan(250);
    }

    /** Empty for requests that do not concern forms. */
    private static Optional<String> answer(ClusterObjects cluster, Golden.Row row) {
        Optional<Golden.Place> place = Golden.Place.of(row.path());
        if (place.isEmpty()
                || !row.method().equals("GET")
                || row.body().isEmpty()
                || DEVIATIONS.keySet().stream().anyMatch(row.body()::contains)
                || !PARAMETERS.containsAll(row.parameters().keySet())
                || !(row.status() == 200 || row.status() == 406 || row.status() == 400)) {
            return Optional.empty();
        }
        return cluster.catalog()
                .find(place.get().group(), place.get().version(), place.get().plural())
                .flatMap(resource -> answer(cluster, row, place.get(), resource));
    }

    private static Optional<String> answer(
            ClusterObjects cluster, Golden.Row row, Golden.Place place, Resource resource) {
        String pretty = row.parameters().getOrDefault("pretty", "");
        Representation form;
        try {
            form =
                    Representation.negotiate(
                            row.accept(),
                            row.parameters().getOrDefault("includeObject", ""),
                            Set.of("1", "true").contains(pretty),
                            resource,
                            place.name().isEmpty() ? Shape.LIST : Shape.GET);
        } catch (StatusException e) {
            return Optional.of(refusal(e.status(), row));
        }
        if (form.view() instanceof Representation.View.Unsupported(FailureStatus refusal)) {
            return Optional.of(refusal(refusal, row));
        }
        if (row.status() != 200) {
            return Optional.of(form.toString());
        }
        Renderer renderer = form.renderer(resource, CLOCK);
        if (place.name().isEmpty()) {
            ListMeta meta = new ListMeta(LIST_REVISION, "", 0);
            return Optional.of(
                    RenderedLists.of(renderer, meta, cluster.in(resource, place.namespace())));
        }
        return cluster.find(resource, place.namespace(), place.name())
                .flatMap(renderer::single)
                .map(bytes -> new String(bytes, StandardCharsets.UTF_8));
    }

    private static String refusal(FailureStatus refusal, Golden.Row row) {
        boolean same = refusal.code() == row.status() && refusal.message().equals(row.message());
        return same ? row.body() : refusal.toString();
    }

    private static String withoutAges(String body) {
        if (!body.startsWith("{\"kind\":\"Table\"")) {
            return body;
        }
        try {
            JsonNode table = JSON.readTree(body);
            JsonNode columns = table.path("columnDefinitions");
            for (JsonNode row : table.path("rows")) {
                for (int i = 0; i < columns.size(); i++) {
                    if (AGES.contains(columns.path(i).path("name").asText())) {
                        ((ArrayNode) row.path("cells")).set(i, "AGE");
                    }
                }
            }
            return new String(GoJson.write(table), StandardCharsets.UTF_8)
                    + (body.endsWith("\n") ? "\n" : "");
        } catch (IOException e) {
            return e.toString();
        }
    }

    private static String difference(String expected, String actual) {
        int at = 0;
        while (at < Math.min(expected.length(), actual.length())
                && expected.charAt(at) == actual.charAt(at)) {
            at++;
        }
        int from = Math.max(0, at - 120);
        return "\n  expected …"
                + expected.substring(from, Math.min(expected.length(), at + 120))
                + "…\n  actual   …"
                + actual.substring(from, Math.min(actual.length(), at + 120))
                + "…";
    }
}
