package io.tidemark.authorization;

import static io.tidemark.authorization.Cluster.of;
import static io.tidemark.authorization.Cluster.path;
import static io.tidemark.authorization.Cluster.policy;
import static io.tidemark.authorization.Cluster.rule;
import static io.tidemark.authorization.Cluster.user;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The cases of the API server's own tables: TestAuthorizer, TestRuleMatches, TestSubjectLocator,
 * TestDefaultRuleResolver and TestAppliesTo.
 */
class UpstreamTablesTest {
    private static final RbacRules ADMIN_OF_NS1 =
            new Cluster()
                    .role("", "admin", rule("*", "*", "*", "", "*"))
                    .bind("ns1", "b", "ClusterRole:admin", "User:admin", "Group:admins")
                    .rules();

    @Test
    void aRoleBindingGrantsAClusterRoleInItsNamespace() {
        for (Caller caller :
                List.of(user("admin"), user("joe", "admins"), user("joe", "group1", "admins"))) {
            for (String verb : List.of("get", "watch", "GET")) {
                allows(true, ADMIN_OF_NS1, caller, of(verb, "", "Pods", "ns1", ""));
                allows(false, ADMIN_OF_NS1, caller, of(verb, "", "Pods", "ns2", ""));
                allows(false, ADMIN_OF_NS1, caller, of(verb, "", "Nodes", "", ""));
                allows(false, ADMIN_OF_NS1, caller, path(verb, "/apis"));
            }
        }
        allows(false, ADMIN_OF_NS1, user("joe", "admin"), of("get", "", "Pods", "ns1", ""));
    }

    @Test
    void aClusterRoleBindingGrantsPaths() {
        RbacRules rules =
                new Cluster()
                        .role("", "getter", rule("get", "", "", "", "/apis"))
                        .role("", "all", rule("*", "", "", "", "/apis"))
                        .role("", "prefix", rule("get", "", "", "", "/apis/*"))
                        .bind("", "b1", "ClusterRole:getter", "User:foo", "Group:bar")
                        .bind("", "b2", "ClusterRole:all", "User:admin", "Group:admin")
                        .bind("", "b3", "ClusterRole:prefix", "User:prefixed", "Group:prefixed")
                        .rules();
        for (Caller foo : List.of(user("foo"), user("", "bar"))) {
            allows(true, rules, foo, path("get", "/apis"));
            allows(false, rules, foo, path("watch", "/apis"));
            allows(false, rules, foo, path("get", "/api/v1"));
        }
        for (Caller admin : List.of(user("admin"), user("", "admin"))) {
            allows(true, rules, admin, path("get", "/apis"));
            allows(true, rules, admin, path("watch", "/apis"));
            allows(false, rules, admin, path("get", "/api/v1"));
        }
        for (Caller prefixed : List.of(user("prefixed"), user("", "prefixed"))) {
            allows(true, rules, prefixed, path("get", "/apis/v1"));
            allows(true, rules, prefixed, path("get", "/apis/v1/foobar"));
            allows(false, rules, prefixed, path("get", "/api/v1"));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "pods, pods, true",
        "pods, pods/status, false",
        "pods/status, pods/status, true",
        "pods/status, pods, false",
        "pods/*, pods/status, false",
        "pods/*, pods, false",
        "*/status, pods/status, true",
        "*/status, pods/xstatus, false",
        "*/status, pods, false",
        "*, pods/status, true",
        "*/*, pods/status, false",
    })
    void aSubresourceIsAResourceOfItsOwn(String granted, String requested, boolean allowed) {
        RbacRules rules =
                new Cluster()
                        .role("", "admin", rule("*", "*", granted, "", "*"))
                        .bind("ns1", "b", "ClusterRole:admin", "User:admin")
                        .rules();
        allows(allowed, rules, user("admin"), of("get", "", requested, "ns1", ""));
    }

    @TestFactory
    Stream<DynamicTest> ruleMatches() {
        return Stream.of(
                resources("star verb", policy("*", "group1", "resource1", "", ""), "*11"),
                resources("star group", policy("verb1", "*", "resource1", "", ""), "1*1"),
                resources("star resource", policy("verb1", "group1", "*", "", ""), "11*"),
                resources(
                        "lists",
                        policy("verb1,verb2", "group1,group2", "resource1,resource2", "", ""),
                        "***"),
                paths("star path", policy("verb1", "", "", "", "*"), "1", ".*"),
                paths("prefix", policy("verb1", "", "", "", "/foo/*"), "1", "/foo/.*"),
                paths(
                        "exact paths",
                        policy("*", "", "", "", "/foo,/foo/bar/one"),
                        "*",
                        "/foo|/foo/bar/one"));
    }

    /**
     * @param matching verb, group and resource that the rule allows: 1 or any
     */
    private static DynamicTest resources(String name, PolicyRule rule, String matching) {
        return DynamicTest.dynamicTest(
                name,
                () -> {
                    for (int i = 0; i < 8; i++) {
                        String asked = "" + (1 + i % 2) + (1 + i / 2 % 2) + (1 + i / 4);
                        boolean allowed = asked.matches(matching.replace("*", "."));
                        RequestAttributes request =
                                of(
                                        "verb" + asked.charAt(0),
                                        "group" + asked.charAt(1),
                                        "resource" + asked.charAt(2),
                                        "",
                                        "");
                        assertThat(rule.allows(request)).as("%s", request).isEqualTo(allowed);
                    }
                });
    }

