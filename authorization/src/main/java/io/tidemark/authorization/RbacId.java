package io.tidemark.authorization;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The identity of an RBAC object.
 *
 * @param namespace empty for objects of the cluster
 */
public record RbacId(RbacKind kind, String namespace, String name) implements Comparable<RbacId> {
    private static final Comparator<RbacId> ORDER =
            Comparator.comparing(RbacId::kind)
                    .thenComparing(RbacId::namespace)
                    .thenComparing(RbacId::name);

    /**
     * The object that a key holds.
     *
     * @param path the key below the cluster's prefix: {@code roles/NAMESPACE/NAME}, {@code
     *     clusterroles/NAME}
     * @return empty for a key of anything else
     */
    public static Optional<RbacId> ofKey(String path) {
        List<String> parts = List.of(path.split("/", -1));
        for (RbacKind kind : RbacKind.values()) {
            if (kind.directory().equals(parts.getFirst())
                    && parts.size() == (kind.isNamespaced() ? 3 : 2)) {
                String namespace = kind.isNamespaced() ? parts.get(1) : "";
                return Optional.of(new RbacId(kind, namespace, parts.getLast()));
            }
        }
        return Optional.empty();
    }

    @Override
    public int compareTo(RbacId other) {
        return ORDER.compare(this, other);
    }
}
