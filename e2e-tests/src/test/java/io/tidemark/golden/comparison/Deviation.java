package io.tidemark.golden.comparison;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.tidemark.golden.RecordedRequest;
import io.tidemark.golden.recording.Answer;
import io.tidemark.golden.recording.Content;
import io.tidemark.golden.recording.ProtobufJson;
import io.tidemark.golden.recording.Yaml;
import io.tidemark.json.JsonIndenter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * A general way in which Tidemark's answers rightly differ from the recorded ones.
 *
 * @param reason in a sentence
 * @param seen the files of the standard recordings that have such rows
 * @param when what the {@link RowProperties} of its rows must contain, by name
 * @param instead the answer, where it is another one altogether
 * @param headers those with another value, or with an empty one none
 * @param edits how the recorded body becomes the expected one
 * @param companion another request whose answer must agree with it; the rest does not count then
 */
public record Deviation(
        String name,
        String reason,
        List<String> seen,
        Map<String, Pattern> when,
        Optional<JsonNode> instead,
        Map<String, String> headers,
        List<Edit> edits,
        Optional<CrossCheck> companion) {
    static Deviation of(JsonNode row) {
        List<Edit> edits = new ArrayList<>();
        row.path("edits").forEach(edit -> edits.add(Edit.of(edit)));
        return new Deviation(
                row.path("name").asText(),
                row.path("reason").asText(),
                Edit.texts(row.path("seen")),
                Edit.patterns(row.path("when")),
                Optional.of(row.path("instead")).filter(JsonNode::isObject),
                RecordedRequest.headers(row.path("headers")),
                edits,
                CrossCheck.of(row.path("companion")));
    }

    boolean isAbout(RowProperties facts) {
        return when.entrySet().stream()
                .allMatch(each -> each.getValue().matcher(facts.get(each.getKey())).find());
    }

    /** The recorded answer as it must be here, given the actual answer. */
    Expected applied(Expected recorded, Answer answer) {
        Expected expected =
                withHeaders(instead.map(other -> replaced(other, answer)).orElse(recorded));
        return edits.isEmpty() ? expected : edited(expected, answer);
    }

    private Expected withHeaders(Expected expected) {
        Map<String, String> changed = new TreeMap<>(expected.headers());
        changed.putAll(headers);
        changed.values().removeIf(String::isEmpty);
        return new Expected(expected.status(), changed, expected.content());
    }

    private static Expected replaced(JsonNode other, Answer answer) {
        Content content =
                other.has("body")
                        ? new Content.Json(
                                Patterns.resolved(
                                        other.path("body"),
                                        answer.json().orElse(other.path("body"))),
                                other.path("newline").asBoolean(true))
                        : new Content.Text(
                                Patterns.resolved(other.path("text").asText(), answer.text()));
        return new Expected(
                other.path("status").asInt(),
                RecordedRequest.headers(other.path("headers")),
                content);
    }

    private Expected edited(Expected expected, Answer answer) {
        JsonNode actual = answer.json().orElse(MissingNode.getInstance());
        return switch (expected.content()) {
            case Content.Json(JsonNode value, boolean newline) ->
                    expected.withContent(new Content.Json(edited(value, actual), newline));
            case Content.Text(String text) ->
                    expected.withContent(
                            Answer.parse(text)
                                    .map(json -> (Content) pretty(edited(json, actual)))
                                    .orElseGet(() -> yaml(text, answer.text())));
            case Content.Yaml(JsonNode value) ->
                    expected.withContent(
                            new Content.Yaml(edited(value, Yaml.parse(answer.text()))));
            case Content.Protobuf(JsonNode value) ->
                    expected.withContent(
                            new Content.Protobuf(
                                    edited(value, ProtobufJson.answered(answer.body()))));
            case Content.Events(List<JsonNode> values) ->
                    expected.withContent(new Content.Events(edited(values, answer.body())));
            case Content.Binary _ -> expected;
        };
    }

    private Content yaml(String recorded, String answered) {
        return new Content.Yaml(edited(Yaml.parse(recorded), Yaml.parse(answered)));
    }

    private static Content.Text pretty(JsonNode json) {
        byte[] utf8 = json.toString().getBytes(StandardCharsets.UTF_8);
        return new Content.Text(new String(JsonIndenter.indented(utf8), StandardCharsets.UTF_8));
    }

    private List<JsonNode> edited(List<JsonNode> recorded, byte[] answered) {
        List<JsonNode> actual = EventComparison.withoutBookmarks(EventComparison.parsed(answered));
        List<JsonNode> counted = EventComparison.withoutBookmarks(recorded);
        List<JsonNode> changed = new ArrayList<>();
        for (int i = 0; i < counted.size(); i++) {
            JsonNode other = i < actual.size() ? actual.get(i) : MissingNode.getInstance();
            changed.add(edited(counted.get(i), other));
        }
        return changed;
    }

    /** A recorded document as it must be here, given the actual one. */
    public JsonNode edited(JsonNode recorded, JsonNode actual) {
        JsonNode copy = recorded.deepCopy();
        edits.forEach(edit -> edit.apply(copy, actual));
        return copy;
    }
}
