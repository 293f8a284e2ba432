package io.tidemark.authorization;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Small clusters with few words, so that rules and requests often meet, and often nearly do. */
final class RandomCases {
    private static final List<String> NAMESPACES = List.of("a", "b", "default");
    private static final List<String> ROLES = List.of("r", "s", "t");
    private static final List<String> VERBS = List.of("get", "list", "watch", "create", "*");
    private static final List<String> GROUPS = List.of("", "apps", "batch", "*");
    private static final List<String> RESOURCES =
            List.of("pods", "namespaces", "nodes", "pods/status", "pods/*", "*", "*/status", "*/*");
    private static final List<String> NAMES = List.of("x", "y", "", "a");
    private static final List<String> URLS =
            List.of("/apis", "/apis/*", "/apis*", "/kv/**", "*", "/a*b", "/healthz/", "");
    private static final List<String> PATHS =
            List.of("/apis", "/apis/", "/apis/apps", "/kv/", "/kv/x", "/healthz", "/a*b", "/", "");
    private static final List<String> USERS =
            List.of(
                    "u",
                    "v",
                    "*",
                    "",
                    "system:serviceaccount:a:x",
                    "system:serviceaccount:default:x",
                    "system:serviceaccount::x");
    private static final List<String> TEAMS =
            List.of("g", "h", "*", "u", "system:authenticated", "system:serviceaccounts");
    private static final List<String> REFERENCES =
            List.of("ClusterRole", "ClusterRole", "ClusterRole", "Role", "Role", "Role", "Other");
    private static final List<String> API_GROUPS =
            List.of("rbac.authorization.k8s.io", "", "example.com");

    private final Random random;

    RandomCases(long seed) {
        this.random = new Random(seed);
    }

