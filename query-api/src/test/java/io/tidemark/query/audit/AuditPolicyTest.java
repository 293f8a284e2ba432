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
import java.util.Set;
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
    private static final ResourceRequest EVERYTHING =
            new ResourceRequest("list", "*", "", "*", "", "", "");
    private static final NonResourceRequest METRICS = new NonResourceRequest("get", "/metrics");

    @TempDir Path folder;

    /**
     * Each rule alone; P pods, L log of a pod, N a node, D a deployment, M /metrics, E everything.
     */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "users: [jane]                              | PLNDME",
                "users: [joe]                               | -",
                "userGroups: [robots, humans]               | PLNDME",
                "userGroups: [robots]                       | -",
                "verbs: [list, watch]                       | PE",
                "verbs: ['*']                               | -",
                "namespaces: [default]                      | PL",
                "namespaces: ['']                           | NE",
                "resources: [{group: ''}]                   | PLNE",
                "resources: [{group: apps}]                 | DE",
                "resources: [{resources: [pods]}]           | PE",
                "resources: [{resources: [pods/log]}]       | LE",
                "resources: [{resources: ['pods/*']}]       | PLE",
                "resources: [{resources: ['*/log']}]        | LE",
                "resources: [{resources: ['*']}]            | PLNE",
                "resources: [{resources: ['po*']}]          | E",
                "resources: [{resources: [pods/log, nodes], resourceNames: [web]}] | L",
                "resources: [{group: apps, resources: [deployments]}, {resources: [nodes]}] | NDE",
                "{namespaces: [prod], resources: [{group: apps}, {group: ''}]} | D",
                "nonResourceURLs: [/metrics]                | M",
                "nonResourceURLs: ['/met*']                 | M",
                "nonResourceURLs: ['*']                     | M",
                "nonResourceURLs: [/metric]                 | -",
                "nonResourceURLs: [/metrics/, '/api/*']     | -",
                "omitStages: []                             | PLNDME"
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
        append(found, policy, EVERYTHING, 'E');
        assertThat(found.isEmpty() ? "-" : found.toString()).isEqualTo(matched);
    }

    private static void append(
            StringBuilder found, AuditPolicy policy, RequestAttributes request, char letter) {
        if (!stages(policy, request).isEmpty()) {
            found.append(letter);
        }
    }

    private static Set<AuditStage> stages(AuditPolicy policy, RequestAttributes... demands) {
        return policy.stages(JANE, List.of(demands));
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
        assertThat(stages(policy, PODS)).isEmpty();
        assertThat(stages(policy, LOG)).isNotEmpty();
        assertThat(policy.stages(new Caller("joe", List.of()), List.of(LOG))).isEmpty();
    }

    @Test
    void whatIsAskedForOneDemandIsRecorded() throws IOException {
        AuditPolicy policy =
                read(
                        """
                        omitStages: [Panic]
                        rules:
                        - {level: None, resources: [{group: apps}]}
                        - level: Metadata
                          resources: [{resources: [pods]}]
                          omitStages: [RequestReceived, ResponseStarted]
                        - level: Metadata
                          nonResourceURLs: [/metrics]
                          omitStages: [ResponseStarted, ResponseComplete]
                        - {level: None}
                        """);
        assertThat(stages(policy, NODES, DEPLOYMENT)).isEmpty();
        assertThat(stages(policy, DEPLOYMENT, PODS))
                .containsExactly(AuditStage.RESPONSE_COMPLETE)
                .isEqualTo(stages(policy, PODS, DEPLOYMENT));
        assertThat(stages(policy, METRICS, PODS))
                .containsExactlyInAnyOrder(
                        AuditStage.REQUEST_RECEIVED, AuditStage.RESPONSE_COMPLETE);
    }

    @Test
    void aRuleForSomeResourcesDoesNotExcludeAReadOfAll() throws IOException {
        AuditPolicy policy =
                read(
                        """
                        rules:
                        - {level: None, resources: [{resources: [events]}]}
                        - {level: None, users: [joe]}
                        - {level: Metadata, resources: [{resources: [secrets]}]}
                        """);
        assertThat(stages(policy, EVERYTHING)).isNotEmpty();
        assertThat(policy.stages(new Caller("joe", List.of()), List.of(EVERYTHING))).isEmpty();
        assertThat(stages(read("rules: [{level: None}, {level: Metadata}]"), EVERYTHING)).isEmpty();
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
        assertThat(stages(policy, PODS))
                .containsExactlyInAnyOrder(AuditStage.RESPONSE_COMPLETE, AuditStage.PANIC);
    }

    @Test
    void recordsEverythingWithoutAFile() {
        for (RequestAttributes request : List.of(PODS, NODES, METRICS)) {
            assertThat(stages(AuditPolicy.ALL, request))
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
                "rules: [{level: None}]\nrules: [{level: Metadata}]",
                "rules: [{level: None}]\n---\nrules: [{level: Metadata}]",
                "rules: [{level: None, users: [&a jane, *a]}]",
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
