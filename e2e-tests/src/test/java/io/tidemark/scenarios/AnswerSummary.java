package io.tidemark.scenarios;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.harness.Api;
import io.tidemark.harness.Api.Answer;
import java.util.ArrayList;
import java.util.List;

/** Short forms of answers, which scenarios compare. */
final class AnswerSummary {
    private AnswerSummary() {}

    /** {@code TYPE name@revision}; {@code END @revision} for the bookmark of a watch-list. */
    static String event(JsonNode event) {
        String type = event.path("type").asText();
        JsonNode object = event.path("object");
        if (type.equals("ERROR")) {
            return "ERROR " + object.path("code").asInt() + " " + object.path("reason").asText();
        }
        JsonNode metadata = object.path("metadata");
        boolean end =
                metadata.path("annotations")
                        .path("k8s.io/initial-events-end")
                        .asText()
                        .equals("true");
        return (end ? "END" : type)
                + " "
                + metadata.path("name").asText()
                + "@"
                + metadata.path("resourceVersion").asText();
    }

    /** Names of a list's items in order, each with its revision. */
    static List<String> items(JsonNode list) {
        List<String> items = new ArrayList<>();
        for (JsonNode item : list.path("items")) {
            JsonNode metadata = item.path("metadata");
            items.add(
                    metadata.path("name").asText()
                            + "@"
                            + metadata.path("resourceVersion").asText());
        }
        return items;
    }

    static List<String> names(JsonNode list) {
        return items(list).stream().map(item -> item.substring(0, item.indexOf('@'))).toList();
    }

    static long revision(JsonNode list) {
        return Long.parseLong(Api.resourceVersion(list));
    }

    static String continuation(JsonNode list) {
        return list.path("metadata").path("continue").asText("");
    }

    /** {@code code reason} of a Status. */
    static String refusal(Answer answer) {
        JsonNode status = answer.json();
        if (!status.path("kind").asText().equals("Status")
                || status.path("code").asInt() != answer.status()) {
            return answer.status() + " without a Status: " + answer.body();
        }
        return answer.status() + " " + status.path("reason").asText();
    }
}
