package io.tidemark.query.access;

import io.tidemark.authorization.Caller;
import io.tidemark.authorization.RequestAttributes;
import io.tidemark.authorization.RequestAttributes.ResourceRequest;
import io.tidemark.record.Bytes;
import io.tidemark.serving.testing.MirroredCluster;
import java.util.List;

/** Writes RBAC objects to a mirrored cluster. */
final class RbacCluster {
    static final Bytes PREFIX = Bytes.utf8("/registry/");

    private final MirroredCluster mirror;

    RbacCluster(MirroredCluster mirror) {
        this.mirror = mirror;
    }

    /** A role that may list and watch some resource. */
    long clusterRole(String name, String resource) {
        return mirror.put(
                "/registry/clusterroles/" + name,
                at ->
                        """
                        {"kind":"ClusterRole","apiVersion":"rbac.authorization.k8s.io/v1",
                         "metadata":{"name":"%s","resourceVersion":"%d"},
                         "rules":[{"verbs":["list","watch"],"apiGroups":[""],"resources":["%s"]}]}
                        """
                                .formatted(name, at, resource));
    }

    /** Binds a user to a ClusterRole in one namespace. */
    long bind(String namespace, String name, String user, String role) {
        return mirror.put(
                binding(namespace, name),
                at ->
                        """
                        {"kind":"RoleBinding","apiVersion":"rbac.authorization.k8s.io/v1",
                         "metadata":{"name":"%s","namespace":"%s","resourceVersion":"%d"},
                         "roleRef":{"apiGroup":"rbac.authorization.k8s.io",
                          "kind":"ClusterRole","name":"%s"},
                         "subjects":[{"kind":"User","name":"%s"}]}
                        """
                                .formatted(name, namespace, at, role, user));
    }

    long unbind(String namespace, String name) {
        return mirror.delete(Bytes.utf8(binding(namespace, name)));
    }

    static String binding(String namespace, String name) {
        return "/registry/rolebindings/%s/%s".formatted(namespace, name);
    }

    static Caller user(String name) {
        return new Caller(name, List.of("system:authenticated"));
    }

    static RequestAttributes list(String resource, String namespace) {
        return new ResourceRequest("list", "", "v1", resource, "", namespace, "");
    }
}