    private static DynamicTest paths(String name, PolicyRule rule, String verb, String matching) {
        return DynamicTest.dynamicTest(
                name,
                () -> {
                    for (String path :
                            List.of(
                                    "/foo",
                                    "/foo/bar",
                                    "/foo/baz",
                                    "/foo/bar/one",
                                    "/notfoo",
                                    "/notfoo/a")) {
                        for (String asked : List.of("1", "2")) {
                            boolean allowed =
                                    asked.matches(verb.replace("*", ".")) && path.matches(matching);
                            assertThat(rule.allows(path("verb" + asked, path)))
                                    .as("%s %s", asked, path)
                                    .isEqualTo(allowed);
                        }
                    }
                });
    }

    /** Who of the subjects may do it. */
    @Test
    void subjectLocator() {
        RbacRules rules =
                new Cluster()
                        .role("", "admin", rule("*", "*", "*", "", "*"))
                        .role("ns1", "admin", rule("get", "*", "Pods", "", "*"))
                        .bind("", "b", "ClusterRole:admin", "User:super", "Group:supers")
                        .bind("ns1", "b", "Role:admin", "User:admin", "Group:admins")
                        .rules();
        allowed(rules, of("get", "", "Pods", "ns1", ""), "super supers admin admins masters");
        allowed(rules, of("create", "", "Pods", "ns1", ""), "super supers masters");
        allowed(rules, of("get", "", "Pods", "ns2", ""), "super supers masters");
        allowed(rules, of("*", "", "Pods", "*", ""), "super supers masters");
        allowed(rules, of("*", "", "Pods", "", ""), "super supers masters");
    }

    private static void allowed(RbacRules rules, RequestAttributes request, String names) {
        for (String name : List.of("super", "admin", "other")) {
            allows(List.of(names.split(" ")).contains(name), rules, user(name), request);
            String group = name + "s";
            allows(List.of(names.split(" ")).contains(group), rules, user("x", group), request);
        }
        allows(true, rules, user("x", RbacRules.MASTERS), request);
    }

    @Test
    void ruleResolver() {
        RbacRules rules =
                new Cluster()
                        .role(
                                "namespace1",
                                "readthings",
                                rule("GET,WATCH", "v1", "pods", "", "/not/listed"),
                                rule("GET,WATCH", "v1", "services", "", "/not/listed"))
                        .role("", "cluster-admin", rule("*", "*", "*", "", "/a"))
                        .bind("namespace1", "b", "Role:readthings", "User:foobar", "Group:group1")
                        .bind("", "b", "ClusterRole:cluster-admin", "User:admin", "Group:admin")
                        .rules();
        assertThat(resourcesOf(rules, user("foobar"), "namespace1"))
                .containsExactlyInAnyOrder("pods", "services");
        assertThat(resourcesOf(rules, user("foobar", "group1"), "namespace1")).hasSize(2);
        assertThat(resourcesOf(rules, user("foobar"), "namespace2")).isEmpty();
        assertThat(resourcesOf(rules, user("foobar", "admin"), "")).containsExactly("*");
        assertThat(resourcesOf(rules, user(""), "")).isEmpty();
    }

    private static List<String> resourcesOf(RbacRules rules, Caller caller, String namespace) {
        return rules.rulesOf(caller, namespace).resourceRules().stream()
                .flatMap(rule -> rule.resources().stream())
                .toList();
    }

    @ParameterizedTest
    @CsvSource({
        "User:foobar, foobar, x, true",
        "User:barfoo;User:foobar, foobar, x, true",
        "User:barfoo;User:foobar, zimzam, x, false",
        "User:barfoo;Group:foobar, zimzam, foobar, true",
        "ServiceAccount:default/kube-system, system:serviceaccount:kube-system:default, x, true",
        "ServiceAccount:default, system:serviceaccount:home:default, x, true",
        "ServiceAccount:default, system:serviceaccount:kube-system:default, x, false",
        "User:*, foobar, x, false",
        "Group:*, foobar, x, false",
        "User:foobar, x, foobar, false",
        "Group:foobar, foobar, x, false",
        "user:foobar, foobar, x, false",
        "Group:system:authenticated;Group:system:unauthenticated, u, system:authenticated, true",
        "Group:system:authenticated;Group:system:unauthenticated, u, system:unauthenticated, true",
    })
    void appliesTo(String subjects, String user, String group, boolean applies) {
        RbacRules rules =
                new Cluster()
                        .role("home", "r", rule("get", "", "pods", "", ""))
                        .bind("home", "b", "Role:r", subjects.split(";"))
                        .rules();
        allows(applies, rules, user(user, group), of("get", "", "pods", "home", ""));
    }

    private static void allows(
            boolean expected, RbacRules rules, Caller caller, RequestAttributes request) {
        assertThat(rules.decide(caller, request).isAllowed())
                .as("%s %s", caller, request)
                .isEqualTo(expected);
    }
}
