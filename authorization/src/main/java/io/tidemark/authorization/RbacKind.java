package io.tidemark.authorization;

/** The kinds of objects that RBAC consists of. */
public enum RbacKind {
    ROLE("Role", "roles", true),
    CLUSTER_ROLE("ClusterRole", "clusterroles", false),
    ROLE_BINDING("RoleBinding", "rolebindings", true),
    CLUSTER_ROLE_BINDING("ClusterRoleBinding", "clusterrolebindings", false);

    private final String kind;
    private final String directory;
    private final boolean namespaced;

    RbacKind(String kind, String directory, boolean namespaced) {
        this.kind = kind;
        this.directory = directory;
        this.namespaced = namespaced;
    }

    /** As in the objects. */
    public String kind() {
        return kind;
    }

    /** The objects' folder in etcd, below the cluster's prefix, without slashes. */
    public String directory() {
        return directory;
    }

    public boolean isNamespaced() {
        return namespaced;
    }
}
