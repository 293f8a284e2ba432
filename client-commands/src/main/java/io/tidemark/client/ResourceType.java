package io.tidemark.client;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/**
 * A resource type that the server serves.
 *
 * @param group empty for the core group
 */
public record ResourceType(
        String group, String version, String plural, String kind, boolean namespaced) {
    /** The qualified name: {@code deployments.apps}. */
    public String qualified() {
        return group.isEmpty() ? plural : plural + "." + group;
    }

    /**
     * The URL path of its objects.
     *
     * @param namespace empty for all
     * @param name empty for all
     */
    String path(String namespace, String name) {
        StringBuilder path = new StringBuilder(group.isEmpty() ? "/api/" : "/apis/" + group + "/");
        path.append(version);
        if (namespaced && !namespace.isEmpty()) {
            path.append("/namespaces/").append(segment(namespace));
        }
        path.append('/').append(plural);
        return name.isEmpty() ? path.toString() : path.append('/').append(segment(name)).toString();
    }

    private static String segment(String text) {
        return encoded(text).replace("+", "%20");
    }

    /** Encodes the value of a query parameter. */
    public static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
