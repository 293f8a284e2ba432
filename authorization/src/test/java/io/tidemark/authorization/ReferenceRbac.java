package io.tidemark.authorization;

import io.tidemark.authorization.Case.Answer;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * RBAC as Kubernetes' documentation describes it: plain loops over all objects as raw JSON. Shares
 * no class with the product.
 */
final class ReferenceRbac {
    private ReferenceRbac() {}

    static Answer answer(Case question) {
        String namespace = text(question.request(), "namespace");
        Set<String> problems = new LinkedHashSet<>();
        for (Map<String, Object> binding : question.objects()) {
            String kind = text(binding, "kind");
            String home = text(map(binding, "metadata"), "namespace");
            boolean inForce =
                    kind.equals("ClusterRoleBinding")
                            || (kind.equals("RoleBinding")
                                    && !namespace.isEmpty()
                                    && home.equals(namespace));
            if (!inForce || !isFor(binding, question.user())) {
                continue;
            }
            Map<String, Object> role = null;
            for (Map<String, Object> object : question.objects()) {
                if (isRoleOf(object, binding)) {
                    role = object;
                }
            }
            if (role == null) {
                problems.add(problem(map(binding, "roleRef")));
                continue;
            }
            for (Map<String, Object> rule : maps(role, "rules")) {
                if (allows(rule, question.request())) {
                    return Answer.allow();
                }
            }
        }
        return Answer.deny(problems);
    }

    private static boolean isRoleOf(Map<String, Object> object, Map<String, Object> binding) {
        Map<String, Object> reference = map(binding, "roleRef");
        String wanted = text(reference, "kind");
        String namespace = text(map(object, "metadata"), "namespace");
        boolean scope =
                wanted.equals("ClusterRole")
                        || (wanted.equals("Role")
                                && text(binding, "kind").equals("RoleBinding")
                                && namespace.equals(text(map(binding, "metadata"), "namespace")));
        return scope
                && text(object, "kind").equals(wanted)
                && text(map(object, "metadata"), "name").equals(text(reference, "name"));
    }

    private static String problem(Map<String, Object> reference) {
        String name = text(reference, "name");
        return switch (text(reference, "kind")) {
            case "Role" -> "role.rbac.authorization.k8s.io \"" + name + "\" not found";
            case "ClusterRole" ->
                    "clusterrole.rbac.authorization.k8s.io \"" + name + "\" not found";
            default -> "unsupported role reference kind: \"" + text(reference, "kind") + "\"";
        };
    }

    private static boolean isFor(Map<String, Object> binding, Map<String, Object> user) {
        for (Map<String, Object> subject : maps(binding, "subjects")) {
            String name = text(subject, "name");
            switch (text(subject, "kind")) {
                case "User" -> {
                    if (text(user, "name").equals(name)) {
                        return true;
                    }
                }
                case "Group" -> {
                    if (texts(user, "groups").contains(name)) {
                        return true;
                    }
                }
                case "ServiceAccount" -> {
                    String namespace = text(subject, "namespace");
                    if (namespace.isEmpty()) {
                        namespace = text(map(binding, "metadata"), "namespace");
                    }
                    String account = "system:serviceaccount:" + namespace + ":" + name;
                    if (!namespace.isEmpty() && text(user, "name").equals(account)) {
                        return true;
                    }
                }
                default -> {}
            }
        }
        return false;
    }

    private static boolean allows(Map<String, Object> rule, Map<String, String> request) {
        if (!hasOrStar(texts(rule, "verbs"), text(request, "verb"))) {
            return false;
        }
        if (request.containsKey("path")) {
            for (String url : texts(rule, "nonResourceURLs")) {
                String path = text(request, "path");
                if (url.equals(path)
                        || (url.endsWith("*") && path.startsWith(url.replaceAll("\\*+$", "")))) {
                    return true;
                }
            }
            return false;
        }
        if (!hasOrStar(texts(rule, "apiGroups"), text(request, "apiGroup"))) {
            return false;
        }
        List<String> resources = texts(rule, "resources");
        String sub = text(request, "subresource");
        String resource = text(request, "resource") + (sub.isEmpty() ? "" : "/" + sub);
        boolean covered =
                hasOrStar(resources, resource)
                        || (!sub.isEmpty() && resources.contains("*/" + sub));
        List<String> names = texts(rule, "resourceNames");
        return covered && (names.isEmpty() || names.contains(text(request, "name")));
    }

    private static boolean hasOrStar(List<String> all, String one) {
        return all.contains("*") || all.contains(one);
    }

    private static String text(Map<String, ?> object, String member) {
        return object.get(member) instanceof String text ? text : "";
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(Map<String, ?> object, String member) {
        return object.get(member) instanceof Map<?, ?> map ? (Map<String, Object>) map : Map.of();
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> maps(Map<String, ?> object, String member) {
        return object.get(member) instanceof List<?> list
                ? (List<Map<String, Object>>) list
                : List.of();
    }

    @SuppressWarnings("unchecked")
    private static List<String> texts(Map<String, ?> object, String member) {
        return object.get(member) instanceof List<?> list ? (List<String>) list : List.of();
    }
}
