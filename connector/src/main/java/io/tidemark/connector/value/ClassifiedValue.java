package io.tidemark.connector.value;

import io.tidemark.record.Bytes;

/** What a value turned out to be. */
public sealed interface ClassifiedValue {
    /** A Kubernetes object, as canonical JSON. */
    record KubernetesObject(Bytes json) implements ClassifiedValue {}

    /** Some bytes, at a place where any are right. */
    record Raw() implements ClassifiedValue {}

    /** No object, at a place where one must be. */
    record Unreadable(UnreadableReason reason, String why) implements ClassifiedValue {}
}
