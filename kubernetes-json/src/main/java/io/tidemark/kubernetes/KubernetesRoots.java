package io.tidemark.kubernetes;

import io.tidemark.record.Bytes;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The etcd prefixes below which Kubernetes API servers store their objects, their {@code
 * --etcd-prefix}: {@code /registry/} by default, {@code /kubernetes.io/} in OpenShift. Below a
 * root, a core resource's key is {@code <resource>/[<namespace>/]<name>}.
 *
 * @param roots each ends with a slash; the longest first
 */
public record KubernetesRoots(List<Bytes> roots) {
    /** The default of an API server. */
    public static final KubernetesRoots DEFAULT = of(List.of("/registry/"));

    private static final Bytes SLASH = Bytes.utf8("/");

    public KubernetesRoots {
        roots =
                roots.stream()
                        .map(KubernetesRoots::directory)
                        .distinct()
                        .sorted(
                                Comparator.comparingInt((Bytes root) -> -root.length())
                                        .thenComparing(Comparator.naturalOrder()))
                        .toList();
    }

    /**
     * Parses roots, with or without a trailing slash.
     *
     * @throws IllegalArgumentException when there is none, or an empty one
     */
    public static KubernetesRoots of(List<String> names) {
        if (names.isEmpty() || names.stream().anyMatch(String::isBlank)) {
            throw new IllegalArgumentException(
                    "a Kubernetes root is empty; example: /registry/,/kubernetes.io/");
        }
        return new KubernetesRoots(names.stream().map(Bytes::utf8).toList());
    }

    /** The longest root that is a prefix of the key. */
    public Optional<Bytes> rootOf(Bytes key) {
        for (Bytes root : roots) {
            if (key.startsWith(root)) {
                return Optional.of(root);
            }
        }
        return Optional.empty();
    }

    /** The roots, separated by commas. */
    @Override
    public String toString() {
        return String.join(",", roots.stream().map(Bytes::toString).toList());
    }

    /** With a slash at its end; empty stays empty. */
    static Bytes directory(Bytes path) {
        boolean ends = path.length() == 0 || path.at(path.length() - 1) == '/';
        return ends ? path : path.concat(SLASH);
    }
}