    Case next() {
        List<Map<String, Object>> objects = new ArrayList<>();
        for (String role : ROLES) {
            if (random.nextInt(4) > 0) {
                objects.add(role("ClusterRole", "", role));
            }
            for (String namespace : NAMESPACES) {
                if (random.nextBoolean()) {
                    objects.add(role("Role", namespace, role));
                }
            }
        }
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            objects.add(binding("ClusterRoleBinding", "", "c" + i));
        }
        for (int i = 1 + random.nextInt(8); i > 0; i--) {
            objects.add(binding("RoleBinding", one(NAMESPACES), "b" + i));
        }
        Map<String, Object> user = user();
        Map<String, String> request = request();
        if (random.nextInt(3) > 0) {
            approach(objects, user, request);
        }
        return new Case(objects, user, request);
    }

    /** Makes it what a rule of one binding allows, but for one attribute. */
    private void approach(
            List<Map<String, Object>> objects,
            Map<String, Object> user,
            Map<String, String> request) {
        Map<?, ?> binding = objects.getLast();
        String kept = one(List.of("verb", "apiGroup", "resource", "subresource", "name", "", ""));
        if (binding.get("metadata") instanceof Map<?, ?> metadata
                && request.containsKey("namespace")
                && metadata.get("namespace") instanceof String namespace) {
            request.put("namespace", namespace);
        }
        if (one(binding.get("subjects")) instanceof Map<?, ?> subject) {
            String name = String.valueOf(subject.get("name"));
            if (subject.get("kind").equals("Group")) {
                user.put("groups", List.of("x", name));
            } else if (!subject.get("kind").equals("ServiceAccount")) {
                user.put("name", name);
            }
        }
        List<Object> roles = new ArrayList<>();
        for (Map<String, Object> object : objects) {
            if (binding.get("roleRef") instanceof Map<?, ?> reference
                    && object.get("kind").equals(reference.get("kind"))
                    && object.get("metadata") instanceof Map<?, ?> metadata
                    && metadata.get("name").equals(reference.get("name"))) {
                roles.add(object);
            }
        }
        if (one(roles) instanceof Map<?, ?> role
                && one(role.get("rules")) instanceof Map<?, ?> rule) {
            take(rule.get("verbs"), "verb", kept, request);
            if (request.containsKey("path")) {
                take(rule.get("nonResourceURLs"), "path", kept, request);
            } else {
                take(rule.get("apiGroups"), "apiGroup", kept, request);
                take(rule.get("resources"), "resource", kept, request);
                take(rule.get("resourceNames"), "name", kept, request);
                String[] parts = request.get("resource").split("/", 2);
                if (!kept.equals("subresource")) {
                    request.put("subresource", parts.length > 1 ? parts[1] : "");
                }
                request.put("resource", parts[0].equals("*") ? "pods" : parts[0]);
            }
        }
    }

    /** Null when it is no list, or empty. */
    private @Nullable Object one(@Nullable Object values) {
        return values instanceof List<?> list && !list.isEmpty()
                ? list.get(random.nextInt(list.size()))
                : null;
    }

    private void take(
            @Nullable Object values, String attribute, String kept, Map<String, String> request) {
        if (!attribute.equals(kept) && one(values) instanceof String value && !value.equals("*")) {
            request.put(attribute, value);
        }
    }

    Map<String, Object> object() {
        String namespace = one(NAMESPACES);
        return switch (random.nextInt(4)) {
            case 0 -> role("ClusterRole", "", one(ROLES));
            case 1 -> role("Role", namespace, one(ROLES));
            case 2 -> binding("ClusterRoleBinding", "", "c" + random.nextInt(4));
            default -> binding("RoleBinding", namespace, "b" + random.nextInt(4));
        };
    }

    Map<String, Object> user() {
        return map("name", one(USERS), "groups", some(TEAMS, 4));
    }

    Map<String, String> request() {
        Map<String, String> request = new HashMap<>();
        request.put("verb", one(List.of("get", "list", "watch", "delete", "")));
        if (random.nextInt(5) == 0) {
            request.put("path", one(PATHS));
            return request;
        }
        request.put("apiGroup", one(List.of("", "", "apps", "other")));
        request.put("resource", one(List.of("pods", "pods", "namespaces", "nodes", "*", "")));
        request.put("subresource", one(List.of("", "", "status", "*", "log")));
        request.put("namespace", one(List.of("a", "b", "default", "")));
        request.put("name", one(List.of("", "x", "y", "a")));
        return request;
    }

    Map<String, Object> rule() {
        Map<String, Object> rule = map("verbs", some(VERBS, 3));
        if (random.nextInt(5) > 0) {
            rule.put("apiGroups", some(GROUPS, 3));
            rule.put("resources", some(RESOURCES, 3));
        }
        if (random.nextInt(3) == 0) {
            rule.put("resourceNames", some(NAMES, 2));
        }
        if (random.nextInt(3) == 0) {
            rule.put("nonResourceURLs", some(URLS, 3));
        }
        return rule;
    }

    private Map<String, Object> role(String kind, String namespace, String name) {
        Map<String, Object> role = object(kind, namespace, name);
        List<Object> rules = new ArrayList<>();
        for (int i = random.nextInt(5); i > 0; i--) {
            rules.add(rule());
        }
        role.put("rules", rules);
        if (random.nextInt(5) == 0) {
            role.put("aggregationRule", map("clusterRoleSelectors", List.of(map())));
        }
        return role;
    }

    private Map<String, Object> binding(String kind, String namespace, String name) {
        Map<String, Object> binding = object(kind, namespace, name);
        List<Object> subjects = new ArrayList<>();
        for (int i = random.nextInt(5); i > 0; i--) {
            subjects.add(subject());
        }
        binding.put("subjects", subjects);
        String refers = one(REFERENCES);
        binding.put(
                "roleRef", map("apiGroup", one(API_GROUPS), "kind", refers, "name", one(ROLES)));
        return binding;
    }

    private Map<String, Object> subject() {
        return switch (random.nextInt(7)) {
            case 0, 1 -> map("kind", "User", "name", one(USERS), "apiGroup", one(API_GROUPS));
            case 2, 3 -> map("kind", "Group", "name", one(TEAMS), "apiGroup", one(API_GROUPS));
            case 4 -> map("kind", "ServiceAccount", "name", "x", "namespace", one(NAMESPACES));
            case 5 -> map("kind", "ServiceAccount", "name", "x");
            default -> map("kind", "Robot", "name", one(USERS));
        };
    }

    private static Map<String, Object> object(String kind, String namespace, String name) {
        Map<String, Object> metadata = map("name", name, "uid", "1", "managedFields", List.of());
        if (!namespace.isEmpty()) {
            metadata.put("namespace", namespace);
        }
        return map(
                "kind", kind, "apiVersion", "rbac.authorization.k8s.io/v1", "metadata", metadata);
    }

    static Map<String, Object> map(Object... pairs) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            map.put((String) pairs[i], pairs[i + 1]);
        }
        return map;
    }

    String one(List<String> all) {
        return all.get(random.nextInt(all.size()));
    }

    private List<String> some(List<String> all, int atMost) {
        List<String> some = new ArrayList<>();
        for (int i = Math.min(1, random.nextInt(10)) * (1 + random.nextInt(atMost)); i > 0; i--) {
            some.add(one(all));
        }
        return some;
    }
}
