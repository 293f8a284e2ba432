package io.tidemark.schema;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The types of fields as the tables name them. Some messages are printed as one JSON value, which
 * their descriptors do not say.
 */
final class ValueTypes {
    private static final Map<String, String> PRINTED_AS_A_VALUE =
            Map.ofEntries(
                    Map.entry("Time", "Time"),
                    Map.entry("MicroTime", "MicroTime"),
                    Map.entry("Duration", "Duration"),
                    Map.entry("Quantity", "Quantity"),
                    Map.entry("IntOrString", "IntOrString"),
                    Map.entry("RawExtension", "Raw"),
                    Map.entry("FieldsV1", "Raw"),
                    Map.entry("JSON", "Raw"),
                    Map.entry("JSONSchemaPropsOrArray", "SchemaOrArray"),
                    Map.entry("JSONSchemaPropsOrBool", "SchemaOrBool"),
                    Map.entry("JSONSchemaPropsOrStringArray", "SchemaOrStrings"));

    /** Of a message around a list of strings, such as {@code certificates.v1.ExtraValue}. */
    private static final String STRINGS = "Items";

    private static final String RESOURCE_VERSION = "ResourceVersion";
    private static final Set<String> SCALARS =
            Set.of("string", "bool", "int32", "int64", "double", "bytes");

    private ValueTypes() {}

    static boolean isOne(String type) {
        return SCALARS.contains(type)
                || PRINTED_AS_A_VALUE.containsValue(type)
                || type.equals(STRINGS)
                || type.equals(RESOURCE_VERSION);
    }

    /**
     * A value type, or the full table name of a message.
     *
     * @throws IllegalArgumentException when the decoder has no such type
     */
    static String of(FieldDescriptor field) {
        if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
            Descriptor message = field.getMessageType();
            String fallback = isStrings(message) ? STRINGS : tableName(message);
            return PRINTED_AS_A_VALUE.getOrDefault(message.getName(), fallback);
        }
        String scalar = field.getType().name().toLowerCase(Locale.ROOT);
        if (!SCALARS.contains(scalar)) {
            throw new IllegalArgumentException("no type of the tables: " + field.getFullName());
        }
        return scalar;
    }

    /** The last two parts of the package, then the message's name: {@code core.v1.Pod}. */
    static String tableName(Descriptor message) {
        return packageName(message) + "." + message.getName();
    }

    static String packageName(Descriptor message) {
        String[] parts = message.getFile().getPackage().split("\\.");
        return parts.length < 2
                ? message.getFile().getPackage()
                : parts[parts.length - 2] + "." + parts[parts.length - 1];
    }

    private static boolean isStrings(Descriptor message) {
        return message.getFields().size() == 1
                && message.getFields().getFirst().getName().equals("items")
                && message.getFields().getFirst().isRepeated()
                && message.getFields().getFirst().getType() == FieldDescriptor.Type.STRING;
    }
}
