package io.tidemark.authorization;

import java.util.List;
import java.util.Map;

/**
 * Whether one rule covers another, by their texts alone, as the API server compares them before it
 * lets a user grant a right.
 */
final class RuleCover {
    private RuleCover() {}

    static boolean covers(Map<String, Object> large, Map<String, Object> small) {
        for (String verb : texts(small, "verbs")) {
            for (String url : texts(small, "nonResourceURLs")) {
                if (!hasOrStar(large, "verbs", verb) || !coversUrl(large, url)) {
                    return false;
                }
            }
            for (String group : texts(small, "apiGroups")) {
                for (String resource : texts(small, "resources")) {
                    if (!hasOrStar(large, "verbs", verb)
                            || !hasOrStar(large, "apiGroups", group)
                            || !coversResource(large, resource)
                            || !coversNames(large, texts(small, "resourceNames"))) {
                        return false;
                    }
                }
            }
        }
        return true;
    }

    private static boolean hasOrStar(Map<String, Object> rule, String member, String value) {
        return texts(rule, member).contains("*") || texts(rule, member).contains(value);
    }

    private static boolean coversResource(Map<String, Object> rule, String resource) {
        int slash = resource.indexOf('/');
        return hasOrStar(rule, "resources", resource)
                || (slash >= 0
                        && texts(rule, "resources").contains("*" + resource.substring(slash)));
    }

    private static boolean coversNames(Map<String, Object> rule, List<String> names) {
        List<String> all = texts(rule, "resourceNames");
        return all.isEmpty() || (!names.isEmpty() && all.containsAll(names));
    }

    private static boolean coversUrl(Map<String, Object> rule, String wanted) {
        return texts(rule, "nonResourceURLs").stream()
                .anyMatch(url ->
                        url.equals(wanted)
                                || (url.endsWith("*")
                                        && wanted.startsWith(url.replaceAll("\\*+$", ""))));
    }

    @SuppressWarnings("unchecked")
    private static List<String> texts(Map<String, Object> rule, String member) {
        return (List<String>) rule.getOrDefault(member, List.of());
    }
}
