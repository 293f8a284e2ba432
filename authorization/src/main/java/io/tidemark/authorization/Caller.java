package io.tidemark.authorization;

import java.util.List;
import java.util.Map;

/**
 * An authenticated user, as Kubernetes describes one. Who authenticates adds groups such as {@code
 * system:authenticated}; nothing here does.
 *
 * @param uid empty when unknown
 * @param groups in any order
 * @param extra further attributes by their lower-case key, which RBAC does not read
 */
public record Caller(
        String name, String uid, List<String> groups, Map<String, List<String>> extra) {
    public Caller {
        groups = List.copyOf(groups);
        extra = Map.copyOf(extra);
    }

    /** Without a uid and extra attributes. */
    public Caller(String name, List<String> groups) {
        this(name, "", groups, Map.of());
    }
}
