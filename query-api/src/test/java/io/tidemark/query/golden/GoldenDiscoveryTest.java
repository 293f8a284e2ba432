package io.tidemark.query.golden;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.query.discovery.Discovery;
import io.tidemark.query.json.GoJson;
import io.tidemark.serving.status.StatusException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Compares discovery documents, except what a read-only server does not offer. */
class GoldenDiscoveryTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Set<String> SERVED_VERBS = Set.of("get", "list", "watch");

    private final Discovery discovery = new Discovery("v1.36.3", "127.0.0.1:17443");

    @Test
    void writesTheApiServersDocuments() throws IOException {
        ClusterObjects cluster = ClusterObjects.read();
        List<String> differences = new ArrayList<>();
        int compared = 0;
        for (Golden.Row row : Golden.requests()) {
            if (!isDiscovery(row)) {
                continue;
            }
            String expected = expected(row);
            if (expected.isEmpty()) {
                continue;
            }
            compared++;
            String actual = actual(cluster, row);
            if (!expected.equals(actual)) {
                differences.add(row + "\n  expected " + expected + "\n  actual   " + actual);
            }
        }
        assertThat(differences).isEmpty();
        assertThat(compared).isGreaterThan(80);
    }

    private static boolean isDiscovery(Golden.Row row) {
        String path = row.path();
        boolean known =
                path.matches("/(api|apis|version)/?")
                        || path.matches("/api/v[^/]*/?")
                        || path.matches("/apis/[^/]+(/[^/]+)?/?");
        return known && row.method().equals("GET") && !row.body().isEmpty();
    }

    /** The recorded document without writing verbs, subresources and unstored resources. */
    private static String expected(Golden.Row row) throws IOException {
        boolean comparable = row.body().startsWith("{") && !row.accept().contains("protobuf");
        if (!comparable) {
            return ""; // YAML is compared through its JSON; protobuf is not served.
        }
        if (row.status() != 200) {
            return row.status() + " " + row.message();
        }
        JsonNode document = JSON.readTree(row.body());
        if (row.path().equals("/version")) {
            return document.path("gitVersion").asText() + document.path("minor").asText();
        }
        keepServed(document);
        return new String(GoJson.write(document), StandardCharsets.UTF_8);
    }

    private static void keepServed(JsonNode node) {
        if (node instanceof ObjectNode object) {
            object.remove("subresources");
            if (object.path("verbs") instanceof ArrayNode verbs) {
                removeIf(verbs, verb -> !SERVED_VERBS.contains(verb.asText()));
                sort(verbs);
            }
        }
        node.forEach(GoldenDiscoveryTest::keepServed);
        if (node instanceof ArrayNode array) {
            removeIf(array, GoldenDiscoveryTest::isNotServed);
        }
    }

    private static boolean isNotServed(JsonNode entry) {
        String name = entry.path("name").asText("");
        String resource = entry.path("resource").asText(name);
        return entry.path("verbs").isArray()
                && (entry.path("verbs").isEmpty()
                        || resource.contains("/")
                        || resource.equals("componentstatuses"));
    }

    private static void sort(ArrayNode verbs) {
        List<String> sorted = new ArrayList<>();
        verbs.forEach(verb -> sorted.add(verb.asText()));
        sorted.sort(null);
        verbs.removeAll();
        sorted.forEach(verbs::add);
    }

    private static void removeIf(ArrayNode array, Predicate<JsonNode> condition) {
        for (Iterator<JsonNode> entries = array.elements(); entries.hasNext(); ) {
            if (condition.test(entries.next())) {
                entries.remove();
            }
        }
    }

    private String actual(ClusterObjects cluster, Golden.Row row) throws IOException {
        Optional<Discovery.DiscoveryResponse> answer;
        try {
            answer = discovery.answer(cluster.catalog(), row.path(), row.accept(), "");
        } catch (StatusException e) {
            return e.status().code() + " " + e.status().message();
        }
        if (answer.isEmpty()) {
            return "404 ";
        }
        JsonNode document = JSON.readTree(answer.get().body());
        return row.path().equals("/version")
                ? document.path("gitVersion").asText() + document.path("minor").asText()
                : new String(GoJson.write(document), StandardCharsets.UTF_8);
    }
}
