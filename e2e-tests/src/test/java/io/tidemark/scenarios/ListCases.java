package io.tidemark.scenarios;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.harness.Api;
import io.tidemark.harness.Api.Answer;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Lists of one resource, requested and expected in a table's notation: the writes name the
 * revisions ({@code w1}, {@code w2}, …), tokens are decoded, and a revision above the last write's
 * is {@code now}.
 */
final class ListCases {
    private static final Pattern WORD = Pattern.compile("\\{([^}]*)}");
    private static final Pattern TOKEN = Pattern.compile("token (\\S+) (\\S*)");

    private final ScenarioObjects objects;
    private final String space;
    private final Map<String, Long> revisions = new TreeMap<>();

    ListCases(ScenarioObjects objects, String space) {
        this.objects = objects;
        this.space = space;
    }

    void name(String word, long revision) {
        revisions.put(word, revision);
    }

    /**
     * @param namespace without the scenario's prefix; empty for all
     * @param query with placeholders in braces: {@code {w3}}, {@code {token w3 second/foo}}
     * @param timesOut whether the answer must be a 504
     */
    String ask(String namespace, String query, boolean timesOut) throws Exception {
        String path = objects.path(namespace.isEmpty() ? "" : space + namespace);
        String request = path + "?" + spelledOut(query);
        ScenarioCluster cluster = objects.cluster();
        Answer answer = timesOut ? cluster.api().get(request) : cluster.api().getInTime(request);
        return answer.status() == 200 ? shown(answer.json()) : AnswerSummary.refusal(answer);
    }

    private String spelledOut(String query) {
        Matcher words = WORD.matcher(query);
        StringBuilder out = new StringBuilder();
        while (words.find()) {
            words.appendReplacement(out, Matcher.quoteReplacement(value(words.group(1))));
        }
        return words.appendTail(out).toString();
    }

    private String value(String word) {
        Matcher token = TOKEN.matcher(word);
        if (!token.matches()) {
            return Long.toString(revision(word));
        }
        String start = token.group(2).replaceFirst("^(first|second|third)", space + "$1");
        String json =
                "{\"v\":\"meta.k8s.io/v1\",\"rv\":%d,\"start\":\"%s\"}"
                        .formatted(revision(token.group(1)), start);
        return URLEncoder.encode(
                Base64.getUrlEncoder()
                        .withoutPadding()
                        .encodeToString(json.getBytes(StandardCharsets.UTF_8)),
                StandardCharsets.UTF_8);
    }

    private long revision(String word) {
        Long known = revisions.get(word);
        return known == null ? Long.parseLong(word) : known;
    }

    private String shown(JsonNode list) throws Exception {
        List<String> words = new ArrayList<>();
        words.add(word(AnswerSummary.revision(list)) + ":");
        for (JsonNode item : list.path("items")) {
            JsonNode metadata = item.path("metadata");
            words.add(
                    local(metadata.path("namespace").asText())
                            + "/"
                            + metadata.path("name").asText()
                            + "@"
                            + word(metadata.path("resourceVersion").asLong()));
        }
        String continuation = AnswerSummary.continuation(list);
        if (!continuation.isEmpty()) {
            words.add("| more " + token(continuation));
        }
        JsonNode remaining = list.path("metadata").path("remainingItemCount");
        if (!remaining.isMissingNode()) {
            words.add("+" + remaining.asLong());
        }
        return String.join(" ", words);
    }

    private String token(String continuation) throws Exception {
        JsonNode token = Api.JSON.readTree(Base64.getUrlDecoder().decode(continuation));
        String start = token.path("start").asText();
        if (!start.endsWith("\u0000")) {
            throw new AssertionError("does not start just after a key: " + token);
        }
        return word(token.path("rv").asLong())
                + " "
                + local(start.substring(0, start.length() - 1).replaceFirst("^/", ""));
    }

    private String local(String text) {
        return text.startsWith(space) ? text.substring(space.length()) : text;
    }

    private String word(long revision) {
        for (Map.Entry<String, Long> known : revisions.entrySet()) {
            if (known.getValue() == revision) {
                return known.getKey();
            }
        }
        long last = revisions.getOrDefault("w8", 0L);
        return revision > last ? "now" : Long.toString(revision);
    }
}
