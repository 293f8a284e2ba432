package io.tidemark.golden.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.golden.recording.Answer;
import io.tidemark.golden.recording.Content;
import io.tidemark.golden.recording.GoldenRecordings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What counts as equal, and in particular what does not. */
class ComparisonTest {
    private static final String TABLE =
            """
            {"kind":"Table","columnDefinitions":[{"name":"Name","type":"string"},\
            {"name":"Restarts","type":"string"},{"name":"Age","type":"string"}],\
            "rows":[{"cells":["%s","%s","%s"]}]}
            """;

    @Test
    void agesInTheirColumnsMayBeAnyAge() throws Exception {
        assertThat(differences(TABLE.formatted("a", "2 (5m ago)", "3d"), "b"))
                .as("no table at all")
                .isNotEmpty();
        assertThat(
                        differences(
                                TABLE.formatted("a", "2 (5m ago)", "3d"),
                                TABLE.formatted("a", "2 (7h ago)", "3d4h")))
                .isEmpty();
    }

    @Test
    void onlyDurationsCountAsAges() throws Exception {
        assertThat(
                        differences(
                                TABLE.formatted("a", "2", "3d"),
                                TABLE.formatted("a", "2", "<none>")))
                .hasSize(1);
    }

    @Test
    void agesElsewhereCount() throws Exception {
        assertThat(differences(TABLE.formatted("3d", "2", "1s"), TABLE.formatted("4d", "2", "1s")))
                .hasSize(1);
    }

    @Test
    void tokensAreEqualWhenTheirContentIs() throws Exception {
        String recorded = list("{\"v\":\"meta.k8s.io/v1\",\"rv\":5,\"start\":\"/ns/a\\u0000\"}");

        assertThat(
                        differences(
                                recorded,
                                list(
                                        "{\"start\":\"ns/a\\u0000\",\"v\":\"meta.k8s.io/v1\",\"rv\":5}")))
                .isEmpty();
        assertThat(
                        differences(
                                recorded,
                                list(
                                        "{\"v\":\"meta.k8s.io/v1\",\"rv\":6,\"start\":\"ns/a\\u0000\"}")))
                .hasSize(1);
    }

    @Test
    void oneLineAndItsEndCount() throws Exception {
        Content.Json expected = new Content.Json(json("{\"a\":1}"), true);

        assertThat(differences(expected, "{\"a\":1}\n")).isEmpty();
        assertThat(differences(expected, "{\"a\":1}")).hasSize(1);
        assertThat(differences(expected, "{\n\"a\":1}\n")).hasSize(1);
    }

    @Test
    void headersOfOneAnswerDoNotCount() {
        assertThat(
                        Comparison.ofHeaders(
                                Map.of("date", "a", "etag", "x", "vary", "Accept"),
                                Map.of("content-length", "1", "etag", "y", "vary", "Accept")))
                .isEmpty();
        assertThat(Comparison.ofHeaders(Map.of("etag", "x"), Map.of())).hasSize(1);
        assertThat(Comparison.ofHeaders(Map.of(), Map.of("vary", "Accept"))).hasSize(1);
    }

    @Test
    void comparesOnlyTheBookmarkThatEndsTheInitialEvents() throws Exception {
        List<JsonNode> expected =
                List.of(
                        json(
                                "{\"type\":\"BOOKMARK\",\"object\":{\"a\":\"k8s.io/initial-events-end\"}}"),
                        json("{\"type\":\"ADDED\",\"object\":{\"a\":1}}"));

        assertThat(EventComparison.between(expected, lines(expected, "{\"type\":\"BOOKMARK\"}\n")))
                .isEmpty();
        assertThat(EventComparison.between(expected, lines(expected.subList(1, 2), "")))
                .isNotEmpty();
    }

    @Test
    void eventsCountInTheirOrder() throws Exception {
        List<JsonNode> expected =
                List.of(json("{\"type\":\"ADDED\"}"), json("{\"type\":\"DELETED\"}"));

        assertThat(EventComparison.between(expected, lines(expected.reversed(), ""))).isNotEmpty();
    }

    private static byte[] lines(List<JsonNode> events, String more) {
        StringBuilder lines = new StringBuilder();
        events.forEach(event -> lines.append(event).append('\n'));
        return (lines.append(more).toString()).getBytes(StandardCharsets.UTF_8);
    }

    private static String list(String token) {
        String encoded =
                Base64.getUrlEncoder()
                        .withoutPadding()
                        .encodeToString(token.getBytes(StandardCharsets.UTF_8));
        return "{\"metadata\":{\"continue\":\"" + encoded + "\"}}";
    }

    private static JsonNode json(String text) throws IOException {
        return GoldenRecordings.JSON.readTree(text);
    }

    private static List<String> differences(String expected, String actual) throws IOException {
        return differences(new Content.Json(json(expected), actual.endsWith("\n")), actual);
    }

    private static List<String> differences(Content expected, String actual) {
        byte[] body = actual.getBytes(StandardCharsets.UTF_8);
        return Comparison.between(
                new Expected(200, Map.of(), expected), new Answer(200, Map.of(), body), true);
    }
}
