package io.tidemark.authorization;

import io.tidemark.authorization.RequestAttributes.NonResourceRequest;
import io.tidemark.authorization.RequestAttributes.ResourceRequest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Objects for tests, in few words. Lists are separated by commas. */
final class Cluster {
    private final List<Map<String, Object>> objects = new ArrayList<>();

    static Map<String, Object> rule(
            String verbs, String groups, String resources, String names, String urls) {
        return RandomCases.map(
                "verbs", list(verbs),
                "apiGroups", list(groups),
                "resources", list(resources),
                "resourceNames", names.isEmpty() ? List.of() : list(names),
                "nonResourceURLs", list(urls));
    }

    static PolicyRule policy(
            String verbs, String groups, String resources, String names, String urls) {
        return new PolicyRule(
                list(verbs),
                list(groups),
                list(resources),
                names.isEmpty() ? List.of() : list(names),
                list(urls));
    }

    static List<String> list(String values) {
        return List.of(values.split(",", -1));
    }

    @SafeVarargs
    final Cluster role(String namespace, String name, Map<String, Object>... rules) {
        Map<String, Object> role =
                object(namespace.isEmpty() ? "ClusterRole" : "Role", namespace, name);
        role.put("rules", Arrays.asList(rules));
        return add(role);
    }

    /**
     * @param role such as {@code ClusterRole:view}
     * @param subjects such as {@code User:jane}, {@code ServiceAccount:builder/ci}
     */
    Cluster bind(String namespace, String name, String role, String... subjects) {
        String[] reference = role.split(":", 2);
        Map<String, Object> binding =
                object(namespace.isEmpty() ? "ClusterRoleBinding" : "RoleBinding", namespace, name);
        binding.put("roleRef", RandomCases.map("kind", reference[0], "name", reference[1]));
        binding.put("subjects", Arrays.stream(subjects).map(Cluster::subject).toList());
        return add(binding);
    }

    Cluster add(Map<String, Object> object) {
        objects.add(object);
        return this;
    }

    private static Map<String, Object> subject(String text) {
        String[] parts = text.split(":", 2);
        if (!parts[0].equals("ServiceAccount")) {
            return RandomCases.map("kind", parts[0], "name", parts[1]);
        }
        String[] account = parts[1].split("/", -1);
        Map<String, Object> subject = RandomCases.map("kind", parts[0], "name", account[0]);
        if (account.length > 1) {
            subject.put("namespace", account[1]);
        }
        return subject;
    }

    static Map<String, Object> object(String kind, String namespace, String name) {
        return RandomCases.map(
                "kind",
                kind,
                "apiVersion",
                "rbac.authorization.k8s.io/v1",
                "metadata",
                RandomCases.map("name", name, "namespace", namespace));
    }

    RbacRules rules() {
        return ProductRbac.rules(objects);
    }

    static Caller user(String name, String... groups) {
        return new Caller(name, List.of(groups));
    }

    /**
     * @param resource such as {@code pods/status}
     */
    static RequestAttributes of(
            String verb, String group, String resource, String namespace, String name) {
        int slash = resource.indexOf('/');
        return new ResourceRequest(
                verb,
                group,
                "v1",
                slash < 0 ? resource : resource.substring(0, slash),
                slash < 0 ? "" : resource.substring(slash + 1),
                namespace,
                name);
    }

    static RequestAttributes path(String verb, String path) {
        return new NonResourceRequest(verb, path);
    }
}
