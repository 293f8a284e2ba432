package io.tidemark.kubernetes.encode;

import io.tidemark.json.ValidJson;
import io.tidemark.kubernetes.json.GoDurations;
import io.tidemark.kubernetes.schema.Field;
import io.tidemark.kubernetes.wire.ProtobufWriter;
import io.tidemark.kubernetes.wire.Wire;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;

/** Encodes single values: scalars, and messages that JSON has as one. */
final class ScalarEncoder {
    private static final int SECONDS = 1;
    private static final int NANOS = 2;

    private final byte[] json;
    private final JsonCursor cursor;
    private final ProtobufWriter out;

    ScalarEncoder(byte[] json, JsonCursor cursor, ProtobufWriter out) {
        this.json = json;
        this.cursor = cursor;
        this.out = out;
    }

    /**
     * Writes the value whose token is {@code [from, to)}.
     *
     * @throws EncodeException when it is none of the field's type
     */
    void write(Field field, int number, int from, int to) {
        try {
            value(field, number, from, to);
        } catch (IllegalArgumentException | DateTimeException e) {
            throw new EncodeException(
                    "%s is not of type %s: %s"
                            .formatted(field.jsonName(), field.type(), e.getMessage()));
        }
    }

    private void value(Field field, int number, int from, int to) {
        switch (field.type()) {
            case STRING, RESOURCE_VERSION -> text(number, from, quoted(from, to));
            case BOOL -> out.number(number, bool(from) ? 1 : 0);
            case INT32 -> out.number(number, Integer.parseInt(ascii(from, to)));
            case INT64 -> out.number(number, integer(from, to));
            case DOUBLE -> {
                out.tag(number, Wire.FIXED64);
                out.fixed64(Double.doubleToRawLongBits(Double.parseDouble(ascii(from, to))));
            }
            case BYTES -> {
                byte[] bytes = Base64.getDecoder().decode(string(from, to));
                out.field(number, bytes, 0, bytes.length);
            }
            case TIME, MICRO_TIME -> time(number, from, to);
            case DURATION -> {
                int duration = out.open(number);
                out.number(1, GoDurations.nanos(string(from, to)));
                out.close(duration);
            }
            case QUANTITY -> {
                int quantity = out.open(number);
                if (json[from] == '"') {
                    text(1, from, to);
                } else {
                    out.field(1, json, from, to);
                }
                out.close(quantity);
            }
            case INT_OR_STRING -> intOrString(number, from, to);
            case MESSAGE, RAW_JSON, STRINGS, SCHEMA_OR_ARRAY, SCHEMA_OR_BOOL, SCHEMA_OR_STRINGS ->
                    throw new IllegalStateException(field.type() + " is not a single value");
        }
    }

    /** A text field from the string or name that the cursor read last, with its quotes. */
    void text(int number, int from, int to) {
        if (cursor.isEscaped()) {
            out.text(number, ValidJson.unescaped(json, from + 1, to - 1));
        } else {
            out.field(number, json, from + 1, to - 1);
        }
    }

    /** Fields: kind (1; 0 = number, 1 = string), number (2), string (3). */
    private void intOrString(int number, int from, int to) {
        int opened = out.open(number);
        if (json[from] == '"') {
            out.number(1, 1);
            text(3, from, to);
        } else {
            out.number(1, 0);
            out.number(2, Integer.parseInt(ascii(from, to)));
        }
        out.close(opened);
    }

    private void time(int number, int from, int to) {
        long seconds;
        long nanos = 0;
        if (UtcTimes.isWholeSecond(json, from + 1, to - 1)) {
            seconds = UtcTimes.epochSecond(json, from + 1);
        } else {
            Instant time = UtcTimes.parse(string(from, to));
            seconds = time.getEpochSecond();
            nanos = time.getNano();
        }
        int opened = out.open(number);
        out.number(SECONDS, seconds);
        out.number(NANOS, nanos);
        out.close(opened);
    }

    private boolean bool(int from) {
        if (json[from] != 't' && json[from] != 'f') {
            throw new IllegalArgumentException("neither true nor false");
        }
        return json[from] == 't';
    }

    private long integer(int from, int to) {
        int at = json[from] == '-' ? from + 1 : from;
        if (to - at > 18) {
            return Long.parseLong(ascii(from, to));
        }
        long value = 0;
        for (int i = at; i < to; i++) {
            if (json[i] < '0' || json[i] > '9') {
                throw new IllegalArgumentException("no whole number");
            }
            value = value * 10 + json[i] - '0';
        }
        return at == from ? value : -value;
    }

    private int quoted(int from, int to) {
        if (json[from] != '"') {
            throw new IllegalArgumentException("no string");
        }
        return to;
    }

    private String string(int from, int to) {
        return ValidJson.unescaped(json, from + 1, quoted(from, to) - 1);
    }

    private String ascii(int from, int to) {
        return new String(json, from, to - from, StandardCharsets.US_ASCII);
    }
}
