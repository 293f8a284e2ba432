package io.tidemark.view;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which objects a reader wants: all requirements must hold. It is data, so that a store may use an
 * index for it and a peer may be asked with it.
 *
 * @param kubernetesOnly leave out whatever is not a readable Kubernetes object
 */
public record Selection(boolean kubernetesOnly, List<Requirement> requirements) {
    /** Every key, whatever its value. */
    public static final Selection ALL = new Selection(false, List.of());

    /** Every readable Kubernetes object. */
    public static final Selection OBJECTS = new Selection(true, List.of());

    /** Fields that stand among the attributes of every object. */
    private static final Set<String> ALWAYS_EXTRACTED =
            Set.of("metadata.name", "metadata.namespace");

    public Selection {
        requirements = List.copyOf(requirements);
    }

    public boolean matches(@Nullable StoredObject object) {
        if (object == null || (kubernetesOnly && !object.isKubernetes())) {
            return false;
        }
        for (Requirement requirement : requirements) {
            if (!requirement.matches(object)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Whether what is here of an object is enough to tell whether it matches: its attributes are,
     * for labels and for the fields among them.
     */
    public boolean isDecidedBy(StoredObject object) {
        if (!object.isMetadataOnly() || !object.isKubernetes()) {
            return true;
        }
        for (Requirement requirement : requirements) {
            if (requirement.source() == Source.FIELD
                    && object.extractedField(requirement.name()) == null) {
                return false;
            }
        }
        return true;
    }

    /** Whether the metadata of whatever object is enough, see {@link #isDecidedBy}. */
    public boolean isDecidedByMetadata() {
        return requirements.stream()
                .allMatch(requirement ->
                        requirement.source() == Source.LABEL
                                || ALWAYS_EXTRACTED.contains(requirement.name()));
    }

    /** What a requirement looks at. */
    public enum Source {
        LABEL,
        /** A field that is not set reads as the empty string, as the API server has it. */
        FIELD
    }

    /** How it compares. NOT_IN holds for a label that is absent. */
    public enum Operator {
        IN,
        NOT_IN,
        EXISTS,
        ABSENT,
        /** The label is an integer above the one value. */
        GREATER,
        /** The label is an integer below the one value. */
        LESS
    }

    /** One condition on one label or field. */
    public record Requirement(Source source, String name, Operator operator, Set<String> values) {
        public Requirement {
            values = Set.copyOf(values);
        }

        boolean matches(StoredObject object) {
            @Nullable String value = valueOf(object);
            return switch (operator) {
                case IN -> value != null && values.contains(value);
                case NOT_IN -> value == null || !values.contains(value);
                case EXISTS -> value != null;
                case ABSENT -> value == null;
                case GREATER -> compared(value) > 0;
                case LESS -> compared(value) < 0;
            };
        }

        private @Nullable String valueOf(StoredObject object) {
            return switch (source) {
                case LABEL -> object.label(name);
                case FIELD -> object.field(name);
            };
        }

        /**
         * Sign of (label - bound); 0 also when one of the two is no integer, so nothing matches.
         */
        private int compared(@Nullable String value) {
            try {
                return value == null
                        ? 0
                        : Long.compare(
                                Long.parseLong(value), Long.parseLong(values.iterator().next()));
            } catch (NumberFormatException _) {
                return 0;
            }
        }
    }
}
