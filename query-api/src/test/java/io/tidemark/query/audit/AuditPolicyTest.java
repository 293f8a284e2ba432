package io.tidemark.query.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.authorization.Caller;
import io.tidemark.authorization.RequestAttributes;
import io.tidemark.authorization.RequestAttributes.NonResourceRequest;
import io.tidemark.authorization.RequestAttributes.ResourceRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AuditPolicyTest {
    private static final Caller JANE = new Caller("jane", List.of("humans", "developers"));
    private static final ResourceRequest PODS =
            new ResourceRequest("list", "", "v1", "pods", "", "default", "");
    private static final ResourceRequest LOG =
            new ResourceRequest("get", "", "v1", "pods", "log", "default", "web");
    private static final ResourceRequest NODES =
            new ResourceRequest("get", "", "v1", "nodes", "", "", "n1");
    private static final ResourceRequest DEPLOYMENT =
            new ResourceRequest("get", "apps", "v1", "deployments", "", "prod", "web");
    private static final NonResourceRequest METRICS = new NonResourceRequest("get", "/metrics");

    @TempDir Path folder;

    /** Each rule alone; P pods, L log of a pod, N a node, D a deployment, M /metrics. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "users: [jane]                              | PLNDM",
                "users: [joe]                               | -",
                "userGroups: [robots, humans]               | PLNDM",
                "userGroups: [robots]                       | -",
                "verbs: [list, watch]                       | P",
                "verbs: ['*']                               | -",
                "namespaces: [default]                      | PL",
                "namespaces: ['']                           | N",
                "resources: [{group: ''}]                   | PLN",
                "resources: [{group: apps}]                 | D",
                "resources: [{resources: [pods]}]           | P",
                "resources: [{resources: [pods/log]}]       | L",
                "resources: [{resources: ['pods/*']}]       | PL",
                "resources: [{resources: ['*/log']}]        | L",
                "resources: [{resources: ['*']}]            | PLN",
                "resources: [{resources: ['po*']}]          | -",
                "resources: [{resources: [pods/log, nodes], resourceNames: [web]}] | L",
                "resources: [{group: apps, resources: [deployments]}, {resources: [nodes]}] | ND",
                "{namespaces: [prod], resources: [{group: apps}, {group: ''}]} | D",
                "nonResourceURLs: [/metrics]                | M",
                "nonResourceURLs: ['/met*']                 | M",
                "nonResourceURLs: ['*']                     | M",
                "nonResourceURLs: [/metric]                 | -",
                "nonResourceURLs: [/metrics/, '/api/*']     | -",
                "omitStages: []                             | PLNDM"
            })
    void matchesARule(String rule, String matched) throws IOException {
        String members = rule.startsWith("{") ? rule.substring(1, rule.length() - 1) : rule;
        AuditPolicy policy = read("rules: [{level: Metadata, " + members + "}]");
        StringBuilder found = new StringBuilder();
        append(found, policy, PODS, 'P');
        append(found, policy, LOG, 'L');
        append(found, policy, NODES, 'N');
        append(found, policy, DEPLOYMENT, 'D');
        append(found, policy, METRICS, 'M');
        assertThat(found.isEmpty() ? "-" : found.toString()).isEqualTo(matched);
    }

    private static void append(
            StringBuilder found, AuditPolicy policy, RequestAttributes request, char letter) {
        if (!policy.stages(JANE, request).isEmpty()) {
            found.append(letter);
        }
    }

    @Test
    void theFirstMatchingRuleDecides() throws IOException {
        AuditPolicy policy =
                read(
                        """
                        rules:
                        - {level: None, verbs: [list]}
                        - {level: RequestResponse, users: [jane]}
                        """);
        assertThat(policy.stages(JANE, PODS)).isEmpty();
        assertThat(policy.stages(JANE, LOG)).isNotEmpty();
        assertThat(policy.stages(new Caller("joe", List.of()), LOG)).isEmpty();
    }

    @Test
    void omitsTheStagesOfThePolicyAndOfTheRule() throws IOException {
        AuditPolicy policy =
                read(
                        """
                        omitStages: [RequestReceived]
                        rules:
                        - {level: Metadata, omitStages: [ResponseStarted]}
                        """);
        assertThat(policy.stages(JANE, PODS))
                .containsExactlyInAnyOrder(AuditStage.RESPONSE_COMPLETE, AuditStage.PANIC);
    }

    @Test
    void recordsEverythingWithoutAFile() {
        for (RequestAttributes request : List.of(PODS, NODES, METRICS)) {
            assertThat(AuditPolicy.ALL.stages(JANE, request))
                    .contains(AuditStage.RESPONSE_COMPLETE, AuditStage.RESPONSE_STARTED)
                    .doesNotContain(AuditStage.REQUEST_RECEIVED);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "rules: []",
                "rules: {level: None}",
                "rules: [{level: Everything}]",
                "rules: [{users: [jane]}]",
                "rules: [{level: None, user: [jane]}]",
                "rules: [{level: None, users: jane}]",
                "rules: [{level: None, users: [{name: jane}]}]",
                "rules: [{level: None, omitStages: [Panicking]}]",
                "rules: [{level: None, resources: [pods]}]",
                "rules: [{level: None, resources: [{resourceNames: [web]}]}]",
                "rules: [{level: None, namespaces: [a], nonResourceURLs: [/x]}]",
                "rules: [{level: None}]\nrule: []",
                "rules: [",
                "- a"
            })
    void refusesAFileThatMayMeanSomethingElse(String text) {
        assertThatThrownBy(() -> read(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("the audit policy " + folder.resolve("policy.yaml"));
    }

    @Test
    void refusesWhatIsNoPolicy() throws IOException {
        Path file = folder.resolve("other.yaml");
        Files.writeString(file, "apiVersion: audit.k8s.io/v1beta1\nkind: Policy\nrules: []\n");
        assertThatThrownBy(() -> AuditPolicyReader.read(file))
                .hasMessageContaining("not a Policy of audit.k8s.io/v1");
        Files.writeString(file, "x".repeat((1 << 20) + 1));
        assertThatThrownBy(() -> AuditPolicyReader.read(file))
                .hasMessageContaining("longer than 1048576 bytes");
        assertThatThrownBy(() -> AuditPolicyReader.read(folder.resolve("missing")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("missing");
    }

    private AuditPolicy read(String text) throws IOException {
        Path file = folder.resolve("policy.yaml");
        Files.writeString(file, "apiVersion: audit.k8s.io/v1\nkind: Policy\n" + text);
        return AuditPolicyReader.read(file);
    }
}
