package io.tidemark.authorization;

import static io.tidemark.authorization.Cluster.of;
import static io.tidemark.authorization.Cluster.path;
import static io.tidemark.authorization.Cluster.rule;
import static io.tidemark.authorization.Cluster.user;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.authorization.Decision.Verdict;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RbacRulesTest {
    private static final RbacId ROLE = new RbacId(RbacKind.ROLE, "n", "r");
    private static final RbacId BINDING = new RbacId(RbacKind.ROLE_BINDING, "n", "b");
    private static final RequestAttributes GET_PODS = of("get", "", "pods", "n", "");
    private static final RequestAttributes LIST_NODES = of("list", "", "nodes", "", "");

    private static final String ROLE_JSON =
            """
            {"apiVersion":"rbac.authorization.k8s.io/v1","kind":"Role",
             "metadata":{"name":"r","namespace":"n","labels":{"name":"x"}},
             "rules":[{"verbs":["get"],"apiGroups":[""],"resources":["pods"]}]}\
            """;

    private static final RbacRules RULES =
            new Cluster()
                    .role("n", "r", rule("get", "", "pods", "", ""))
                    .bind("n", "b", "Role:r", "User:u", "Group:g", "ServiceAccount:s")
                    .bind("", "c", "ClusterRole:gone", "User:u", "Group:lost")
                    .bind("n", "d", "ClusterRole:gone", "Group:lost")
                    .bind("n", "e", "Role:gone", "Group:lost")
                    .bind("", "f", "Role:r", "User:v")
                    .bind("n", "h", "Thing:r", "User:w")
                    .bind("", "admins", "ClusterRole:gone", "Group:system:masters")
                    .rules();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "u | g | to User \"u\"",
                "x | g | to Group \"g\"",
                "system:serviceaccount:n:s | x | to ServiceAccount \"s/n\"",
            })
    void theReasonNamesTheBindingAndItsFirstSubject(String name, String group, String end) {
        Decision decision = RULES.decide(user(name, group), GET_PODS);
        assertThat(decision.verdict()).isEqualTo(Verdict.ALLOWED);
        assertThat(decision.reason())
                .isEqualTo("RBAC: allowed by RoleBinding \"b/n\" of Role \"r\" " + end);
    }

    @Test
    void aDenialNamesTheRolesThatAreMissing() {
        assertThat(reason("u", "x", LIST_NODES))
                .isEqualTo("RBAC: clusterrole.rbac.authorization.k8s.io \"gone\" not found");
        assertThat(reason("x", "lost", LIST_NODES))
                .isEqualTo("RBAC: clusterrole.rbac.authorization.k8s.io \"gone\" not found");
        assertThat(reason("x", "lost", GET_PODS))
                .isEqualTo(
                        "RBAC: [clusterrole.rbac.authorization.k8s.io \"gone\" not found, "
                                + "role.rbac.authorization.k8s.io \"gone\" not found]");
        assertThat(reason("v", "x", GET_PODS))
                .isEqualTo("RBAC: role.rbac.authorization.k8s.io \"r\" not found");
        assertThat(reason("w", "x", GET_PODS))
                .isEqualTo("RBAC: unsupported role reference kind: \"Thing\"");
        assertThat(reason("x", "x", GET_PODS)).isEmpty();
    }

    private static String reason(String name, String group, RequestAttributes request) {
        Decision decision = RULES.decide(user(name, group), request);
        assertThat(decision.verdict()).isEqualTo(Verdict.NO_OPINION);
        return decision.reason();
    }

    @Test
    void mastersPassUnlessSwitchedOff() {
        Caller master = user("x", RbacRules.MASTERS);
        assertThat(RbacRules.empty(true).decide(master, LIST_NODES).isAllowed()).isTrue();
        assertThat(RbacRules.empty(true).decide(master, LIST_NODES).reason()).isEmpty();
        assertThat(RbacRules.empty(true).decide(master, path("get", "/x")).isAllowed()).isTrue();
        assertThat(RbacRules.empty(false).decide(master, LIST_NODES).isAllowed()).isFalse();
        assertThat(RULES.rulesOf(master, "n").resourceRules()).isEmpty();
    }

    @Test
    void rulesOfNamesProblemsAndSplitsRules() {
        RbacRules rules =
                new Cluster()
                        .role("", "r", rule("get", "", "pods", "a", "/x"))
                        .bind("", "b", "ClusterRole:r", "User:u", "Group:g")
                        .bind("", "c", "ClusterRole:gone", "User:u")
                        .rules();
        EffectiveRules effective = rules.rulesOf(user("u", "g", "g"), "n");
        List<String> none = List.of();
        assertThat(effective.resourceRules())
                .containsExactly(
                        new PolicyRule(
                                List.of("get"), List.of(""), List.of("pods"), List.of("a"), none));
        assertThat(effective.nonResourceRules())
                .containsExactly(new PolicyRule(List.of("get"), none, none, none, List.of("/x")));
        assertThat(effective.evaluationError())
                .isEqualTo("clusterrole.rbac.authorization.k8s.io \"gone\" not found");
    }

    @Test
    void theVersionMovesWithWhatMayChangeADecision() {
        byte[] role = ROLE_JSON.getBytes(StandardCharsets.UTF_8);
        RbacRules first = RbacRules.empty(true).put(ROLE, role);
        assertThat(first.version()).isEqualTo(1);
        String relabelled = ROLE_JSON.replace("\"x\"", "\"y\"");
        assertThat(first.put(ROLE, relabelled.getBytes(StandardCharsets.UTF_8)).version())
                .isEqualTo(1);
        assertThat(first.delete(BINDING).version()).isEqualTo(1);
        assertThat(first.completeThrough(7).version()).isEqualTo(1);
        assertThat(first.completeThrough(7).through()).isEqualTo(7);
        assertThat(first.completeThrough(7).put(ROLE, role).through()).isEqualTo(7);
        RbacRules changed =
                first.put(ROLE, ROLE_JSON.replace("get", "list").getBytes(StandardCharsets.UTF_8));
        assertThat(changed.version()).isEqualTo(2);
        assertThat(changed.delete(ROLE).version()).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "null",
                "[]",
                "{}",
                "{\"kind\":\"Role\"}",
                "ROLE trailing",
                "ROLE {}",
                "ROLE with kind ClusterRole",
                "ROLE with name other",
                "ROLE with namespace other",
                "ROLE with verbs text",
                "ROLE with version v1alpha1",
            })
    void anUnreadableObjectGrantsNothingAndIsReported(String text) {
        String json =
                switch (text) {
                    case "ROLE trailing" -> ROLE_JSON + "x";
                    case "ROLE {}" -> ROLE_JSON + "{}";
                    case "ROLE with kind ClusterRole" ->
                            ROLE_JSON.replace("\"Role\"", "\"ClusterRole\"");
                    case "ROLE with name other" -> ROLE_JSON.replace("\"r\"", "\"q\"");
                    case "ROLE with namespace other" -> ROLE_JSON.replace("\"n\"", "\"m\"");
                    case "ROLE with verbs text" -> ROLE_JSON.replace("[\"get\"]", "\"get\"");
                    case "ROLE with version v1alpha1" -> ROLE_JSON.replace("/v1", "/v1alpha1");
                    default -> text;
                };
        RbacRules broken = RULES.put(ROLE, json.getBytes(StandardCharsets.UTF_8));
        assertThat(broken.unreadable()).containsOnlyKeys(ROLE);
        assertThat(broken.version()).isEqualTo(RULES.version() + 1);
        Decision decision = broken.decide(user("u"), GET_PODS);
        assertThat(decision.isAllowed()).isFalse();
        assertThat(decision.reason())
                .contains("role.rbac.authorization.k8s.io \"r\" cannot be read");
        assertThat(broken.delete(ROLE).unreadable()).isEmpty();
        RbacRules mended = broken.put(ROLE, ROLE_JSON.getBytes(StandardCharsets.UTF_8));
        assertThat(mended.unreadable()).isEmpty();
        assertThat(mended.decide(user("u"), GET_PODS).isAllowed()).isTrue();
    }

    @Test
    void anUnreadableBindingGrantsNothing() {
        RbacRules broken = RULES.putUnreadable(BINDING, "no JSON");
        assertThat(broken.unreadable()).isEqualTo(Map.of(BINDING, "no JSON"));
        assertThat(broken.decide(user("u"), GET_PODS).isAllowed()).isFalse();
    }

    @Test
    void readsNullsEscapesAndRepeatedMembersAsTheApiServerDoes() {
        String json =
                """
                {"kind":"RoleBinding","apiVersion":"rbac.authorization.k8s.io/v1beta1",
                 "metadata":{"namespace":"n","name":"b","name":"\\u0062","x":[[{"a":1e3}]]},
                 "subjects":[],"subjects":[{"kind":"User","name":"\\u0075","namespace":null}],
                 "roleRef":{"kind":"Role","name":"r","apiGroup":7},"rules":"ignored"}\
                """;
        RbacRules rules = RULES.delete(BINDING).put(BINDING, json.getBytes(StandardCharsets.UTF_8));
        assertThat(rules.unreadable()).isEmpty();
        assertThat(rules.decide(user("u"), GET_PODS).isAllowed()).isTrue();
        String nulls =
                ROLE_JSON.replaceFirst("\"rules\":.*", "\"rules\":[null,{\"verbs\":[null]}]}");
        assertThat(rules.put(ROLE, nulls.getBytes(StandardCharsets.UTF_8)).unreadable()).isEmpty();
    }

    /** Of any bytes, an object is read or reported, and no other right appears. */
    @Test
    void takesAnyBytes() {
        Random random = new Random(5);
        byte[] good = ROLE_JSON.getBytes(StandardCharsets.UTF_8);
        RbacRules rules = RULES;
        for (int i = 0; i < 20_000; i++) {
            byte[] bad = good.clone();
            for (int j = random.nextInt(4); j >= 0; j--) {
                bad[random.nextInt(bad.length)] =
                        (byte) "{}[]\",:\\nul0x\u0000\u00ff".charAt(random.nextInt(15));
            }
            rules = rules.put(ROLE, bad);
            assertThat(rules.decide(user("other"), GET_PODS).isAllowed()).isFalse();
        }
        assertThat(rules.put(ROLE, good).unreadable()).isEmpty();
    }

    @Test
    void deepJsonIsRefused() {
        String deep = "[".repeat(100_000);
        assertThat(
                        RULES.put(ROLE, ("{\"x\":" + deep).getBytes(StandardCharsets.UTF_8))
                                .unreadable())
                .containsKey(ROLE);
    }

    @ParameterizedTest
    @CsvSource({
        "roles/n/r, ROLE, n, r",
        "rolebindings/n/r, ROLE_BINDING, n, r",
        "clusterroles/system:x, CLUSTER_ROLE, '', system:x",
        "clusterrolebindings/x, CLUSTER_ROLE_BINDING, '', x",
    })
    void keysNameObjects(String path, RbacKind kind, String namespace, String name) {
        assertThat(RbacId.ofKey(path)).contains(new RbacId(kind, namespace, name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "roles", "roles/n", "roles/n/r/x", "clusterroles/a/b", "pods/n/r"})
    void otherKeysNameNone(String path) {
        assertThat(RbacId.ofKey(path)).isEmpty();
    }

    @Test
    void refusalsHaveTheApiServersText() {
        Caller caller = user("o'brien \"q\"");
        assertThat(of("get", "", "pods/resize", "a", "p").forbidden(caller, ""))
                .isEqualTo(
                        "pods \"p\" is forbidden: User \"o'brien \\\"q\\\"\" cannot get resource"
                                + " \"pods/resize\" in API group \"\" in the namespace \"a\"");
        assertThat(of("list", "apps", "deployments", "", "").forbidden(caller, "RBAC: x"))
                .isEqualTo(
                        "deployments.apps is forbidden: User \"o'brien \\\"q\\\"\" cannot list"
                                + " resource \"deployments\" in API group \"apps\" at the cluster"
                                + " scope: RBAC: x");
        assertThat(path("get", "/apisx").forbidden(user("u"), ""))
                .isEqualTo("forbidden: User \"u\" cannot get path \"/apisx\"");
    }
}
