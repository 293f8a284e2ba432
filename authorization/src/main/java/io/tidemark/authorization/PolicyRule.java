package io.tidemark.authorization;

import io.tidemark.authorization.RequestAttributes.NonResourceRequest;
import io.tidemark.authorization.RequestAttributes.ResourceRequest;
import java.util.List;

/**
 * One rule of a role. It allows a request that matches in every respect.
 *
 * @param verbs {@code *} for all
 * @param apiGroups {@code *} for all, empty text for the core group
 * @param resources {@code *} for all, {@code pods}, {@code pods/status}, or a star in place of
 *     {@code pods} for that subresource of all
 * @param resourceNames none for all
 * @param nonResourceUrls paths; a trailing {@code *} stands for any rest
 */
public record PolicyRule(
        List<String> verbs,
        List<String> apiGroups,
        List<String> resources,
        List<String> resourceNames,
        List<String> nonResourceUrls) {
    private static final String ALL = "*";

    public PolicyRule {
        verbs = List.copyOf(verbs);
        apiGroups = List.copyOf(apiGroups);
        resources = List.copyOf(resources);
        resourceNames = List.copyOf(resourceNames);
        nonResourceUrls = List.copyOf(nonResourceUrls);
    }

    /** Tests types one by one: a switch over them takes longer than all the rest. */
    boolean allows(RequestAttributes request) {
        return isAllOrHas(verbs, request.verb())
                && (request instanceof ResourceRequest resource
                        ? isAllOrHas(apiGroups, resource.apiGroup())
                                && coversResource(resource.resource(), resource.subresource())
                                && coversName(resource.name())
                        : request instanceof NonResourceRequest other && coversPath(other.path()));
    }

    private boolean coversName(String name) {
        return resourceNames.isEmpty() || resourceNames.contains(name);
    }

    private boolean coversResource(String resource, String subresource) {
        for (int i = 0; i < resources.size(); i++) {
            String rule = resources.get(i);
            if (rule.equals(ALL)
                    || (subresource.isEmpty()
                            ? rule.equals(resource)
                            : isPair(rule, resource, subresource)
                                    || isPair(rule, ALL, subresource))) {
                return true;
            }
        }
        return false;
    }

    /** Whether the text is both with a slash between them. */
    private static boolean isPair(String text, String first, String second) {
        return text.length() == first.length() + 1 + second.length()
                && text.startsWith(first)
                && text.charAt(first.length()) == '/'
                && text.endsWith(second);
    }

    private boolean coversPath(String path) {
        for (String url : nonResourceUrls) {
            if (url.equals(path) || (url.endsWith(ALL) && path.startsWith(withoutStars(url)))) {
                return true;
            }
        }
        return false;
    }

    private static String withoutStars(String url) {
        int end = url.length();
        while (end > 0 && url.charAt(end - 1) == '*') {
            end--;
        }
        return url.substring(0, end);
    }

    private static boolean isAllOrHas(List<String> allowed, String wanted) {
        for (int i = 0; i < allowed.size(); i++) {
            String each = allowed.get(i);
            if (each.equals(ALL) || each.equals(wanted)) {
                return true;
            }
        }
        return false;
    }
}
