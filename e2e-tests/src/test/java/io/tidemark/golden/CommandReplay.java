package io.tidemark.golden;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.golden.comparison.AnswerVerifier;
import io.tidemark.golden.comparison.Comparison;
import io.tidemark.golden.comparison.Deviation;
import io.tidemark.golden.comparison.Deviations;
import io.tidemark.golden.comparison.Expected;
import io.tidemark.golden.comparison.Outcome;
import io.tidemark.golden.comparison.Outcome.Verdict;
import io.tidemark.golden.comparison.Patterns;
import io.tidemark.golden.comparison.RowProperties;
import io.tidemark.golden.recording.Answer;
import io.tidemark.golden.recording.Content;
import io.tidemark.golden.recording.GoldenRecordings;
import io.tidemark.golden.recording.RawRequest;
import io.tidemark.harness.Together;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.StreamSupport;

/**
 * Runs recorded commands and compares their output, several at once. For deviations a command's
 * result is a document: {@code exit}, and {@code stdout} and {@code stderr} as lines.
 */
final class CommandReplay {
    private static final int AT_ONCE = 4;

    private final Kubectl kubectl;
    private final Deviations deviations;

    CommandReplay(Kubectl kubectl, Deviations deviations) {
        this.kubectl = kubectl;
        this.deviations = deviations;
    }

    /** One outcome for each, in order. */
    List<Outcome> replay(GoldenRecordings.Rows rows) throws Exception {
        return Together.map(AT_ONCE, rows.rows(), row -> replay(rows.file(), row));
    }

    private Outcome replay(String file, JsonNode row) throws InterruptedException {
        List<String> arguments = texts(row.path("argv"));
        String shown = row.path("id").asText() + " kubectl " + String.join(" ", arguments);
        try {
            Kubectl.Output output = kubectl.run(row.path("id").asText(), arguments);
            boolean isPlainRequest =
                    arguments.size() == 3
                            && arguments.contains("--raw")
                            && row.path("exit").asInt() == output.exit();
            return isPlainRequest
                    ? judgedRequest(file, shown, arguments.getLast(), row, output)
                    : judged(arguments.getFirst(), shown, facts(file, arguments, row), row, output);
        } catch (IOException e) {
            List<String> failure = List.of(e.toString());
            return new Outcome(arguments.getFirst(), shown, Verdict.DIFFERS, List.of(), failure);
        }
    }

    private static List<String> texts(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false).map(JsonNode::asText).toList();
    }

    private static RowProperties facts(String file, List<String> arguments, JsonNode row) {
        List<String> methods = new ArrayList<>();
        row.path("requests").forEach(request -> methods.add(request.path("method").asText()));
        return new RowProperties(
                new TreeMap<>(
                        Map.of(
                                "file", file,
                                "arguments", String.join(" ", arguments),
                                "methods", String.join(" ", methods),
                                "exit", row.path("exit").asText(),
                                "stdout", row.path("stdout").asText(),
                                "stderr", row.path("stderr").asText())));
    }

    private Outcome judgedRequest(
            String file, String shown, String path, JsonNode row, Kubectl.Output output)
            throws IOException {
        String recorded = row.path("stdout").asText();
        Content content =
                recorded.contains("\n  ")
                        ? new Content.Text(recorded)
                        : Answer.parse(recorded)
                                .map(json -> (Content) json(json, recorded))
                                .orElse(new Content.Text(recorded));
        RawRequest asked = new RawRequest("GET", path, Map.of(), new byte[0]);
        AnswerVerifier.Row asRequest =
                new AnswerVerifier.Row(
                        "get --raw",
                        shown,
                        RowProperties.of(file, "raw", asked, 200, recorded),
                        asked,
                        new Expected(200, Map.of(), content));
        byte[] body = output.stdout().getBytes(StandardCharsets.UTF_8);
        return new AnswerVerifier(deviations)
                .judged(
                        asRequest,
                        new Answer(200, Map.of(), body),
                        other -> new Answer(404, other.headers(), new byte[0]));
    }

    private static Content.Json json(JsonNode value, String text) {
        return new Content.Json(value, text.endsWith("\n"));
    }

    private Outcome judged(
            String category,
            String shown,
            RowProperties facts,
            JsonNode row,
            Kubectl.Output output) {
        JsonNode expected =
                document(
                        row.path("exit").asInt(),
                        row.path("stdout").asText(),
                        row.path("stderr").asText());
        JsonNode actual = document(output.exit(), output.stdout(), output.stderr());
        List<Deviation> about = deviations.about(facts);
        List<String> names = about.stream().map(Deviation::name).toList();
        List<String> differences = differences(expected, actual);
        if (differences.isEmpty()) {
            return new Outcome(category, shown, Verdict.SAME, names, differences);
        }
        for (Deviation deviation : about) {
            expected =
                    deviation
                            .instead()
                            .map(other -> instead(other, output))
                            .orElse(deviation.edited(expected, actual));
        }
        differences = differences(expected, actual);
        if (!differences.isEmpty()) {
            return new Outcome(category, shown, Verdict.DIFFERS, names, differences);
        }
        deviations.markUsed(about);
        return new Outcome(category, shown, Verdict.DEVIATES, names, differences);
    }

    private static JsonNode instead(JsonNode other, Kubectl.Output output) {
        return document(
                other.path("exit").asInt(),
                Patterns.resolved(other.path("stdout").asText(), output.stdout()),
                Patterns.resolved(other.path("stderr").asText(), output.stderr()));
    }

    private static JsonNode document(int exit, String stdout, String stderr) {
        ObjectNode document = GoldenRecordings.JSON.createObjectNode();
        document.put("exit", exit);
        document.set("stdout", lines(stdout));
        document.set("stderr", lines(stderr));
        return document;
    }

    private static ArrayNode lines(String text) {
        ArrayNode lines = GoldenRecordings.JSON.createArrayNode();
        if (!text.isEmpty()) {
            List.of(text.split("\n", -1)).forEach(lines::add);
        }
        return lines;
    }

    private static List<String> differences(JsonNode expected, JsonNode actual) {
        List<String> found = new ArrayList<>();
        if (!expected.path("exit").equals(actual.path("exit"))) {
            found.add(
                    "exit: expected %s, was %s"
                            .formatted(expected.path("exit"), actual.path("exit")));
        }
        for (String stream : List.of("stdout", "stderr")) {
            String expectedText = text(expected.path(stream));
            String difference =
                    Comparison.ofText(
                            expectedText, text(actual.path(stream)), isForPeople(expectedText));
            if (!difference.isEmpty()) {
                found.add(stream + " " + difference);
            }
        }
        return found;
    }

    /** Machine-readable output has no ages. */
    private static boolean isForPeople(String text) {
        return !text.startsWith("{") && !text.startsWith("apiVersion:");
    }

    private static String text(JsonNode lines) {
        return String.join("\n", texts(lines));
    }
}
