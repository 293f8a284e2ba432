package io.tidemark.simulation.model;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The meaning of a role or a binding in etcd, as the author of its value states it. */
public sealed interface RbacValue {
    /** A Role or ClusterRole. */
    record Role(List<Rule> rules) implements RbacValue {
        public Role {
            rules = List.copyOf(rules);
        }
    }

    /**
     * A RoleBinding or ClusterRoleBinding.
     *
     * @param toClusterRole otherwise to a Role of the binding's namespace
     */
    record Binding(boolean toClusterRole, String role, Set<String> users, Set<String> groups)
            implements RbacValue {
        public Binding {
            users = Set.copyOf(users);
            groups = Set.copyOf(groups);
        }
    }

    /**
     * What a role allows.
     *
     * @param resources of the core group; a star for all of every group
     * @param names of objects; empty for all
     * @param paths for verbs of HTTP; a star at the end stands for the rest
     */
    record Rule(Set<String> verbs, Set<String> resources, Set<String> names, Set<String> paths) {
        public Rule {
            verbs = Set.copyOf(verbs);
            resources = Set.copyOf(resources);
            names = Set.copyOf(names);
            paths = Set.copyOf(paths);
        }

        /** Of objects. */
        public static Rule objects(Set<String> verbs, Set<String> resources, Set<String> names) {
            return new Rule(verbs, resources, names, Set.of());
        }

        /** Of paths. */
        public static Rule paths(String path) {
            return new Rule(Set.of("get"), Set.of(), Set.of(), Set.of(path));
        }

        private String json() {
            Map<String, Set<String>> members = new TreeMap<>();
            members.put("verbs", verbs);
            if (!paths.isEmpty()) {
                members.put("nonResourceURLs", paths);
            }
            if (!resources.isEmpty()) {
                members.put("apiGroups", Set.of(resources.contains("*") ? "*" : ""));
                members.put("resources", resources);
            }
            if (!names.isEmpty()) {
                members.put("resourceNames", names);
            }
            return members.entrySet().stream()
                    .map(each -> "\"%s\":%s".formatted(each.getKey(), texts(each.getValue())))
                    .collect(Collectors.joining(",", "{", "}"));
        }
    }

    /**
     * The object's JSON, in the form that readers get.
     *
     * @param namespace empty for an object of the cluster
     */
    default String json(String namespace, String name) {
        String kind =
                (namespace.isEmpty() ? "Cluster" : "")
                        + (this instanceof Role ? "Role" : "RoleBinding");
        String home = namespace.isEmpty() ? "" : ",\"namespace\":\"%s\"".formatted(namespace);
        String content =
                switch (this) {
                    case Role(List<Rule> rules) ->
                            rules.stream()
                                    .map(Rule::json)
                                    .collect(Collectors.joining(",", "\"rules\":[", "]"));
                    case Binding binding -> bindingJson(binding);
                };
        return "{\"apiVersion\":\"rbac.authorization.k8s.io/v1\",\"kind\":\"%s\",\"metadata\":{\"name\":\"%s\"%s},%s}"
                .formatted(kind, name, home, content);
    }

    private static String bindingJson(Binding binding) {
        List<String> subjects = new ArrayList<>();
        new TreeSet<>(binding.users()).forEach(user -> subjects.add(subject("User", user)));
        new TreeSet<>(binding.groups()).forEach(group -> subjects.add(subject("Group", group)));
        return "\"roleRef\":{\"apiGroup\":\"rbac.authorization.k8s.io\",\"kind\":\"%s\",\"name\":\"%s\"},\"subjects\":[%s]"
                .formatted(
                        binding.toClusterRole() ? "ClusterRole" : "Role",
                        binding.role(),
                        String.join(",", subjects));
    }

    private static String subject(String kind, String name) {
        return "{\"apiGroup\":\"rbac.authorization.k8s.io\",\"kind\":\"%s\",\"name\":\"%s\"}"
                .formatted(kind, name);
    }

    private static String texts(Collection<String> texts) {
        return new TreeSet<>(texts)
                .stream()
                        .map(text -> "\"" + text + "\"")
                        .collect(Collectors.joining(",", "[", "]"));
    }
}
