package io.tidemark.kubernetes.schema;

import io.tidemark.kubernetes.wire.Wire;

/**
 * The wire encoding and printed form of one value. {@link #tableName} is the name in the schema
 * tables; all other names in a table are those of messages.
 */
public enum ValueType {
    STRING("string", Wire.LENGTH),
    BOOL("bool", Wire.VARINT),
    INT32("int32", Wire.VARINT),
    INT64("int64", Wire.VARINT),
    DOUBLE("double", Wire.FIXED64),
    /** Base64; absent is null. */
    BYTES("bytes", Wire.LENGTH),
    /** Seconds; RFC 3339, null when zero. */
    TIME("Time", Wire.LENGTH),
    /** The same with six digits of microseconds. */
    MICRO_TIME("MicroTime", Wire.LENGTH),
    /** Nanoseconds; as Go prints a duration. */
    DURATION("Duration", Wire.LENGTH),
    QUANTITY("Quantity", Wire.LENGTH),
    INT_OR_STRING("IntOrString", Wire.LENGTH),
    /** Bytes that are JSON themselves (field 1 of a message). */
    RAW_JSON("Raw", Wire.LENGTH),
    /** A message around a list of strings (field 1), printed as the list. */
    STRINGS("Items", Wire.LENGTH),
    /** A JSON schema, or a list of them. */
    SCHEMA_OR_ARRAY("SchemaOrArray", Wire.LENGTH),
    SCHEMA_OR_BOOL("SchemaOrBool", Wire.LENGTH),
    SCHEMA_OR_STRINGS("SchemaOrStrings", Wire.LENGTH),
    /** The object's own resourceVersion, which the caller sets, as it is not stored. */
    RESOURCE_VERSION("ResourceVersion", Wire.LENGTH),
    MESSAGE("", Wire.LENGTH);

    private final String tableName;
    private final int wireType;

    ValueType(String tableName, int wireType) {
        this.tableName = tableName;
        this.wireType = wireType;
    }

    String tableName() {
        return tableName;
    }

    /** One of the constants of {@link Wire}. */
    public int wireType() {
        return wireType;
    }
}
