package io.tidemark.query.catalog;

/** What the API server has below an object, at {@code …/<name>/<subresource>}. */
public sealed interface Subresource {
    /** Reading it answers the object itself: status, and what else writes a part of it. */
    record Whole() implements Subresource {}

    /**
     * Reading it answers an {@code autoscaling/v1} Scale, made of three places in the object.
     *
     * @param specReplicas and the others: dotted paths, such as {@code spec.replicas}; {@code
     *     selector} is empty when the object does not tell which pods are its own
     */
    record Scale(String specReplicas, String statusReplicas, String selector)
            implements Subresource {}

    /**
     * Nothing of it is stored: it reaches a node, or has something done.
     *
     * @param read whether the API server answers GET there
     */
    record NotStored(boolean read) implements Subresource {}
}
