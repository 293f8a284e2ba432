package io.tidemark.kubernetes.schema;

import io.tidemark.kubernetes.schema.Field.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The members of the kinds in the schema tables, for OpenAPI documents. The tables describe stored
 * objects: they have neither descriptions nor required members.
 */
public final class KindSchemas {
    private static final Schema SCHEMA = SchemaTables.shared();

    private KindSchemas() {}

    /** Whether a member is a single value, a list or a map. */
    public enum Count {
        ONE,
        LIST,
        /** Map with string keys. */
        MAP
    }

    /** The type of a value. */
    public sealed interface Value {
        /** A scalar, in OpenAPI's terms; {@code format} is empty for none. */
        record Scalar(String type, String format) implements Value {}

        /** A number or a text, such as {@code 500m}. */
        record Quantity() implements Value {}

        /** A number or a string, such as a port's number or name. */
        record IntOrString() implements Value {}

        /** An object of this type, such as {@code core.v1.PodSpec}. */
        record Message(String type) implements Value {}

        /** Any JSON. */
        record Any() implements Value {}
    }

    /** One member of a type. */
    public record Member(String name, Count count, Value value) {}

    /** A kind in one version. */
    public record KindVersion(String apiVersion, String kind) {}

    /** Every kind of the tables, in each version, in no order. */
    public static List<KindVersion> kinds() {
        List<KindVersion> kinds = new ArrayList<>();
        SCHEMA.kinds()
                .forEach((apiVersion, byKind) ->
                        byKind.keySet()
                                .forEach(kind -> kinds.add(new KindVersion(apiVersion, kind))));
        return List.copyOf(kinds);
    }

    /** The type of a kind's objects, such as {@code core.v1.Pod}; empty for an unknown kind. */
    public static Optional<String> typeOf(String apiVersion, String kind) {
        return Optional.ofNullable(SCHEMA.kind(apiVersion, kind)).map(MessageType::name);
    }

    /** The members of a type, without a kind's apiVersion and kind; empty if unknown. */
    public static List<Member> members(String type) {
        @Nullable MessageType message = SCHEMA.messages().get(type);
        List<Member> members = new ArrayList<>();
        if (message != null) {
            addMembers(message, members);
        }
        return List.copyOf(members);
    }

    private static void addMembers(MessageType type, List<Member> members) {
        for (int slot = 0; slot < type.fieldCount(); slot++) {
            Field field = type.field(slot);
            MessageType message = field.message();
            if (field.shape() == Shape.INLINE && message != null) {
                addMembers(message, members);
            } else if (field.type() == ValueType.STRINGS) {
                members.add(new Member(field.jsonName(), Count.LIST, text("")));
            } else {
                members.add(new Member(field.jsonName(), count(field.shape()), value(field)));
            }
        }
    }

    private static Count count(Shape shape) {
        return switch (shape) {
            case LIST -> Count.LIST;
            case MAP -> Count.MAP;
            case ONE, INLINE -> Count.ONE;
        };
    }

    private static Value value(Field field) {
        MessageType message = field.message();
        return switch (field.type()) {
            case STRING, STRINGS, RESOURCE_VERSION, DURATION -> text("");
            case BYTES -> text("byte");
            case TIME, MICRO_TIME -> text("date-time");
            case BOOL -> new Value.Scalar("boolean", "");
            case INT32 -> new Value.Scalar("integer", "int32");
            case INT64 -> new Value.Scalar("integer", "int64");
            case DOUBLE -> new Value.Scalar("number", "double");
            case QUANTITY -> new Value.Quantity();
            case INT_OR_STRING -> new Value.IntOrString();
            case RAW_JSON, SCHEMA_OR_ARRAY, SCHEMA_OR_BOOL, SCHEMA_OR_STRINGS -> new Value.Any();
            case MESSAGE -> message == null ? new Value.Any() : new Value.Message(message.name());
        };
    }

    private static Value text(String format) {
        return new Value.Scalar("string", format);
    }
}
