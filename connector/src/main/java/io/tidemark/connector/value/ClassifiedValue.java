package io.tidemark.connector.value;

import io.tidemark.record.Bytes;

/** Classification of a stored value. */
public sealed interface ClassifiedValue {
    /** A Kubernetes object, as canonical JSON. */
    record KubernetesObject(Bytes json) implements ClassifiedValue {}

    /** Arbitrary bytes, at a key where any are allowed. */
    record Raw() implements ClassifiedValue {}

    /** Not an object, at a key where one is required. */
    record Unreadable(UnreadableReason reason, String why) implements ClassifiedValue {
        /** Texts quote the value, which may be of any size. */
        private static final int LONGEST = 256;

        /** Cuts the text at 256 characters. */
        public Unreadable {
            why = why.length() <= LONGEST ? why : why.substring(0, LONGEST) + "…";
        }
    }
}
