package io.tidemark.view;

import java.util.List;
import java.util.Map;
import java.util.Optional;
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

    /** Reads fields from the value of an object, by their paths, in one pass. */
    @FunctionalInterface
    interface ValueFields {
        Map<String, String> read(byte[] stored, int from, int to, PathTree paths);
    }

    /**
     * Whether all requirements hold. Labels and fields among the attributes are looked at first;
     * only when they hold, and others are left, the value is read, once for all of them.
     *
     * @throws IllegalStateException when a field must be read from the value, and that is not here
     */
    public boolean matches(@Nullable StoredObject object) {
        return matches(object, FieldReader::read);
    }

    boolean matches(@Nullable StoredObject object, ValueFields values) {
        return object != null
                && matchesByAttributes(object).orElseGet(() -> matchesByValue(object, values));
    }

    /** Whether it matches, if that can be told without reading the value; else empty. */
    public Optional<Boolean> matchesByAttributes(StoredObject object) {
        if (kubernetesOnly && !object.isKubernetes()) {
            return Optional.of(false);
        }
        boolean decided = true;
        for (Requirement requirement : requirements) {
            boolean known = requirement.isKnownOf(object);
            decided &= known;
            if (known && !requirement.holds(requirement.attributeOf(object))) {
                return Optional.of(false);
            }
        }
        return decided ? Optional.of(true) : Optional.empty();
    }

    /** The requirements that the attributes do not decide. */
    private boolean matchesByValue(StoredObject object, ValueFields values) {
        List<Requirement> left =
                requirements.stream().filter(each -> !each.isKnownOf(object)).toList();
        if (object.isMetadataOnly()) {
            throw new IllegalStateException(left.getFirst().name() + " is not here: " + object);
        }
        PathTree paths = new PathTree();
        List<String> places = left.stream().map(each -> paths.add(each.name())).toList();
        Map<String, String> found =
                values.read(object.stored(), object.valueOffset(), object.stored().length, paths);
        for (int i = 0; i < left.size(); i++) {
            if (!left.get(i).holds(found.getOrDefault(places.get(i), ""))) {
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

        boolean holds(@Nullable String value) {
            return switch (operator) {
                case IN -> value != null && values.contains(value);
                case NOT_IN -> value == null || !values.contains(value);
                case EXISTS -> value != null;
                case ABSENT -> value == null;
                case GREATER -> compared(value) > 0;
                case LESS -> compared(value) < 0;
            };
        }

        /**
         * Whether the value need not be read: what is no object has no fields but its attributes.
         */
        boolean isKnownOf(StoredObject object) {
            return source == Source.LABEL
                    || !object.isKubernetes()
                    || object.extractedField(name) != null;
        }

        @Nullable String attributeOf(StoredObject object) {
            if (source == Source.LABEL) {
                return object.label(name);
            }
            String extracted = object.extractedField(name);
            return extracted == null ? "" : extracted;
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
