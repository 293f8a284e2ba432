package io.tidemark.query.golden;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.tidemark.query.discovery.Discovery;
import io.tidemark.query.json.GoJson;
import io.tidemark.serving.status.StatusException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Compares discovery documents with those that a real API server gave. */
class GoldenDiscoveryTest {
    private static final ObjectMapper JSON = new ObjectMapper();

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

    /** The recorded document without component statuses, which etcd does not store. */
    private static String expected(Golden.Row row) throws IOException {
        boolean comparable = row.body().startsWith("{") && !row.accept().contains("protobuf");
        if (!comparable) {
            return ""; // YAML and protobuf are compared by the requests of GoldenIT.
        }
        if (row.status() != 200) {
            return row.status() + " " + row.message();
        }
        JsonNode document = JSON.readTree(row.body());
        if (row.path().equals("/version")) {
            return document.path("gitVersion").asText() + document.path("minor").asText();
        }
        removeComponentStatuses(document);
        return new String(GoJson.write(document), StandardCharsets.UTF_8);
    }

    private static void removeComponentStatuses(JsonNode node) {
        if (node instanceof ArrayNode array) {
            for (Iterator<JsonNode> entries = array.elements(); entries.hasNext(); ) {
                JsonNode entry = entries.next();
                String name = entry.path("name").asText(entry.path("resource").asText(""));
                if (name.equals("componentstatuses")) {
                    entries.remove();
                }
            }
        }
        node.forEach(GoldenDiscoveryTest::removeComponentStatuses);
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
