package io.tidemark.digest;

import io.tidemark.record.Bytes;

/**
 * Maps keys to groups with names that people know. Under Kubernetes' root a group is a resource,
 * such as {@code /registry/pods/}, {@code /registry/services/specs/} or {@code
 * /registry/example.com/widgets/}; elsewhere it is the first path segment below the prefix, such as
 * {@code /config/eu/}. A key directly in the prefix, or with a group name that is not UTF-8, is in
 * the prefix's own group. A function of the key alone, so that connector and nodes agree.
 */
public final class DirectoryGroups {
    private static final Bytes KUBERNETES = Bytes.utf8("/registry/");

    /** In this directory, and in those with a dot, the next segment is part of the group's name. */
    private static final Bytes SERVICES = Bytes.utf8("services");

    private final Bytes prefix;

    /**
     * @param prefix the mirrored prefix
     */
    public DirectoryGroups(Bytes prefix) {
        this.prefix = prefix;
    }

    /** The group's name, which is a prefix of all its keys. */
    public Bytes of(Bytes key) {
        return name(key, end(key));
    }

    /** Whether a group is a resource below Kubernetes' root. */
    public static boolean isResource(Bytes group) {
        return group.startsWith(KUBERNETES) && group.length() > KUBERNETES.length();
    }

    /** Whether a key belongs to a group. */
    public boolean isOf(Bytes key, Bytes group) {
        int end = end(key);
        return end == group.length() && key.startsWith(group) || name(key, end).equals(group);
    }

    private Bytes name(Bytes key, int end) {
        Bytes name = key.slice(0, end);
        return Bytes.utf8(name.utf8()).equals(name) ? name : prefix;
    }

    private int end(Bytes key) {
        boolean kubernetes = KUBERNETES.startsWith(prefix) && key.startsWith(KUBERNETES);
        int base = kubernetes ? KUBERNETES.length() : Math.min(prefix.length(), key.length());
        if (base == 0 && key.length() > 0 && key.at(0) == '/') {
            base = 1; // With an empty prefix, a path begins with its slash.
        }
        int first = slash(key, base);
        if (first < 0) {
            return base;
        }
        boolean two = isKubernetes(key, base) && hasTwoSegments(key, base, first);
        int second = two ? slash(key, first + 1) : -1;
        return second < 0 ? first + 1 : second + 1;
    }

    private static boolean isKubernetes(Bytes key, int base) {
        int from = base - KUBERNETES.length();
        return from >= 0 && key.slice(from, base).equals(KUBERNETES);
    }

    private static boolean hasTwoSegments(Bytes key, int from, int to) {
        for (int i = from; i < to; i++) {
            if (key.at(i) == '.') {
                return true;
            }
        }
        return key.slice(from, to).equals(SERVICES);
    }

    private static int slash(Bytes key, int from) {
        for (int i = from; i < key.length(); i++) {
            if (key.at(i) == '/') {
                return i;
            }
        }
        return -1;
    }
}
