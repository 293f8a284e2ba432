package io.tidemark.authorization;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.authorization.RequestAttributes.ResourceRequest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Decisions about more callers than are kept, about large ones, and after changes. */
class CallerCacheTest {
    private static final int MANY = 5_000;
    private static final RequestAttributes LIST_PODS = request("pods");
    private static final RequestAttributes LIST_JOBS = request("jobs");

    private static RequestAttributes request(String resource) {
        return new ResourceRequest("list", "", "v1", resource, "", "blue", "");
    }

    private static RbacRules role(RbacRules rules, String name, String resource) {
        RbacId id = new RbacId(RbacKind.CLUSTER_ROLE, "", name);
        return rules.put(
                id,
                """
                {"kind":"ClusterRole","apiVersion":"rbac.authorization.k8s.io/v1",
                 "metadata":{"name":"%s"},
                 "rules":[{"verbs":["list"],"apiGroups":[""],"resources":["%s"]}]}
                """
                        .formatted(name, resource)
                        .getBytes(StandardCharsets.UTF_8));
    }

    private static RbacId binding(String name) {
        return new RbacId(RbacKind.CLUSTER_ROLE_BINDING, "", name);
    }

    private static RbacRules bind(RbacRules rules, String name, String kind, String to) {
        return rules.put(
                binding(to + "-" + name),
                """
                {"kind":"ClusterRoleBinding","apiVersion":"rbac.authorization.k8s.io/v1",
                 "metadata":{"name":"%s-%s"},
                 "roleRef":{"kind":"ClusterRole","name":"%s"},
                 "subjects":[{"kind":"%s","name":"%s"}]}
                """
                        .formatted(to, name, name, kind, to)
                        .getBytes(StandardCharsets.UTF_8));
    }

    private static boolean allows(RbacRules rules, Caller caller, RequestAttributes request) {
        return rules.decide(caller, request).isAllowed();
    }

    @Test
    void tellsApartMoreCallersThanItKeeps() {
        RbacRules rules = role(RbacRules.empty(true), "pods", "pods");
        for (int i = 0; i < MANY; i += 2) {
            rules = bind(rules, "pods", "User", "user-" + i);
        }
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < MANY; i++) {
                Caller caller = new Caller("user-" + i, List.of("system:authenticated"));
                assertThat(allows(rules, caller, LIST_PODS)).as("user %d", i).isEqualTo(i % 2 == 0);
                assertThat(allows(rules, caller, LIST_JOBS)).as("user %d", i).isFalse();
            }
        }
    }

    @Test
    void tellsApartCallersOfOneNameByTheirGroups() {
        RbacRules rules = role(RbacRules.empty(true), "pods", "pods");
        rules = bind(rules, "pods", "Group", "staff");
        Caller inside = new Caller("ann", List.of("staff"));
        Caller outside = new Caller("ann", List.of("guests"));
        for (int i = 0; i < 3; i++) {
            assertThat(allows(rules, inside, LIST_PODS)).isTrue();
            assertThat(allows(rules, outside, LIST_PODS)).isFalse();
        }
    }

    @Test
    void forgetsAtOnceWhatHasChanged() {
        Caller caller = new Caller("ann", List.of("staff"));
        RbacRules rules = role(RbacRules.empty(true), "work", "pods");
        rules = bind(rules, "work", "Group", "staff");
        assertThat(allows(rules, caller, LIST_PODS)).isTrue();
        RbacRules otherRole = role(rules, "work", "jobs");
        assertThat(allows(otherRole, caller, LIST_PODS)).isFalse();
        assertThat(allows(otherRole, caller, LIST_JOBS)).isTrue();
        RbacRules unbound = otherRole.delete(binding("staff-work"));
        assertThat(allows(unbound, caller, LIST_JOBS)).isFalse();
        // The earlier rules are immutable.
        assertThat(allows(rules, caller, LIST_PODS)).isTrue();
    }

    @Test
    void decidesForCallersThatAreTooLargeToKeep() {
        RbacRules rules = role(RbacRules.empty(true), "pods", "pods");
        rules = bind(rules, "pods", "Group", "last");
        List<String> groups = new ArrayList<>(Collections.nCopies(CallerGrants.MAX_GROUPS, "x"));
        groups.add("last");
        assertThat(allows(rules, new Caller("ann", groups), LIST_PODS)).isTrue();
        for (int i = 0; i <= CallerGrants.MAX_RULES; i++) {
            rules = role(rules, "role-" + i, "things-" + i);
            rules = bind(rules, "role-" + i, "User", "bob");
        }
        Caller bob = new Caller("bob", List.of());
        assertThat(allows(rules, bob, request("things-" + CallerGrants.MAX_RULES))).isTrue();
        assertThat(allows(rules, bob, LIST_PODS)).isFalse();
    }

    @Test
    void aNameFilterHasAllItsNamesAndFewOthers() {
        List<String> names = IntStream.range(0, 1_000).mapToObj(i -> "group-" + i).toList();
        NameFilter filter = new NameFilter(names);
        assertThat(names).allMatch(filter::mayHave);
        long others = IntStream.range(0, 1_000).filter(i -> filter.mayHave("other-" + i)).count();
        assertThat(others).isLessThan(300);
        assertThat(new NameFilter(List.of()).mayHave("x")).isFalse();
    }
}
