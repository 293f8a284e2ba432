package io.tidemark.authorization;

import static io.tidemark.authorization.Cluster.of;
import static io.tidemark.authorization.Cluster.path;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The cases of the API server's comparison of policies, by what rules allow: covered rules allow
 * nothing beyond the rules that cover them, others do. A rule reads {@code verbs groups resources
 * names urls}, with a dash for none; semicolons separate rules.
 */
class PolicyComparatorTest {
    private static final List<RequestAttributes> REQUESTS = requests();

    private static List<RequestAttributes> requests() {
        List<RequestAttributes> all = new ArrayList<>();
        for (String verb : List.of("get", "list", "watch", "delete", "update", "exec", "other")) {
            for (String group : List.of("v1", "g1", "g2", "other")) {
                for (String resource :
                        List.of("builds", "deployments", "pods", "roles", "foo/scale", "other")) {
                    for (String name : List.of("", "foo", "bar", "other")) {
                        all.add(of(verb, group, resource, "n", name));
                    }
                }
            }
            for (String path : List.of("", "/", "/api", "/apis", "/api/v1", "/apis/v1", "/foo")) {
                all.add(path(verb, path));
            }
        }
        return all;
    }

    @ParameterizedTest
    @CsvSource({
        "get v1 builds - -, get v1 builds - -, true",
        "get v1 */scale - -, get v1 foo/scale - -, true",
        "get v1 builds - -, get v1 * - -, false",
        "'delete v1 deployments - -;delete v1 builds - -;update v1 builds,deployments - -',"
                + "'delete,update v1 builds,deployments - -', true",
        "'delete,update g1,g2 builds,deployments - -',"
                + "'delete g1 builds - -;update g2 deployments - -', true",
        "'delete,update v1 builds,deployments - -;delete v1 pods - -',"
                + "'delete,update v1 builds,deployments,pods - -', false",
        "get * roles - -, 'get g1,g2 roles - -', true",
        "get g1 roles - -, get * roles - -, false",
        "get * roles - -, get * roles - -, true",
        "* v1 roles - -, 'watch,list v1 roles - -', true",
        "'get,list,watch,delete,update,exec v1 roles - -', * v1 roles - -, false",
        "* v1 roles - -, * v1 roles - -, true",
        "get v1 * - -, get v1 deployments - -, true",
        "'get v1 roles,deployments - -', get v1 * - -, false",
        "get v1 * - -, get v1 * - -, true",
        "get v1 pods - -, 'get v1 pods foo,bar -', true",
        "'get v1 pods foo,bar -', get v1 pods - -, false",
        "* - - - /apis, * - - - /apis, true",
        "* - - - *, '* - - - /apis,/apis/v1,/', true",
        "* - - - /apis/*, 'get - - - /apis,/apis/v1', false",
        "* - - - /apis/*, 'get - - - /apis/v1/foo,/apis/v1', true",
        "get v1 builds - /apis, get v1 builds - /apis, true",
        "get v1 builds - -, get v1 builds - /apis, false",
    })
    void coveredRulesAllowNothingMore(String owner, String servant, boolean covered) {
        List<PolicyRule> owners = rules(owner);
        List<PolicyRule> servants = rules(servant);
        List<RequestAttributes> beyond =
                REQUESTS.stream()
                        .filter(request -> allow(servants, request) && !allow(owners, request))
                        .toList();
        assertThat(beyond.isEmpty()).as("%s", beyond).isEqualTo(covered);
        assertThat(REQUESTS).anyMatch(request -> allow(servants, request));
    }

    @ParameterizedTest
    @CsvSource({
        "*, '', true",
        "*, /, true",
        "*, /api, true",
        "/*, '', false",
        "/*, /, true",
        "/*, /foo, true",
        "/api, /api, true",
        "/apis, /api, false",
        "/api/v1, /api, false",
        "/api/v1, /api/v1, true",
        "/api/*, /api/v1, true",
        "/api/*, /api, false",
        "/api/**, /api/v1, true",
        "/api/*/*, /api/v1, false",
        "/*/v1/*, /api/v1, false",
    })
    void coversPaths(String url, String path, boolean covered) {
        PolicyRule rule =
                new PolicyRule(List.of("get"), List.of(), List.of(), List.of(), List.of(url));
        assertThat(rule.allows(path("get", path))).isEqualTo(covered);
    }

    private static boolean allow(List<PolicyRule> rules, RequestAttributes request) {
        return rules.stream().anyMatch(rule -> rule.allows(request));
    }

    private static List<PolicyRule> rules(String text) {
        List<PolicyRule> rules = new ArrayList<>();
        for (String rule : text.split(";")) {
            List<List<String>> lists = new ArrayList<>();
            for (String values : rule.split(" ")) {
                lists.add(values.equals("-") ? List.of() : Cluster.list(values));
            }
            rules.add(
                    new PolicyRule(
                            lists.get(0), lists.get(1), lists.get(2), lists.get(3), lists.get(4)));
        }
        return rules;
    }
}
