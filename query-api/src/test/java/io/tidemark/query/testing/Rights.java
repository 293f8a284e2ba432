package io.tidemark.query.testing;

import io.tidemark.record.Bytes;
import io.tidemark.serving.testing.MirroredCluster;

/** Grants rights by RBAC objects in a mirrored cluster. */
public final class Rights {
    private static final String GROUP = "rbac.authorization.k8s.io";

    private final MirroredCluster cluster;

    public Rights(MirroredCluster cluster) {
        this.cluster = cluster;
    }

    /** Grants verbs on resources of all groups in one namespace, or everywhere if it is empty. */
    public void grant(String user, String namespace, String verbs, String resources) {
        String rule =
                "{\"verbs\":%s,\"apiGroups\":[\"*\"],\"resources\":%s}"
                        .formatted(list(verbs), list(resources));
        bind(user, namespace, rule);
    }

    /** Grants verbs on paths. */
    public void grantPaths(String user, String verbs, String paths) {
        bind(user, "", "{\"verbs\":%s,\"nonResourceURLs\":%s}".formatted(list(verbs), list(paths)));
    }

    /** Adds a ClusterRole with a rule in JSON, and binds it to a user. */
    public void bind(String user, String namespace, String rule) {
        String name = user + "-" + Integer.toHexString(rule.hashCode()) + "-" + namespace;
        cluster.put(
                "/registry/clusterroles/" + name,
                at ->
                        """
                        {"kind":"ClusterRole","apiVersion":"%s/v1","metadata":{"name":"%s","resourceVersion":"%d"},
                         "rules":[%s]}\
                        """
                                .formatted(GROUP, name, at, rule));
        boolean all = namespace.isEmpty();
        String metadata =
                all
                        ? "\"name\":\"%s\"".formatted(name)
                        : "\"name\":\"%s\",\"namespace\":\"%s\"".formatted(name, namespace);
        cluster.put(
                key(namespace, name),
                at ->
                        """
                        {"kind":"%s","apiVersion":"%s/v1","metadata":{%s,"resourceVersion":"%d"},
                         "roleRef":{"apiGroup":"%s","kind":"ClusterRole","name":"%s"},
                         "subjects":[{"kind":"User","apiGroup":"%s","name":"%s"}]}\
                        """
                                .formatted(
                                        all ? "ClusterRoleBinding" : "RoleBinding",
                                        GROUP,
                                        metadata,
                                        at,
                                        GROUP,
                                        name,
                                        GROUP,
                                        user));
    }

    /**
     * Deletes what {@link #grant} has bound.
     *
     * @return the revision of the deletion
     */
    public long revoke(String user, String namespace, String verbs, String resources) {
        String rule =
                "{\"verbs\":%s,\"apiGroups\":[\"*\"],\"resources\":%s}"
                        .formatted(list(verbs), list(resources));
        String name = user + "-" + Integer.toHexString(rule.hashCode()) + "-" + namespace;
        return cluster.delete(Bytes.utf8(key(namespace, name)));
    }

    private static String key(String namespace, String name) {
        return namespace.isEmpty()
                ? "/registry/clusterrolebindings/" + name
                : "/registry/rolebindings/%s/%s".formatted(namespace, name);
    }

    private static String list(String words) {
        return "[\"" + String.join("\",\"", words.split(",")) + "\"]";
    }
}
