package io.tidemark.kubernetes;

import io.tidemark.json.CompactJson;
import io.tidemark.json.GoNumbers;
import io.tidemark.json.JsonBuffer;
import io.tidemark.kubernetes.schema.Quantity;
import io.tidemark.kubernetes.schema.ValueType;
import io.tidemark.kubernetes.wire.DecodeException;
import io.tidemark.kubernetes.wire.FieldCursor;
import io.tidemark.kubernetes.wire.SmallMessage;
import io.tidemark.kubernetes.wire.Wire;
import java.nio.charset.StandardCharsets;

/**
 * Prints single values: scalars, and messages with a special JSON form. An absent value has the
 * empty range at 0 and prints as its zero value.
 */
final class ValuePrinter {
    private static final byte[] NULL = "null".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] TRUE = "true".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] FALSE = "false".getBytes(StandardCharsets.US_ASCII);

    private final byte[] source;
    private final JsonBuffer out;
    private boolean strict = true;

    ValuePrinter(byte[] source, JsonBuffer out) {
        this.source = source;
        this.out = out;
    }

    /** Whether strict readers accept all JSON that was embedded so far. */
    boolean isStrict() {
        return strict;
    }

    void nothing() {
        out.put(NULL);
    }

    void bool(boolean value) {
        out.put(value ? TRUE : FALSE);
    }

    void print(ValueType type, int from, int to) {
        switch (type) {
            case STRING, RESOURCE_VERSION -> out.string(source, from, to);
            case BOOL -> bool(integer(from, to) != 0);
            case INT32 -> out.number((int) integer(from, to));
            case INT64 -> out.number(integer(from, to));
            case DOUBLE -> real(from, to);
            case BYTES -> bytes(from, to);
            case TIME -> Times.seconds(SmallMessage.read(source, from, to), out);
            case MICRO_TIME -> Times.microseconds(SmallMessage.read(source, from, to), out);
            case DURATION -> Times.duration(SmallMessage.read(source, from, to).number(1), out);
            case QUANTITY -> quantity(from, to);
            case INT_OR_STRING -> intOrString(SmallMessage.read(source, from, to));
            case RAW_JSON -> rawJson(from, to);
            case STRINGS -> strings(from, to);
            case MESSAGE, SCHEMA_OR_ARRAY, SCHEMA_OR_BOOL, SCHEMA_OR_STRINGS ->
                    throw new IllegalArgumentException(type + " is not a single value");
        }
    }

    /** Whether a present value equals that of an omitted field. */
    boolean isZero(ValueType type, int from, int to) {
        return switch (type) {
            case STRING, BYTES, RESOURCE_VERSION, STRINGS -> from == to;
            case BOOL, INT64 -> integer(from, to) == 0;
            case INT32 -> (int) integer(from, to) == 0;
            case DOUBLE ->
                    to - from < 8 || Double.longBitsToDouble(Wire.fixed64(source, from)) == 0;
            case TIME, MICRO_TIME -> Times.isZero(SmallMessage.read(source, from, to));
            case DURATION,
                    QUANTITY,
                    INT_OR_STRING,
                    RAW_JSON,
                    MESSAGE,
                    SCHEMA_OR_ARRAY,
                    SCHEMA_OR_BOOL,
                    SCHEMA_OR_STRINGS ->
                    false;
        };
    }

    private long integer(int from, int to) {
        return from == to ? 0 : Wire.varint(source, from, to);
    }

    private void real(int from, int to) {
        double value = from == to ? 0 : Double.longBitsToDouble(Wire.fixed64(source, from));
        if (!Double.isFinite(value)) {
            throw DecodeException.malformed("JSON has no number for " + value);
        }
        out.put(GoNumbers.print(value).getBytes(StandardCharsets.US_ASCII));
    }

    private void bytes(int from, int to) {
        if (from == 0) {
            nothing();
        } else {
            out.base64(source, from, to);
        }
    }

    private void quantity(int from, int to) {
        SmallMessage message = SmallMessage.read(source, from, to);
        out.put('"');
        if (!message.has(1)) {
            out.put('0');
        } else if (Quantity.isWellFormed(source, message.from(1), message.to(1))) {
            out.put(source, message.from(1), message.to(1));
        } else {
            throw DecodeException.malformed("not a quantity: " + message.text(1));
        }
        out.put('"');
    }

    /** Fields: kind (1; 0 = number, 1 = string), number (2), string (3). */
    private void intOrString(SmallMessage message) {
        long kind = message.number(1);
        if (kind == 0) {
            out.number((int) message.number(2));
        } else if (kind == 1) {
            out.string(source, message.from(3), message.to(3));
        } else {
            throw DecodeException.malformed("neither a number nor a string: kind " + kind);
        }
    }

    private void rawJson(int from, int to) {
        SmallMessage message = SmallMessage.read(source, from, to);
        if (message.has(1)) {
            strict &= CompactJson.append(source, message.from(1), message.to(1), out);
        } else {
            nothing();
        }
    }

    private void strings(int from, int to) {
        out.put('[');
        FieldCursor fields = new FieldCursor(source, from, to);
        while (fields.next()) {
            if (fields.number() == 1 && fields.isBytes()) {
                out.separate();
                out.string(source, fields.from(), fields.to());
            }
        }
        out.put(']');
    }
}
