package io.tidemark.deploy;

import static java.util.Locale.ROOT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.marcnuri.helm.LintResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The chart gives valid, restricted manifests for all values that its schema allows. */
class ChartTest {
    static Stream<Arguments> valueSets() {
        return Stream.of(
                set("the least", Map.of()),
                set(
                        "secrets",
                        Map.of("mirror.includeSecrets", "true", "mirror.secretsKeySecret", "keys")),
                set(
                        "OpenShift",
                        Map.of(
                                "mirror.prefix", "/kubernetes.io/",
                                "mirror.kubernetesRoot", "/kubernetes.io")),
                set(
                        "Kafka with logins",
                        Map.of(
                                "kafka.connectorConfigSecret", "kafka-connector",
                                "kafka.nodeConfigSecret", "kafka-node")),
                set(
                        "tokens only",
                        Map.of("access.clientCaConfigMap", "", "access.tokensSecret", "tokens")),
                set("OIDC", Map.of("access.oidcConfigMap", "oidc", "access.anonymous", "true")),
                set(
                        "a policy file",
                        Map.of(
                                "access.authorization", "policy",
                                "access.policyConfigMap", "policy",
                                "etcd.endpoints[0]", "http://etcd:2379",
                                "etcd.tlsSecret", "")),
                set(
                        "reviews by this cluster",
                        Map.of("access.authorization", "origin", "access.origin", "in-cluster")),
                set(
                        "tokens of another cluster",
                        Map.of(
                                "access.origin", "https://10.1.0.1:6443",
                                "access.originCaConfigMap", "their-ca",
                                "access.originTokenSecret", "their-token")),
                set(
                        "monitoring with a certificate",
                        Map.of(
                                "monitoring.serviceMonitor.enabled", "true",
                                "monitoring.serviceMonitor.certSecret", "prometheus")),
                set(
                        "monitoring with a token",
                        Map.of(
                                "access.tokensSecret", "tokens",
                                "monitoring.serviceMonitor.enabled", "true",
                                "monitoring.serviceMonitor.tokenSecret", "prometheus",
                                "monitoring.serviceMonitor.labels.release", "prometheus",
                                "monitoring.prometheusRule.enabled", "true")),
                set("Strimzi", Map.of("strimzi.enabled", "true", "strimzi.cluster", "main")),
                set(
                        "Strimzi with certificates and a long history",
                        Map.of(
                                "strimzi.enabled", "true",
                                "strimzi.cluster", "main",
                                "strimzi.namespace", "kafka",
                                "strimzi.authentication", "tls",
                                "mirror.history", "7d",
                                "mirror.topic", "Mirror_1")),
                set(
                        "large",
                        Map.of(
                                "node.replicas", "9",
                                "node.memory", "8Gi",
                                "node.cpu.limit", "\"4\"",
                                "node.storage.size", "200Gi",
                                "node.storage.className", "fast",
                                "node.env.TIDEMARK_MAX_WATCHES", "\"50000\"",
                                "connector.memory", "768Mi",
                                "mirror.partitions", "64")),
                set(
                        "placed",
                        Map.of(
                                "node.nodeSelector.disk", "ssd",
                                "node.tolerations[0]", "{key: dedicated, operator: Exists}",
                                "node.affinity.podAntiAffinity",
                                        "{requiredDuringSchedulingIgnoredDuringExecution:"
                                                + " [{topologyKey: kubernetes.io/hostname}]}",
                                "node.priorityClassName", "system-cluster-critical",
                                "connector.tolerations[0]", "{operator: Exists}",
                                "node.annotations.a", "b",
                                "node.podLabels.team", "platform")),
                set(
                        "exposed",
                        Map.of(
                                "service.type", "LoadBalancer",
                                "service.port", "6443",
                                "service.annotations.internal", "\"true\"",
                                "access.hosts[0]", "cache.example.com",
                                "access.audit", "true",
                                "networkPolicy.clients[0]", "{ipBlock: {cidr: 10.0.0.0/8}}",
                                "networkPolicy.monitoring[0]", "{namespaceSelector: {}}")),
                set(
                        "bare",
                        Map.of(
                                "networkPolicy.enabled", "false",
                                "podDisruptionBudget.enabled", "false",
                                "fullnameOverride",
                                        "a-name-that-is-longer-than-all-objects-may-have",
                                "image.digest", "sha256:" + "0".repeat(64),
                                "imagePullSecrets[0]", "{name: registry}")));
    }

