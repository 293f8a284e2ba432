package io.tidemark.written;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.golden.comparison.Patterns;
import io.tidemark.golden.recording.ProtobufJson;
import io.tidemark.harness.Api;
import io.tidemark.harness.JsonDifferences;
import io.tidemark.http.testing.TestHttpClient;
import io.tidemark.http.testing.TestHttpClient.Answer;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.util.Map;
import java.util.Set;

/**
 * A request and what its answer must be.
 *
 * <ul>
 *   <li>the request: {@code path}, {@code method} (GET), {@code headers}, or {@code accept} alone
 *   <li>{@code status}, always; {@code answers}: headers of the answer, empty for those that must
 *       be absent
 *   <li>{@code body}: exactly this JSON; {@code lines}: exactly these, one per line; {@code text}:
 *       exactly this
 *   <li>{@code includes}: JSON that has these members; of an array of objects each must be there
 *   <li>{@code lacks}: a pattern that nothing in the answer matches
 * </ul>
 *
 * A text that begins with {@code ~} is a pattern for the whole text; the order of members does not
 * count. Of an answer in protobuf, JSON is what it says by the published descriptors, without
 * fields that have a zero value, and lines are frames.
 */
record WrittenCase(JsonNode row) {
    private static final Set<String> MEMBERS =
            Set.of(
                    "name",
                    "path",
                    "method",
                    "headers",
                    "accept",
                    "status",
                    "answers",
                    "body",
                    "lines",
                    "text",
                    "includes",
                    "lacks");

    private static final int MAX_RETRIES = 10;

    WrittenCase {
        // A misspelt expectation would always be met.
        row.fieldNames()
                .forEachRemaining(member -> {
                    if (!MEMBERS.contains(member)) {
                        throw new IllegalArgumentException("unknown member " + member + ": " + row);
                    }
                });
    }

    String name() {
        return row.path("name").asText();
    }

    /** Asks again what came too late, unless the case expects a 504. */
    Answer send(TestHttpClient http) throws IOException, InterruptedException {
        int retries = row.toString().contains("504") ? 0 : MAX_RETRIES;
        Answer answer = sendOnce(http);
        for (int more = retries; more > 0 && isLate(answer); more--) {
            answer = sendOnce(http);
        }
        return answer;
    }

    private static boolean isLate(Answer answer) {
        return answer.status() == 504
                || (answer.text().startsWith("{\"type\":\"ERROR\"")
                        && answer.text().contains("\"code\":504"));
    }

    private Answer sendOnce(TestHttpClient http) throws IOException, InterruptedException {
        HttpRequest.Builder request = http.request(row.path("path").asText());
        request.method(row.path("method").asText("GET"), HttpRequest.BodyPublishers.noBody());
        if (row.has("accept")) {
            request.header("Accept", row.path("accept").asText());
        }
        row.path("headers")
                .properties()
                .forEach(header -> request.header(header.getKey(), header.getValue().asText()));
        return http.send(request);
    }

    void check(Answer answer) throws IOException {
        assertThat(answer.status()).as(answer.text()).isEqualTo(row.path("status").asInt(-1));
        for (Map.Entry<String, JsonNode> header : row.path("answers").properties()) {
            String actual = answer.header(header.getKey());
            assertThat(actual)
                    .as(header.getKey())
                    .isEqualTo(Patterns.resolved(header.getValue().asText(), actual));
        }
        if (row.has("body")) {
            checkEqual(row.path("body"), document(answer), answer);
        }
        if (row.has("lines")) {
            checkEqual(row.path("lines"), lines(answer), answer);
        }
        if (row.has("includes")) {
            JsonNode actual = document(answer);
            checkEqual(row.path("includes"), part(row.path("includes"), actual), answer);
        }
        if (row.has("text")) {
            String text = row.path("text").asText();
            assertThat(answer.text()).isEqualTo(Patterns.resolved(text, answer.text()));
        }
        if (row.has("lacks")) {
            assertThat(answer.text()).doesNotContainPattern(row.path("lacks").asText());
        }
    }

    private static boolean isProtobuf(Answer answer) {
        return answer.header("Content-Type").startsWith(ProtobufJson.MEDIA_TYPE);
    }

    private static JsonNode document(Answer answer) throws IOException {
        return isProtobuf(answer)
                ? ProtobufJson.document(answer.body())
                : Api.JSON.readTree(answer.text());
    }

    private static ArrayNode lines(Answer answer) throws IOException {
        ArrayNode lines = Api.JSON.createArrayNode();
        if (isProtobuf(answer)) {
            return lines.addAll(ProtobufJson.events(answer.body()));
        }
        for (String line : answer.text().lines().toList()) {
            lines.add(Api.JSON.readTree(line));
        }
        return lines;
    }

    private static void checkEqual(JsonNode expected, JsonNode actual, Answer answer) {
        assertThat(JsonDifferences.between(resolved(expected, actual), actual))
                .as(answer.text())
                .isEmpty();
    }

    /** Patterns replaced by what they match, also inside arrays. */
    private static JsonNode resolved(JsonNode expected, JsonNode actual) {
        if (expected.isArray()) {
            ArrayNode copy = Api.JSON.createArrayNode();
            for (int i = 0; i < expected.size(); i++) {
                copy.add(resolved(expected.get(i), actual.path(i)));
            }
            return copy;
        }
        if (expected instanceof ObjectNode object) {
            ObjectNode copy = Api.JSON.createObjectNode();
            object.properties()
                    .forEach(member ->
                            copy.set(
                                    member.getKey(),
                                    resolved(member.getValue(), actual.path(member.getKey()))));
            return copy;
        }
        return Patterns.resolved(expected, actual);
    }

    /** The part of an answer that an expectation speaks of. */
    private static JsonNode part(JsonNode expected, JsonNode actual) {
        if (expected instanceof ObjectNode object && actual.isObject()) {
            ObjectNode part = Api.JSON.createObjectNode();
            object.properties().stream()
                    .filter(member -> actual.has(member.getKey()))
                    .forEach(member ->
                            part.set(
                                    member.getKey(),
                                    part(member.getValue(), actual.path(member.getKey()))));
            return part;
        }
        if (expected.isArray() && actual.isArray() && expected.path(0).isObject()) {
            ArrayNode parts = Api.JSON.createArrayNode();
            for (JsonNode each : expected) {
                for (JsonNode candidate : actual) {
                    JsonNode part = part(each, candidate);
                    if (JsonDifferences.between(resolved(each, part), part).isEmpty()) {
                        parts.add(part);
                        break;
                    }
                }
            }
            return parts;
        }
        return actual;
    }
}
