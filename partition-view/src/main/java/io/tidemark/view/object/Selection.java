package io.tidemark.view.object;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A filter of objects: all requirements must hold. It is data, so that a store can use an index for
 * it, and it can be sent to a peer.
 *
 * @param kubernetesOnly leave out everything that is not a readable Kubernetes object
 */
public record Selection(boolean kubernetesOnly, List<Requirement> requirements) {
    /** Every key, with any value. */
    public static final Selection ALL = new Selection(false, List.of());

    /** Every readable Kubernetes object. */
    public static final Selection OBJECTS = new Selection(true, List.of());

    /** Fields among the attributes of every object. */
    private static final Set<String> ALWAYS_EXTRACTED =
            Set.of("metadata.name", "metadata.namespace", "metadata.uid");

    public Selection {
        requirements = List.copyOf(requirements);
    }

    /** Reads fields from the value of an object, by their paths, in one pass. */
    @FunctionalInterface
    interface ValueFields {
        Map<String, String> read(byte[] stored, int from, int to, PathTree paths);
    }

    /**
     * Whether all requirements hold. Checks labels and fields among the attributes first; only if
     * they hold, and others are left, it reads the value, once for all of them.
     *
     * @throws IllegalStateException when a metadata-only object lacks the value that is needed
     */
    public boolean matches(@Nullable StoredObject object) {
        return matches(object, FieldReader::read);
    }

    boolean matches(@Nullable StoredObject object, ValueFields values) {
        return object != null
                && matchesByAttributes(object).orElseGet(() -> matchesByValue(object, values));
    }

    /** Whether it matches, if the attributes decide that; else empty. */
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

    /** Checks the requirements that the attributes do not decide. */
    private boolean matchesByValue(StoredObject object, ValueFields values) {
        List<Requirement> left =
                requirements.stream().filter(each -> !each.isKnownOf(object)).toList();
        if (object.isMetadataOnly()) {
            throw new IllegalStateException(
                    left.getFirst().name() + " is not in the metadata of " + object);
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
     * Whether an object, of which only the metadata may be present, decides the match: its
     * attributes do, for labels and for the fields among them.
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

    /** Whether the metadata of any object is enough, see {@link #isDecidedBy}. */
    public boolean isDecidedByMetadata() {
        return requirements.stream()
                .allMatch(requirement ->
                        requirement.source() == Source.LABEL
                                || ALWAYS_EXTRACTED.contains(requirement.name()));
    }

    /** What a requirement compares. */
    public enum Source {
        LABEL,
        /** A field that is not set counts as the empty string, as in the API server. */
        FIELD
    }

    /** The comparison. NOT_IN holds for an absent label. */
    public enum Operator {
        IN,
        NOT_IN,
        EXISTS,
        ABSENT,
        /** The label is an integer above the one value. */
        GREATER,
        /** The label is an integer below the one value. */
        LESS,
        /** One of the values is a {@link HashRange} that contains the hash of the field. */
        HASH_IN
    }

    /**
     * One condition on one label or field.
     *
     * @throws IllegalArgumentException when a value of {@link Operator#HASH_IN} is no range
     */
    public record Requirement(Source source, String name, Operator operator, Set<String> values) {
        public Requirement {
            values = Set.copyOf(values);
            if (operator == Operator.HASH_IN) {
                values.forEach(HashRange::parse);
            }
        }

        boolean holds(@Nullable String value) {
            return switch (operator) {
                case IN -> value != null && values.contains(value);
                case NOT_IN -> value == null || !values.contains(value);
                case EXISTS -> value != null;
                case ABSENT -> value == null;
                case GREATER -> compared(value) > 0;
                case LESS -> compared(value) < 0;
                case HASH_IN -> value != null && HashRange.anyContains(values, value);
            };
        }

        /** Whether the attributes decide it: what is no object has no fields except attributes. */
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

        /** Sign of (label - bound); 0 also when either is no integer, so that nothing matches. */
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