    private static Arguments set(String name, Map<String, String> values) {
        return Arguments.of(name, values);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("valueSets")
    void helmFindsNothingToSay(String name, Map<String, String> values, @TempDir Path copy)
            throws IOException {
        LintResult lint = Chart.lint(copy, values);
        assertThat(lint.isFailed()).as(String.join("\n", lint.getMessages())).isFalse();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("valueSets")
    void manifestsAreValidAndRestricted(String name, Map<String, String> values)
            throws IOException {
        List<JsonNode> manifests = Chart.render(values);
        assertThat(manifests).hasSizeGreaterThan(6);
        Map<String, Integer> names = new TreeMap<>();
        for (JsonNode each : manifests) {
            assertThat(ManifestSchemas.problem(each)).as(each.toPrettyString()).isEmpty();
            assertThat(PodPolicy.broken(each)).as(each.toPrettyString()).isEmpty();
            names.merge(
                    each.path("kind").asText() + " " + each.at("/metadata/name"), 1, Integer::sum);
            assertThat(each.at("/metadata/name").asText()).hasSizeLessThan(64);
        }
        assertThat(names.values()).as("objects by name: " + names).containsOnly(1);
        for (JsonNode each : manifests) {
            everyMountHasItsVolume(each);
            everyFileIsMounted(each);
        }
    }

    private static void everyMountHasItsVolume(JsonNode manifest) {
        JsonNode pod = manifest.at("/spec/template/spec");
        TreeSet<String> volumes = new TreeSet<>();
        pod.path("volumes").forEach(each -> volumes.add(each.path("name").asText()));
        manifest.at("/spec/volumeClaimTemplates")
                .forEach(each -> volumes.add(each.at("/metadata/name").asText()));
        TreeSet<String> mounted = new TreeSet<>();
        pod.at("/containers/0/volumeMounts")
                .forEach(each -> mounted.add(each.path("name").asText()));
        assertThat(mounted).isEqualTo(volumes);
    }

    /** Options that do not exist would be ignored, and required ones missed. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("valueSets")
    void everyVariableIsAnOptionOfItsProcess(String name, Map<String, String> values)
            throws IOException {
        String reference = Files.readString(Path.of("..", "docs", "configuration.md"));
        List<JsonNode> manifests = Chart.render(values);
        for (String[] each :
                new String[][] {{"StatefulSet", "node"}, {"Deployment", "connector"}}) {
            int from = reference.indexOf("\n## " + each[1] + "\n");
            String options = reference.substring(from, reference.indexOf("\n## ", from + 1));
            for (JsonNode variable :
                    of(manifests, each[0]).at("/spec/template/spec/containers/0/env")) {
                String option = variable.path("name").asText();
                assertThat(option.startsWith("POD_") || options.contains("`" + option + "`"))
                        .as(each[1] + " has " + option)
                        .isTrue();
            }
        }
    }

    /** A variable that names a file below /etc/tidemark needs a mount of its folder. */
    private static void everyFileIsMounted(JsonNode manifest) {
        JsonNode container = manifest.at("/spec/template/spec/containers/0");
        TreeSet<String> folders = new TreeSet<>();
        container
                .path("volumeMounts")
                .forEach(each -> folders.add(each.path("mountPath").asText()));
        for (String part : new String[] {"command", "args"}) {
            assertThat(container.path(part)).as(part).allMatch(JsonNode::isTextual);
        }
        for (JsonNode variable : container.path("env")) {
            String value = variable.path("value").asText();
            if (value.startsWith("/etc/tidemark/")) {
                assertThat(folders).contains(value.substring(0, value.lastIndexOf('/')));
            }
        }
    }

    @Test
    void memoryFollowsFromOneSetting() throws IOException {
        JsonNode set = of(Chart.render(Map.of("node.memory", "8Gi")), "StatefulSet");
        JsonNode container = set.at("/spec/template/spec/containers/0");
        assertThat(container.at("/resources/limits/memory").asText()).isEqualTo("10240Mi");
        assertThat(variable(container, "TIDEMARK_MEMORY")).isEqualTo("8g");
    }

    /** The kubelet leaves a volume to root, and a node refuses a folder of another user. */
    @Test
    void storesAreInAFolderThatTheNodeMakes() throws IOException {
        JsonNode container =
                of(Chart.render(Map.of()), "StatefulSet").at("/spec/template/spec/containers/0");
        String volume = container.at("/volumeMounts/0/mountPath").asText();
        assertThat(container.at("/volumeMounts/0/name").asText()).isEqualTo("data");
        assertThat(variable(container, "TIDEMARK_DATA")).isEqualTo(volume + "/data");
    }

    @Test
    void nodesAnswerToEachNameOfTheirService() throws IOException {
        for (String domain : List.of("cluster.local", "example.org")) {
            JsonNode set = of(Chart.render(Map.of("clusterDomain", domain)), "StatefulSet");
            JsonNode container = set.at("/spec/template/spec/containers/0");
            assertThat(variable(container, "TIDEMARK_ALLOWED_HOST").split(","))
                    .containsExactly("tm", "tm.cache", "tm.cache.svc", "tm.cache.svc." + domain);
        }
    }

    /** Else a drain waits while several nodes are not ready, for as long as that lasts. */
    @Test
    void nodesThatAreNotReadyDoNotBlockADrain() throws IOException {
        JsonNode budget = named(Chart.render(Map.of()), "PodDisruptionBudget", "tm-node");
        assertThat(budget.at("/spec/unhealthyPodEvictionPolicy").asText()).isEqualTo("AlwaysAllow");
    }

    /** A node refuses connections from SIGTERM on, and then needs 15 s at most. */
    @Test
    void nodesListenUntilServicesLeaveThemOut() throws IOException {
        JsonNode pod = of(Chart.render(Map.of()), "StatefulSet").at("/spec/template/spec");
        JsonNode command = pod.at("/containers/0/lifecycle/preStop/exec/command");
        assertThat(command.path(0).asText()).isEqualTo("sleep");
        int seconds = Integer.parseInt(command.path(1).asText());
        assertThat(seconds).isPositive();
        assertThat(pod.path("terminationGracePeriodSeconds").asInt()).isGreaterThan(seconds + 15);
    }

    /** Without the root a node with rbac exits: it finds no roles below another prefix. */
    @Test
    void bothProcessesHaveTheRootOfTheCluster() throws IOException {
        String root = "/kubernetes.io/,/registry/";
        Map<String, String> values =
                Map.of("mirror.prefix", "/kubernetes.io/", "mirror.kubernetesRoot", root);
        List<JsonNode> manifests = Chart.render(values);
        for (String kind : new String[] {"StatefulSet", "Deployment"}) {
            JsonNode container = of(manifests, kind).at("/spec/template/spec/containers/0");
            assertThat(variable(container, "TIDEMARK_KUBERNETES_ROOT")).isEqualTo(root);
        }
        Map<String, String> prefixOnly = Map.of("mirror.prefix", "/kubernetes.io/");
        assertThatThrownBy(() -> Chart.render(prefixOnly))
                .hasMessageContaining("must be one of mirror.kubernetesRoot");
    }

    @Test
    void theRootMayBeAVariableOfANode() throws IOException {
        String root = "/kubernetes.io/";
        Map<String, String> values =
                Map.of("mirror.prefix", root, "node.env.TIDEMARK_KUBERNETES_ROOT", root);
        JsonNode set = of(Chart.render(values), "StatefulSet");
        assertThat(set.at("/spec/template/spec/containers/0/env"))
                .extracting(each -> each.path("name").asText())
                .containsOnlyOnce("TIDEMARK_KUBERNETES_ROOT");
    }

    /** Headers of OTLP hold tokens, so they come from a Secret. */
    @Test
    void bothProcessesTakeVariablesOfOpenTelemetryAndOfSecrets() throws IOException {
        Map<String, String> values =
                Map.of(
                        "node.env.OTEL_SERVICE_NAME", "cache",
                        "node.envFrom[0]", "{secretRef: {name: otlp-headers}}",
                        "connector.env.OTEL_SERVICE_NAME", "cache",
                        "connector.envFrom[0]", "{secretRef: {name: otlp-headers}}");
        List<JsonNode> manifests = Chart.render(values);
        for (String kind : new String[] {"StatefulSet", "Deployment"}) {
            JsonNode manifest = of(manifests, kind);
            assertThat(ManifestSchemas.problem(manifest)).isEmpty();
            JsonNode container = manifest.at("/spec/template/spec/containers/0");
            assertThat(variable(container, "OTEL_SERVICE_NAME")).isEqualTo("cache");
            assertThat(container.at("/envFrom/0/secretRef/name").asText())
                    .isEqualTo("otlp-headers");
        }
    }

    @Test
    void topicsOfStrimziHaveTheSettingsOfTheConnector() throws IOException {
        Map<String, String> values =
                Map.of(
                        "strimzi.enabled", "true",
                        "strimzi.cluster", "main",
                        "mirror.history", "7d",
                        "mirror.topic", "Mirror_1");
        JsonNode topic =
                Chart.render(values).stream()
                        .filter(each -> each.at("/spec/topicName").asText().equals("Mirror_1"))
                        .findFirst()
                        .orElseThrow();
        assertThat(topic.at("/metadata/name").asText()).isEqualTo("mirror-1");
        JsonNode config = topic.at("/spec/config");
        assertThat(config.path("min.compaction.lag.ms").asLong()).isEqualTo(604_800_000L);
        assertThat(config.path("delete.retention.ms").asLong()).isEqualTo(604_800_000L);
        assertThat(config.path("segment.ms").asLong()).isEqualTo(21_600_000L);
        assertThat(config.path("message.timestamp.type").asText()).isEqualTo("LogAppendTime");
    }

    /** Nodes of one group share partitions, so two mirrors on one Kafka need two groups. */
    @Test
    void nodesJoinTheGroupThatTheirUserMayRead() throws IOException {
        List<JsonNode> manifests =
                Chart.render(
                        Map.of(
                                "strimzi.enabled", "true",
                                "strimzi.cluster", "main",
                                "mirror.topic", "second",
                                "mirror.group", "second-nodes"));
        JsonNode container = of(manifests, "StatefulSet").at("/spec/template/spec/containers/0");
        assertThat(variable(container, "TIDEMARK_GROUP")).isEqualTo("second-nodes");
        JsonNode user = named(manifests, "KafkaUser", "tm-node");
        assertThat(user.at("/spec/authorization/acls"))
                .filteredOn(acl -> acl.at("/resource/type").asText().equals("group"))
                .extracting(acl -> acl.at("/resource/name").asText())
                .containsExactly("second-nodes");
    }

    /** The operators see topics and users in the namespace of their Kafka alone. */
    @Test
    void topicsAndUsersOfStrimziAreInTheNamespaceOfTheirKafka() throws IOException {
        Map<String, String> here = Map.of("strimzi.enabled", "true", "strimzi.cluster", "main");
        assertThat(namespacesOfStrimzi(here)).containsOnly("cache").hasSize(5);
        Map<String, String> there =
                Map.of(
                        "strimzi.enabled", "true",
                        "strimzi.cluster", "main",
                        "strimzi.namespace", "kafka");
        assertThat(namespacesOfStrimzi(there)).containsOnly("kafka").hasSize(5);
    }

    /** Strimzi deletes the topic of a resource that Helm deletes. */
    @Test
    void topicsAndUsersOfStrimziOutliveTheRelease() throws IOException {
        Map<String, String> values = Map.of("strimzi.enabled", "true", "strimzi.cluster", "main");
        assertThat(Chart.render(values))
                .filteredOn(
                        each -> each.path("apiVersion").asText().startsWith("kafka.strimzi.io/"))
                .hasSize(5)
                .allSatisfy(each ->
                        assertThat(each.at("/metadata/annotations/helm.sh~1resource-policy"))
                                .hasToString("\"keep\""));
    }

    private static List<String> namespacesOfStrimzi(Map<String, String> values) throws IOException {
        return Chart.render(values).stream()
                .filter(each -> each.path("apiVersion").asText().startsWith("kafka.strimzi.io/"))
                .map(each -> each.at("/metadata/namespace").asText())
                .toList();
    }

    /** kubectl would verify the node's certificate by the authority of its kubeconfig. */
    @Test
    void theQueryOfTheNotesNamesTheAuthorityOfNodes() throws IOException {
        for (Path file :
                List.of(
                        Chart.FOLDER.resolve("templates").resolve("NOTES.txt"),
                        Path.of("..", "docs", "kubernetes.md"))) {
            assertThat(Files.readString(file))
                    .contains(
                            "kubectl --server https://127.0.0.1:8443"
                                    + " --certificate-authority certs/ca.crt");
        }
    }

    /** Nodes answer 401 to a caller without a login that they accept. */
    @Test
    void prometheusHasALoginThatNodesAccept() throws IOException {
        Chart.requireHelm();
        Map<String, String> values =
                Map.of(
                        "monitoring.serviceMonitor.enabled", "true",
                        "monitoring.serviceMonitor.certSecret", "prometheus");
        JsonNode monitor = named(Chart.render(values), "ServiceMonitor", "tm-node");
        JsonNode tls = monitor.at("/spec/endpoints/0/tlsConfig");
        assertThat(tls.at("/cert/secret/name").asText()).isEqualTo("prometheus");
        assertThat(tls.at("/cert/secret/key").asText()).isEqualTo("tls.crt");
        assertThat(tls.at("/keySecret/name").asText()).isEqualTo("prometheus");
        assertThat(tls.at("/keySecret/key").asText()).isEqualTo("tls.key");
        assertThat(monitor.at("/spec/endpoints/0").has("authorization")).isFalse();

        refusesTheMonitor(Map.of(), "needs certSecret or tokenSecret");
        refusesTheMonitor(
                Map.of("monitoring.serviceMonitor.tokenSecret", "prometheus"),
                "tokenSecret needs access.tokensSecret");
        refusesTheMonitor(
                Map.of(
                        "access.clientCaConfigMap", "",
                        "access.tokensSecret", "tokens",
                        "monitoring.serviceMonitor.certSecret", "prometheus"),
                "certSecret needs access.clientCaConfigMap");
    }

    @Test
    void monitoringReachesNodesBesideTheirClients() throws IOException {
        Chart.requireHelm();
        Map<String, String> values =
                Map.of(
                        "networkPolicy.clients[0]", "{ipBlock: {cidr: 10.0.0.0/8}}",
                        "networkPolicy.monitoring[0]", "{namespaceSelector: {}}");
        JsonNode from =
                named(Chart.render(values), "NetworkPolicy", "tm-node").at("/spec/ingress/0/from");
        assertThat(from.at("/0/ipBlock/cidr").asText()).isEqualTo("10.0.0.0/8");
        assertThat(from.at("/1/namespaceSelector").isObject()).isTrue();
        Map<String, String> open = Map.of("networkPolicy.monitoring[0]", "{namespaceSelector: {}}");
        JsonNode all = named(Chart.render(open), "NetworkPolicy", "tm-node");
        assertThat(all.at("/spec/ingress/0").has("from")).as("open to everyone").isFalse();
    }

    private static void refusesTheMonitor(Map<String, String> values, String message) {
        Map<String, String> all = new TreeMap<>(values);
        all.put("monitoring.serviceMonitor.enabled", "true");
        assertThatThrownBy(() -> Chart.render(all)).hasMessageContaining(message);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "etcd.endpoints[0]=10.0.0.1",
                "etcd.tlsSecret=",
                "kafka.bootstrapServers=",
                "peers.secret=",
                "peers.tlsSecret=",
                "access.tlsSecret=",
                "access.clientCaConfigMap=",
                "access.authorization=none",
                "access.authorization=policy",
                "access.authorization=origin",
                "access.origin=https://10.0.0.1:6443",
                "mirror.includeSecrets=true",
                "mirror.group=a group",
                "mirror.kubernetesRoot=/registry/, /kubernetes.io/",
                "mirror.history=6",
                "mirror.replicationFactor=0",
                "node.memory=2048",
                "node.replicas=0",
                "node.env.INSECURE=true",
                "node.replica=3",
                "image.digest=sha256:1",
                "strimzi.enabled=true",
                "strimzi.namespace=Kafka"
            })
    void refusesInvalidValues(String value) {
        Chart.requireHelm();
        int at = value.indexOf('=');
        Map<String, String> values = Map.of(value.substring(0, at), value.substring(at + 1));
        assertThatThrownBy(() -> Chart.render(values)).hasMessageContaining("schema");
    }

    /** Each thing that the policy asks for, taken away from a real manifest. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/spec/template/spec/securityContext/runAsNonRoot",
                "/spec/template/spec/securityContext/runAsUser",
                "/spec/template/spec/securityContext/seccompProfile",
                "/spec/template/spec/automountServiceAccountToken",
                "/spec/template/spec/terminationGracePeriodSeconds",
                "/spec/template/spec/topologySpreadConstraints",
                "/spec/template/spec/containers",
                "/spec/template/spec/containers/0/securityContext/allowPrivilegeEscalation",
                "/spec/template/spec/containers/0/securityContext/readOnlyRootFilesystem",
                "/spec/template/spec/containers/0/securityContext/capabilities",
                "/spec/template/spec/containers/0/livenessProbe",
                "/spec/template/spec/containers/0/readinessProbe",
                "/spec/template/spec/containers/0/startupProbe",
                "/spec/template/spec/containers/0/resources/limits/memory",
                "/spec/template/spec/containers/0/resources/requests/memory",
                "/spec/template/spec/containers/0/resources/requests/cpu"
            })
    void aBrokenChartIsFound(String removed) throws IOException {
        for (String kind : new String[] {"StatefulSet", "Deployment"}) {
            JsonNode manifest = of(Chart.render(Map.of()), kind).deepCopy();
            int slash = removed.lastIndexOf('/');
            ObjectNode parent = (ObjectNode) manifest.at(removed.substring(0, slash));
            assertThat(parent.remove(removed.substring(slash + 1))).as(removed).isNotNull();
            assertThat(PodPolicy.broken(manifest)).as(kind + " without " + removed).isNotEmpty();
        }
    }

    @Test
    void eachRuleNamesItsSectionOfTheRunbook() throws IOException {
        String base = "https://git.example.com/tidemark/";
        JsonNode rules =
                of(
                        Chart.render(
                                Map.of(
                                        "monitoring.prometheusRule.enabled",
                                        "true",
                                        "monitoring.prometheusRule.runbookBase",
                                        base)),
                        "PrometheusRule");
        assertThat(rules.at("/spec/groups/0/rules"))
                .isNotEmpty()
                .allSatisfy(rule ->
                        assertThat(rule.at("/annotations/runbook_url").asText())
                                .isEqualTo(
                                        base
                                                + "docs/runbook.md#"
                                                + rule.path("alert").asText().toLowerCase(ROOT)));
    }

    @Test
    void aFieldThatDoesNotExistIsFound() throws IOException {
        Map<String, String> all =
                Map.of(
                        "strimzi.enabled", "true",
                        "strimzi.cluster", "main",
                        "monitoring.serviceMonitor.enabled", "true",
                        "monitoring.serviceMonitor.certSecret", "prometheus",
                        "monitoring.prometheusRule.enabled", "true",
                        "access.origin", "in-cluster");
        for (JsonNode manifest : Chart.render(all)) {
            ObjectNode broken = manifest.deepCopy();
            Iterator<JsonNode> inner = broken.path("spec").elements();
            ObjectNode at = inner.hasNext() ? (ObjectNode) broken.path("spec") : broken;
            at.put("noSuchField", 1);
            assertThat(ManifestSchemas.problem(broken))
                    .as(broken.path("kind").asText())
                    .isPresent();
        }
    }

    private static JsonNode of(List<JsonNode> manifests, String kind) {
        return manifests.stream()
                .filter(each -> each.path("kind").asText().equals(kind))
                .findFirst()
                .orElseThrow();
    }

    private static JsonNode named(List<JsonNode> manifests, String kind, String name) {
        return of(
                manifests.stream()
                        .filter(each -> each.at("/metadata/name").asText().equals(name))
                        .toList(),
                kind);
    }

    private static String variable(JsonNode container, String name) {
        for (JsonNode each : container.path("env")) {
            if (each.path("name").asText().equals(name)) {
                return each.path("value").asText();
            }
        }
        throw new AssertionError("no variable " + name);
    }
}
