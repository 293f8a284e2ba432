package io.tidemark.authorization;

import java.util.List;

/**
 * One requirement of a selector, as an authorizer may weigh it: a right to some objects suffices
 * for a request that selects only those.
 *
 * @param key of a label, or a field's path
 * @param values empty for the operators of presence
 */
public record SelectorTerm(String key, Operator operator, List<String> values) {
    public SelectorTerm {
        values = List.copyOf(values);
    }

    /** The operators of {@code authorization.k8s.io}; comparisons of numbers have none. */
    public enum Operator {
        IN("In"),
        NOT_IN("NotIn"),
        EXISTS("Exists"),
        DOES_NOT_EXIST("DoesNotExist");

        private final String text;

        Operator(String text) {
            this.text = text;
        }

        /** As in a SubjectAccessReview. */
        public String text() {
            return text;
        }
    }
}
