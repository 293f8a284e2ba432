package io.tidemark.kubernetes;

import io.tidemark.kubernetes.schema.ValueType;
import io.tidemark.kubernetes.wire.DecodeException;
import io.tidemark.kubernetes.wire.FieldCursor;
import io.tidemark.kubernetes.wire.Wire;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A member of a JSON schema that holds a schema or an alternative: a list of schemas, a boolean, or
 * a list of names. On the wire each is a message whose field numbers differ by type.
 */
record SchemaOr(@Nullable Range schema, boolean allows, List<Range> list) {

    record Range(int from, int to) {}

    static SchemaOr read(byte[] source, ValueType type, int from, int to) {
        int schemaNumber = type == ValueType.SCHEMA_OR_BOOL ? 2 : 1;
        Range schema = null;
        boolean allows = false;
        List<Range> list = new ArrayList<>();
        FieldCursor fields = new FieldCursor(source, from, to);
        while (fields.next()) {
            long number = fields.number();
            if (number != 1 && number != 2) {
                continue;
            }
            boolean flag = type == ValueType.SCHEMA_OR_BOOL && number == 1;
            if (fields.wireType() != (flag ? Wire.VARINT : Wire.LENGTH)) {
                throw DecodeException.malformed(
                        "wire type " + fields.wireType() + " in a JSON schema");
            }
            Range range = new Range(fields.from(), fields.to());
            if (flag) {
                allows = fields.varint() != 0;
            } else if (number == schemaNumber) {
                schema = range;
            } else {
                list.add(range);
            }
        }
        return new SchemaOr(schema, allows, list);
    }
}
