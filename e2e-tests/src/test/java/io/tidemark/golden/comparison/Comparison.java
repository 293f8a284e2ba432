package io.tidemark.golden.comparison;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.golden.recording.Answer;
import io.tidemark.golden.recording.Content;
import io.tidemark.golden.recording.ContinueTokens;
import io.tidemark.golden.recording.ProtobufJson;
import io.tidemark.golden.recording.Yaml;
import io.tidemark.harness.JsonDifferences;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Compares an answer with the expected one, except for what differs between any two servers. */
public final class Comparison {
    private static final int SHOWN = 300;

    /** Headers of a single request, and those for the length of the body. */
    private static final Set<String> IGNORED =
            Set.of(
                    "date",
                    "connection",
                    "content-length",
                    "transfer-encoding",
                    "audit-id",
                    "x-kubernetes-pf-flowschema-uid",
                    "x-kubernetes-pf-prioritylevel-uid");

    /** Headers that must be there, with any value. */
    private static final Set<String> ANY_VALUE = Set.of("etag", "last-modified");

    /** Tidemark's additions; clients ignore unknown headers. */
    private static final Map<String, Pattern> OWN =
            Map.of(
                    "x-tidemark-as-of",
                    Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z"),
                    "x-tidemark-revision",
                    Pattern.compile("\\d+"));

    private final List<String> found = new ArrayList<>();

    private Comparison() {}

    /** One line per difference; empty when there is none. */
    static List<String> between(Expected expected, Answer answer, boolean bodySent) {
        Comparison comparison = new Comparison();
        if (expected.status() != answer.status()) {
            comparison.found.add(
                    "status: expected %d, was %d: %s"
                            .formatted(expected.status(), answer.status(), shown(answer.text())));
            return comparison.found;
        }
        if (!answer.headers().isEmpty()) {
            comparison.headers(expected.headers(), answer.headers());
        }
        if (bodySent) {
            comparison.content(expected.content(), answer);
        }
        return comparison.found;
    }

    /** The same for headers alone. */
    static List<String> ofHeaders(Map<String, String> expected, Map<String, String> actual) {
        Comparison comparison = new Comparison();
        comparison.headers(expected, actual);
        return comparison.found;
    }

    private void headers(Map<String, String> expected, Map<String, String> actual) {
        Set<String> names = new TreeSet<>(expected.keySet());
        names.addAll(actual.keySet());
        names.removeAll(IGNORED);
        names.removeIf(name -> isOwn(name, actual.getOrDefault(name, "")));
        for (String name : names) {
            String expectedValue = expected.getOrDefault(name, "absent");
            String was = actual.getOrDefault(name, "absent");
            boolean bothThere = expected.containsKey(name) && actual.containsKey(name);
            if (!expectedValue.equals(was) && !(bothThere && ANY_VALUE.contains(name))) {
                found.add("header %s: expected %s, was %s".formatted(name, expectedValue, was));
            }
        }
    }

    private static boolean isOwn(String name, String value) {
        Pattern own = OWN.get(name);
        return own != null && own.matcher(value).matches();
    }

    private void content(Content expected, Answer answer) {
        switch (expected) {
            case Content.Json(JsonNode value, boolean newline) -> json(value, newline, answer);
            case Content.Text(String value) -> text(value, answer.text());
            case Content.Yaml(JsonNode value) ->
                    found.addAll(ofJson(value, Yaml.parse(answer.text())));
            case Content.Protobuf(JsonNode value) ->
                    found.addAll(
                            ofJson(
                                    ProtobufJson.withoutEmptyLists(value.deepCopy()),
                                    ProtobufJson.answered(answer.body())));
            case Content.Events(List<JsonNode> values) ->
                    found.addAll(EventComparison.between(values, answer.body()));
            case Content.Binary(byte[] value) -> {
                if (!Arrays.equals(value, answer.body())) {
                    found.add(
                            "body: expected these %d bytes, was %s"
                                    .formatted(value.length, shown(answer.text())));
                }
            }
        }
    }

    private void json(JsonNode expected, boolean newline, Answer answer) {
        String text = answer.text();
        Optional<JsonNode> actual = answer.json();
        if (actual.isEmpty()) {
            found.add("body: expected JSON, was " + shown(text));
            return;
        }
        found.addAll(ofJson(expected, actual.get()));
        if (text.endsWith("\n") != newline) {
            found.add("body: expected " + (newline ? "a" : "no") + " line end at the end");
        }
        if (text.stripTrailing().contains("\n")) {
            found.add("body: expected one line, was " + shown(text));
        }
    }

    /** The differences of two documents, except for ages and the encoding of tokens. */
    static List<String> ofJson(JsonNode expected, JsonNode actual) {
        JsonNode expectedValue = normalized(expected);
        JsonNode was = normalized(actual);
        return expectedValue.equals(was) ? List.of() : JsonDifferences.between(expectedValue, was);
    }

    private static JsonNode normalized(JsonNode document) {
        JsonNode copy = AgeMasking.copy(document);
        AgeMasking.mask(copy);
        ContinueTokens.normalize(copy);
        return copy;
    }

    private void text(String expected, String actual) {
        String difference = ofText(expected, actual, isTable(expected));
        if (!difference.isEmpty()) {
            found.add(difference);
        }
    }

    private static boolean isTable(String text) {
        return text.contains("\"kind\": \"Table\"") || text.contains("kind: Table\n");
    }

    /**
     * The first line that differs; empty when none does.
     *
     * @param ages whether ages in it may be any
     */
    public static String ofText(String expected, String actual, boolean ages) {
        if (expected.equals(actual)) {
            return "";
        }
        String[] expectedLines = ContinueTokens.normalized(expected).split("\n", -1);
        String[] was = ContinueTokens.normalized(actual).split("\n", -1);
        for (int i = 0; i < Math.max(expectedLines.length, was.length); i++) {
            String left = i < expectedLines.length ? expectedLines[i] : "(the end)";
            String right = i < was.length ? was[i] : "(the end)";
            if (!(ages ? AgeMasking.sameLine(left, right) : left.equals(right))) {
                return "line %d: expected %s, was %s"
                        .formatted(i + 1, shown("'" + left + "'"), shown("'" + right + "'"));
            }
        }
        return "";
    }

    static String shown(String text) {
        String line = text.replace("\n", "\\n");
        return line.length() <= SHOWN ? line : line.substring(0, SHOWN) + "…";
    }
}
