package io.tidemark.query.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tidemark.authorization.Caller;
import io.tidemark.authorization.RequestAttributes;
import io.tidemark.authorization.RequestAttributes.NonResourceRequest;
import io.tidemark.authorization.RequestAttributes.ResourceRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PolicyFileTest {
    private static final String ROLES =
            """
            # Readers of keys
            ---
            kind: ClusterRole
            apiVersion: rbac.authorization.k8s.io/v1
            metadata: {name: keys}
            rules:
            - verbs: [get]
              nonResourceURLs: ["/kv/app/*"]
            ---
            kind: ClusterRoleBinding
            apiVersion: rbac.authorization.k8s.io/v1
            metadata: {name: keys}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: keys}
            subjects:
            - {kind: Group, apiGroup: rbac.authorization.k8s.io, name: ops}
            ---
            kind: Role
            apiVersion: rbac.authorization.k8s.io/v1
            metadata: {name: pods, namespace: blue}
            rules:
            - {verbs: [get, list], apiGroups: [""], resources: [pods]}
            ---
            kind: RoleBinding
            apiVersion: rbac.authorization.k8s.io/v1
            metadata: {name: pods, namespace: blue}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: pods}
            subjects:
            - {kind: User, apiGroup: rbac.authorization.k8s.io, name: ann}
            """;

    private static final Caller ANN = new Caller("ann", List.of("system:authenticated"));
    private static final Caller OPS = new Caller("joe", List.of("ops"));
    private static final Caller SERVICE =
            new Caller("system:serviceaccount:blue:default", List.of());
    private static final RequestAttributes KEY = new NonResourceRequest("get", "/kv/app/x");
    private static final RequestAttributes BLUE =
            new ResourceRequest("list", "", "v1", "pods", "", "blue", "");
    private static final RequestAttributes RED =
            new ResourceRequest("list", "", "v1", "pods", "", "red", "");

    @TempDir private Path folder;

    private Path file(String content) throws IOException {
        Path written = Files.writeString(folder.resolve("policy.new"), content);
        return Files.move(
                written,
                folder.resolve("policy.yaml"),
                StandardCopyOption.REPLACE_EXISTING,
                StandardCopyOption.ATOMIC_MOVE);
    }

    @Test
    void decidesByItsDocuments() throws IOException {
        try (PolicyFile policy = new PolicyFile(file(ROLES))) {
            assertThat(policy.decide(OPS, KEY).isAllowed()).isTrue();
            assertThat(policy.decide(ANN, KEY).isAllowed()).isFalse();
            assertThat(policy.decide(ANN, BLUE).isAllowed()).isTrue();
            assertThat(policy.decide(ANN, RED).isAllowed()).isFalse();
            assertThat(policy.standing().covers(7, Long.MAX_VALUE)).isTrue();
            assertThat(policy.rulesOf(ANN, "blue").orElseThrow().resourceRules()).hasSize(1);
        }
    }

    @Test
    void followsTheFileAndKeepsTheRulesWhileItIsUnusable() throws IOException {
        AtomicInteger calls = new AtomicInteger();
        try (PolicyFile policy = new PolicyFile(file(ROLES))) {
            Runnable end = policy.onChange(calls::incrementAndGet);
            long version = policy.standing().version();
            file("kind: Nonsense\n");
            file(ROLES.replace("name: ann", "name: bob"));
            await().until(() -> calls.get() == 1);
            assertThat(policy.decide(ANN, BLUE).isAllowed()).isFalse();
            assertThat(policy.standing().version()).isGreaterThan(version);
            end.run();
            file("kind: Nonsense\n");
            Files.delete(folder.resolve("policy.yaml"));
            file(ROLES);
            await().until(() -> policy.decide(ANN, BLUE).isAllowed());
            assertThat(calls.get()).isOne();
        }
    }

    /** As a policy it would take every right away, while the file is only being replaced. */
    @Test
    void refusesAnEmptyFile() {
        assertThatThrownBy(() -> new PolicyFile(file("")))
                .isInstanceOf(IOException.class)
                .hasMessageEndingWith("policy.yaml is empty");
    }

    /** A typing error must not take effect in part, nor as another right. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "kind: Pod",
                "- a list",
                "just text",
                "kind: Role\nmetadata: {name: x}\n",
                "kind: Role\napiVersion: rbac.authorization.k8s.io/v1\nmetadata: {name: x}\n",
                "kind: ClusterRole\n"
                        + "apiVersion: rbac.authorization.k8s.io/v1\n"
                        + "metadata: {name: 1}\n",
                "kind: ClusterRole\napiVersion: rbac.authorization.k8s.io/v1\nmetadata: {name: x}\n"
                        + "rules: {verbs: [get]}\n",
                "kind: ClusterRole\nkind: ClusterRole\n",
                "a: &all [get]\nb: *all\n",
                "a: [*all]\n",
                "kind: [",
                "\t\tkind: Role",
                "%YAML 9.9\n---\n}{"
            })
    void refusesWhatIsNoPolicy(String content) {
        assertThatThrownBy(() -> new PolicyFile(file(content)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("policy.yaml");
        assertThatThrownBy(() -> new PolicyFile(file(ROLES + "---\n" + content)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /** What is replaced by what in the roles, and the message. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "resources: [pods]} | resources: [pods], resourceName: [x]} | document 3, Role"
                        + " blue/pods: a rule has no member 'resourceName', only verbs, apiGroups,"
                        + " resources, resourceNames, nonResourceURLs",
                "resources: [pods]} | resources: [pods], resourcenames: [x]} | a rule has no member"
                        + " 'resourcenames'",
                "rules:             | resourceNames: [x]~rules: | document 1, ClusterRole keys has"
                        + " no member 'resourceNames', only apiVersion, kind, metadata, rules,"
                        + " aggregationRule, subjects, roleRef",
                "name: ann}         | name: ann, namespaces: x} | document 4, RoleBinding"
                        + " blue/pods: a subject has no member 'namespaces', only apiGroup, kind,"
                        + " name, namespace",
                "kind: Role, name   | kind: Role, group: x, name | document 4, RoleBinding"
                        + " blue/pods: roleRef has no member 'group'",
            })
    void refusesUnknownMembers(String part, String instead, String why) {
        String content = ROLES.replace(part, instead.replace('~', '\n'));
        assertThat(content).isNotEqualTo(ROLES);
        assertThatThrownBy(() -> new PolicyFile(file(content)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(why);
    }

    /** As {@code kubectl get -o yaml} shows them. */
    @Test
    void acceptsTheMembersThatKubernetesWrites() throws IOException {
        String exported =
                """
                aggregationRule: null
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRole
                metadata:
                  annotations: {a: b}
                  creationTimestamp: "2026-01-01T00:00:00Z"
                  labels: {a: b}
                  name: exported
                  resourceVersion: "7"
                  uid: x
                rules:
                - {verbs: [get], apiGroups: [""], resources: [pods], resourceNames: [x]}
                ---
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRoleBinding
                metadata: {name: exported}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: exported}
                subjects:
                - {kind: ServiceAccount, name: default, namespace: blue}
                """;
        try (PolicyFile policy = new PolicyFile(file(exported))) {
            assertThat(policy.rulesOf(SERVICE, "blue").orElseThrow().resourceRules()).hasSize(1);
        }
    }

    @Test
    void refusesRepeatedAndLargeContent() {
        assertThatThrownBy(() -> new PolicyFile(file(ROLES + "---\n" + ROLES)))
                .hasMessageContaining("repeats ClusterRole keys");
        assertThatThrownBy(() -> new PolicyFile(file("#".repeat(1 << 20) + "\n")))
                .hasMessageContaining("1 MiB");
        assertThatThrownBy(() -> new PolicyFile(file("[".repeat(100_000))))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new PolicyFile(folder.resolve("missing")))
                .isInstanceOf(IOException.class);
    }

    @Test
    void anEmptyPolicyAllowsNothing() throws IOException {
        try (PolicyFile policy = new PolicyFile(file("# later\n"))) {
            assertThat(policy.decide(ANN, BLUE).isAllowed()).isFalse();
        }
    }
}
