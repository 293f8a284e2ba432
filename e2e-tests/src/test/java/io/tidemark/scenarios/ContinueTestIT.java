package io.tidemark.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.harness.Api.Answer;
import java.util.List;
import org.junit.jupiter.api.extension.ExtendWith;

/** continue_test.go and interfaces_test.go: invalid tokens and options. */
@ExtendWith(SharedCluster.class)
class ContinueTestIT {
    private final ScenarioCluster cluster;
    private final ScenarioObjects pods;

    ContinueTestIT(ScenarioCluster cluster) {
        this.cluster = cluster;
        this.pods = ScenarioObjects.pods(cluster);
    }

    /** Test_decodeContinue: no token leads outside the listed collection. */
    @Scenario
    void decodeContinue() throws Exception {
        String ns = ScenarioCluster.space();
        long at = pods.put(ns, "a");
        pods.put(ns + "-other", "hidden");
        String json = "{\"v\":\"%s\",\"rv\":%d,\"start\":\"%s\"}";
        String v1 = "meta.k8s.io/v1";
        assertThat(AnswerSummary.names(cluster.read(listAt(ns, json.formatted(v1, at, "a")))))
                .as("a valid one")
                .containsExactly("a");
        for (String wrong :
                List.of(
                        json.formatted("", at, "a"),
                        json.formatted("v1", at, "a"),
                        json.formatted(v1, 0, "a"),
                        json.formatted(v1, at, ""),
                        json.formatted(v1, at, "../a"),
                        json.formatted(v1, at, "../" + ns + "-other/hidden"),
                        json.formatted(v1, at, "./a"),
                        json.formatted(v1, at, "./../a"),
                        json.formatted(v1, at, "a/../.."),
                        json.formatted(v1, at, "a/../../" + ns + "-other/hidden"),
                        "null",
                        "[]",
                        "no JSON")) {
            Answer answer = cluster.api().get(listAt(ns, wrong));
            assertThat(AnswerSummary.refusal(answer)).as(wrong).isEqualTo("400 BadRequest");
            assertThat(answer.json().path("message").asText())
                    .startsWith("invalid continue token: continue key is not valid: ");
        }
    }

    /** TestValidateListOptions. */
    @Scenario
    void validateListOptions() throws Exception {
        String list = pods.path(ScenarioCluster.space());
        String watch = "?watch=true&timeoutSeconds=1&";
        String initial = "sendInitialEvents=";
        String match = "resourceVersionMatch=";
        for (String wrong :
                List.of(
                        "?" + match + "Exact",
                        "?" + match + "NotOlderThan",
                        "?resourceVersion=1&" + match + "Other",
                        "?resourceVersion=0&" + match + "Exact",
                        "?resourceVersion=1&" + match + "Exact&continue=x",
                        "?" + initial + "true",
                        "?" + initial + "false",
                        watch + initial + "true",
                        watch + initial + "false",
                        watch + initial + "true&" + match + "Exact&resourceVersion=1",
                        watch + match + "NotOlderThan&resourceVersion=1",
                        watch + match + "Exact&resourceVersion=1",
                        watch + "continue=x&resourceVersion=0")) {
            Answer answer = cluster.api().get(list + wrong);
            assertThat(AnswerSummary.refusal(answer)).as(wrong).isEqualTo("422 Invalid");
            assertThat(answer.json().path("details").path("kind").asText())
                    .isEqualTo("ListOptions");
            assertThat(answer.json().path("details").path("causes")).isNotEmpty();
        }
        for (String right :
                List.of("?resourceVersion=0&" + match + "NotOlderThan", watch + "limit=1")) {
            assertThat(cluster.api().get(list + right).status()).as(right).isEqualTo(200);
        }
    }

    private String listAt(String namespace, String token) {
        return pods.path(namespace) + "?continue=" + Tokens.ofJson(token);
    }
}
