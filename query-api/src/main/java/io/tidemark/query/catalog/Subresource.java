package io.tidemark.query.catalog;

import java.util.List;

/** A subresource of an object, at {@code …/<name>/<subresource>}. */
public sealed interface Subresource {
    /** GET returns the object itself: status, and others that only differ in writes. */
    record Whole() implements Subresource {}

    /**
     * GET returns an {@code autoscaling/v1} Scale, derived from three fields of the object.
     *
     * @param specReplicas and the others: dotted paths, such as {@code spec.replicas}; {@code
     *     selector} is empty when the object has no pod selector
     */
    record Scale(String specReplicas, String statusReplicas, String selector)
            implements Subresource {}

    /**
     * Not stored in etcd: it proxies to a node or performs an action.
     *
     * @param group of its kind, and {@code version}: both empty for those of the resource
     * @param verbs that the API server supports
     */
    record NotStored(String group, String version, String kind, List<String> verbs)
            implements Subresource {
        public NotStored {
            verbs = List.copyOf(verbs);
        }

        /** Whether the API server supports GET. */
        public boolean read() {
            return verbs.contains("get");
        }
    }
}
