package io.tidemark.view.object;

import java.util.List;

/**
 * The metadata members common to all kinds, in the order in which an API server writes them
 * (ObjectMeta of Kubernetes' meta/v1).
 */
public final class MetadataOrder {
    /** The members of an object's metadata. */
    public static final List<String> OBJECT =
            List.of(
                    "name",
                    "generateName",
                    "namespace",
                    "selfLink",
                    "uid",
                    "resourceVersion",
                    "generation",
                    "creationTimestamp",
                    "deletionTimestamp",
                    "deletionGracePeriodSeconds",
                    "labels",
                    "annotations",
                    "ownerReferences",
                    "finalizers",
                    "managedFields");

    /** The members of an element of {@code ownerReferences}. */
    public static final List<String> OWNER =
            List.of("apiVersion", "kind", "name", "uid", "controller", "blockOwnerDeletion");

    /** The members of an element of {@code managedFields}. */
    public static final List<String> MANAGER =
            List.of(
                    "manager",
                    "operation",
                    "apiVersion",
                    "time",
                    "fieldsType",
                    "fieldsV1",
                    "subresource");

    /**
     * The API server writes it when it converts to the stored form; a metadata-only response, which
     * is made before that, lacks it.
     */
    public static final String DERIVED_ANNOTATION = "deprecated.daemonset.template.generation";

    private MetadataOrder() {}
}
