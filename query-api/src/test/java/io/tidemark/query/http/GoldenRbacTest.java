package io.tidemark.query.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.authorization.Caller;
import io.tidemark.authorization.Decision;
import io.tidemark.authorization.EffectiveRules;
import io.tidemark.authorization.PolicyRule;
import io.tidemark.authorization.RbacId;
import io.tidemark.authorization.RbacRules;
import io.tidemark.authorization.RequestAttributes;
import io.tidemark.authorization.RequestAttributes.NonResourceRequest;
import io.tidemark.authorization.RequestAttributes.ResourceRequest;
import io.tidemark.kubernetes.KubernetesDecoder;
import io.tidemark.kubernetes.wire.DecodeResult;
import io.tidemark.query.golden.EtcdSnapshot;
import io.tidemark.query.golden.Golden;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/**
 * What a real API server decided for 64 users, against the rules read from the same etcd. Decisions
 * and the texts of refusals are the same but for {@link #DEVIATIONS}.
 */
class GoldenRbacTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String PREFIX = "/registry/";

    /** URIs whose answer differs, as patterns, with the reason. */
    private static final Map<String, String> DEVIATIONS =
            Map.of(
                    "/api/v1/proxy/.*", "no verb proxy: objects of a resource of that name",
                    "/apis/apps/v1/proxy", "the API server fails before it decides",
                    "/api/v1/watch/?", "the API server fails before it decides",
                    ".*\\?watch=true;.*", "a semicolon is a part of the value",
                    "/kv", "all keys are asked for as /kv/*",
                    ".*=%zz", "an invalid escape is an error");

    @Test
    void decidesAsTheRecordedApiServer() throws IOException {
        RbacRules rules = rules();
        Differences differences = new Differences();
        Set<String> deviations = new HashSet<>(DEVIATIONS.keySet());
        for (JsonNode row : rows()) {
            if (row.path("request").path("headers").has("Impersonate-User")
                    || row.path("category").asText().startsWith("impersonate")
                    || row.path("response").path("status").asInt() == 401) {
                continue;
            }
            String method = row.path("request").path("method").asText();
            String uri = row.path("request").path("path").asText();
            Optional<String> deviation =
                    DEVIATIONS.keySet().stream().filter(uri::matches).findFirst();
            if (deviation.isPresent()) {
                deviations.remove(deviation.get());
                continue;
            }
            Caller caller = caller(row);
            RequestAttributes request = RequestInfoTest.of(method, uri);
            Decision decision = rules.decide(caller, request);
            boolean allowed = row.path("response").path("status").asInt() != 403;
            differences.compare(row, "allowed", allowed, decision.isAllowed());
            JsonNode message = row.path("response").path("body").path("message");
            if (!allowed && !decision.isAllowed() && message.isTextual()) {
                differences.compare(
                        row,
                        "message",
                        inOrder(message.asText()),
                        inOrder(request.forbidden(caller, decision.reason())));
            }
        }
        differences.assertNone(2_000);
        assertThat(deviations).as("not recorded").isEmpty();
    }

    @Test
    void answersAccessReviewsAsTheRecordedApiServer() throws IOException {
        RbacRules rules = rules();
        Differences differences = new Differences();
        for (JsonNode row : rows()) {
            JsonNode status = row.path("response").path("body").path("status");
            if (!row.path("category").asText().equals("ssar") || !status.has("allowed")) {
                continue;
            }
            JsonNode spec = JSON.readTree(row.path("request").path("body").asText()).path("spec");
            Decision decision = rules.decide(caller(row), asked(spec));
            differences.compare(
                    row, "allowed", status.path("allowed").asBoolean(), decision.isAllowed());
            String reason = status.path("reason").asText("");
            if (decision.isAllowed()) {
                // Which binding is named is arbitrary where several grant the same.
                differences.compare(
                        row,
                        "reason",
                        reason.startsWith("RBAC: allowed by "),
                        decision.reason().startsWith("RBAC: allowed by "));
            } else {
                differences.compare(row, "reason", inOrder(reason), inOrder(decision.reason()));
            }
        }
        differences.assertNone(200);
    }

    @Test
    void listsRulesAsTheRecordedApiServer() throws IOException {
        RbacRules rules = rules();
        Differences differences = new Differences();
        for (JsonNode row : rows()) {
            JsonNode status = row.path("response").path("body").path("status");
            if (!row.path("category").asText().equals("ssrr") || !status.has("resourceRules")) {
                continue;
            }
            String namespace =
                    JSON.readTree(row.path("request").path("body").asText())
                            .path("spec")
                            .path("namespace")
                            .asText();
            EffectiveRules effective = rules.rulesOf(caller(row), namespace);
            differences.compare(
                    row,
                    "resourceRules",
                    texts(status.path("resourceRules")),
                    texts(effective.resourceRules()));
            differences.compare(
                    row,
                    "nonResourceRules",
                    texts(status.path("nonResourceRules")),
                    texts(effective.nonResourceRules()));
            differences.compare(
                    row,
                    "evaluationError",
                    inOrder(status.path("evaluationError").asText("")),
                    inOrder(effective.evaluationError()));
        }
        differences.assertNone(80);
    }

    private static List<JsonNode> rows() throws IOException {
        List<JsonNode> rows = Golden.lines(file("rbac.jsonl.gz"));
        return rows.subList(1, rows.size());
    }

    private static Path file(String name) {
        Path file = Golden.shared().resolve("golden").resolve(name);
        Assumptions.assumeTrue(
                Files.exists(file), "no recorded decisions of an API server at " + file);
        return file;
    }

    private static RbacRules rules() throws IOException {
        SortedMap<String, byte[]> values = EtcdSnapshot.read(file("rbac-snapshot.db.xz"));
        KubernetesDecoder decoder = new KubernetesDecoder();
        RbacRules rules = RbacRules.empty(true);
        int objects = 0;
        for (Map.Entry<String, byte[]> each : values.tailMap(PREFIX).entrySet()) {
            Optional<RbacId> id = RbacId.ofKey(each.getKey().substring(PREFIX.length()));
            if (id.isPresent()) {
                byte[] json =
                        decoder.decode(each.getValue()) instanceof DecodeResult.Json decoded
                                ? decoded.json().array()
                                : each.getValue();
                rules = rules.put(id.get(), json);
                objects++;
            }
        }
        assertThat(objects).isGreaterThan(250);
        assertThat(rules.unreadable()).isEmpty();
        return rules;
    }

    /** Only a bearer token is looked at; without one the caller is anonymous. */
    private static Caller caller(JsonNode row) {
        String header = row.path("authorization").asText("");
        if (row.path("user").isNull() || !header.matches("(?i)bearer \\{token}( .*)?")) {
            return new Caller("system:anonymous", List.of("system:unauthenticated"));
        }
        String name = row.path("user").path("name").asText();
        List<String> groups = new ArrayList<>();
        row.path("user").path("groups").forEach(group -> groups.add(group.asText()));
        if (!groups.contains("system:unauthenticated") && !name.equals("system:anonymous")) {
            groups.add("system:authenticated");
        }
        return new Caller(name, groups);
    }

    private static RequestAttributes asked(JsonNode spec) {
        JsonNode resource = spec.path("resourceAttributes");
        JsonNode path = spec.path("nonResourceAttributes");
        return spec.has("nonResourceAttributes")
                ? new NonResourceRequest(text(path, "verb"), text(path, "path"))
                : new ResourceRequest(
                        text(resource, "verb"),
                        text(resource, "group"),
                        text(resource, "version"),
                        text(resource, "resource"),
                        text(resource, "subresource"),
                        text(resource, "namespace"),
                        text(resource, "name"));
    }

    private static String text(JsonNode object, String member) {
        return object.path(member).asText("");
    }

    /** Several errors in brackets come in any order. */
    private static String inOrder(String text) {
        int from = text.indexOf('[');
        if (from < 0 || !text.endsWith("]")) {
            return text;
        }
        String[] errors = text.substring(from + 1, text.length() - 1).split(", ");
        Arrays.sort(errors);
        return text.substring(0, from) + Arrays.toString(errors);
    }

    private static List<String> texts(JsonNode rules) {
        return StreamSupport.stream(rules.spliterator(), false)
                .map(rule ->
                        new PolicyRule(
                                list(rule, "verbs"),
                                list(rule, "apiGroups"),
                                list(rule, "resources"),
                                list(rule, "resourceNames"),
                                list(rule, "nonResourceURLs")))
                .map(PolicyRule::toString)
                .sorted()
                .toList();
    }

    private static List<String> list(JsonNode rule, String member) {
        return StreamSupport.stream(rule.path(member).spliterator(), false)
                .map(JsonNode::asText)
                .toList();
    }

    private static List<String> texts(List<PolicyRule> rules) {
        return rules.stream().map(PolicyRule::toString).sorted().toList();
    }

    /** Compares, counts, and reports all differences at once. */
    private static final class Differences {
        private final TreeSet<String> found = new TreeSet<>();
        private int compared;

        void compare(JsonNode row, String what, Object expected, Object actual) {
            compared++;
            if (!expected.equals(actual)) {
                found.add(
                        "%s %s %s %s %s %s: expected %s, was %s"
                                .formatted(
                                        row.path("id").asText(),
                                        row.path("category").asText(),
                                        row.path("user"),
                                        row.path("request").path("method").asText(),
                                        row.path("request").path("path").asText(),
                                        what,
                                        expected,
                                        actual));
            }
        }

        void assertNone(int atLeast) {
            assertThat(found).as("%d of %d differ", found.size(), compared).isEmpty();
            assertThat(compared).isGreaterThanOrEqualTo(atLeast);
        }
    }
}
