package io.tidemark.kubernetes;

import io.tidemark.record.Bytes;
import java.util.ArrayList;
import java.util.List;

/**
 * Identifies the keys of core Secrets: those whose first directory below a Kubernetes root is
 * {@code secrets}, in any case and after any number of slashes. {@code
 * /registry/example.com/secrets/ns/x}, a custom resource also named secrets, is not one.
 *
 * @param parents directories that may contain {@code secrets}
 */
public record SecretKeys(List<Bytes> parents) {
    private static final String SECRETS = "secrets";

    public SecretKeys {
        parents = List.copyOf(parents);
    }

    /**
     * The Secrets below the roots, and below the mirrored prefix, where a node serves Kubernetes
     * resources. A prefix inside a root does not count: {@code /registry/pods/secrets/} holds the
     * pods of a namespace.
     */
    public static SecretKeys of(KubernetesRoots roots, Bytes prefix) {
        List<Bytes> parents = new ArrayList<>(roots.roots());
        Bytes mirrored = KubernetesRoots.directory(prefix);
        if (roots.rootOf(mirrored).isEmpty()) {
            parents.add(mirrored);
        }
        return new SecretKeys(parents);
    }

    /** Whether the key is that of a Secret, or of the Secrets' directory. */
    public boolean contains(Bytes key) {
        for (Bytes parent : parents) {
            if (key.startsWith(parent) && isInSecrets(key, parent.length())) {
                return true;
            }
        }
        return false;
    }

    private static boolean isInSecrets(Bytes key, int parentLength) {
        int from = parentLength;
        while (from < key.length() && key.at(from) == '/') {
            from++;
        }
        int to = from + SECRETS.length();
        if (to > key.length() || (to < key.length() && key.at(to) != '/')) {
            return false;
        }
        for (int i = 0; i < SECRETS.length(); i++) {
            if ((key.at(from + i) | 0x20) != SECRETS.charAt(i)) {
                return false;
            }
        }
        return true;
    }
}
