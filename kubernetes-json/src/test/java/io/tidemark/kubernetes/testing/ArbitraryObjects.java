package io.tidemark.kubernetes.testing;

import io.tidemark.kubernetes.schema.Field;
import io.tidemark.kubernetes.schema.MessageType;
import io.tidemark.kubernetes.schema.SchemaTables;
import io.tidemark.kubernetes.schema.ValueType;
import io.tidemark.kubernetes.wire.Envelope;
import io.tidemark.kubernetes.wire.ProtobufWriter;
import io.tidemark.kubernetes.wire.Wire;
import java.util.Objects;
import java.util.SplittableRandom;

/** Random objects of any kind, as protobuf, by the schema tables. */
public final class ArbitraryObjects {
    /** Deeper messages stay empty: JSON schemas are recursive. */
    private static final int MAX_DEPTH = 7;

    private static final String[] TEXTS = {
        "",
        "a",
        "web-1",
        "tab\tquote\"back\\slash",
        "<&>",
        "\u2028 line",
        "ünïcödé €",
        "😀",
        "x".repeat(300)
    };
    private static final String[] QUANTITIES = {"0", "100m", "1Gi", "-1.5", "12e6"};
    private static final String[] RAW = {"{\"a\":[1,{\"b\":null}]}", "7", "\"text\"", "[]", "true"};
    private static final double[] DOUBLES = {0, 1, -2.5, 1e21, 1e-7, 123456789.125};
    private static final long[] NUMBERS = {0, 1, -1, 127, 128, 300, 1L << 20};

    private final SplittableRandom random;
    private final ProtobufWriter out = new ProtobufWriter(4096);

    private ArbitraryObjects(long seed) {
        this.random = new SplittableRandom(seed);
    }

    /** A stored object of a kind. */
    public static byte[] stored(String apiVersion, String kind, long seed) {
        MessageType type =
                Objects.requireNonNull(SchemaTables.shared().kind(apiVersion, kind), kind);
        ArbitraryObjects objects = new ArbitraryObjects(seed);
        int raw = Envelope.open(apiVersion, kind, objects.out);
        objects.fields(type, 1);
        Envelope.close(raw, objects.out);
        return objects.out.toByteArray();
    }

    private void fields(MessageType type, int depth) {
        int chance = depth < 3 ? 10 : MAX_DEPTH + 4 - depth;
        for (int slot = 0; slot < type.fieldCount(); slot++) {
            Field field = type.field(slot);
            if (field.number() > 0 && random.nextInt(12) < chance) {
                field(field, depth);
            }
        }
    }

    private void field(Field field, int depth) {
        switch (field.shape()) {
            case ONE, INLINE -> value(field, field.number(), depth);
            case LIST -> {
                for (int i = random.nextInt(3); i >= 0; i--) {
                    value(field, field.number(), depth);
                }
            }
            case MAP -> {
                for (int i = random.nextInt(3); i >= 0; i--) {
                    int entry = out.open(field.number());
                    out.text(1, i + one(TEXTS));
                    value(field, 2, depth);
                    out.close(entry);
                }
            }
        }
    }

    private void value(Field field, int number, int depth) {
        switch (field.type()) {
            case STRING, RESOURCE_VERSION -> out.text(number, one(TEXTS));
            case BYTES -> {
                byte[] bytes = new byte[random.nextInt(40)];
                random.nextBytes(bytes);
                out.field(number, bytes, 0, bytes.length);
            }
            case BOOL -> out.number(number, random.nextInt(2));
            case INT32, INT64 -> out.number(number, NUMBERS[random.nextInt(NUMBERS.length)]);
            case DOUBLE -> {
                out.tag(number, Wire.FIXED64);
                out.fixed64(Double.doubleToLongBits(DOUBLES[random.nextInt(DOUBLES.length)]));
            }
            case TIME -> time(number, 0);
            case MICRO_TIME -> time(number, random.nextInt(1_000_000) * 1_000);
            case DURATION, MESSAGE -> {
                int message = out.open(number);
                if (field.message() != null && depth < MAX_DEPTH) {
                    fields(field.message(), depth + 1);
                }
                out.close(message);
            }
            case QUANTITY -> wrapped(number, one(QUANTITIES));
            case RAW_JSON -> wrapped(number, one(RAW));
            case STRINGS -> wrapped(number, one(TEXTS));
            case INT_OR_STRING -> {
                int message = out.open(number);
                boolean text = random.nextBoolean();
                out.number(1, text ? 1 : 0);
                out.number(2, text ? 0 : random.nextInt(70_000));
                out.text(3, text ? one(TEXTS) : "");
                out.close(message);
            }
            case SCHEMA_OR_ARRAY, SCHEMA_OR_STRINGS -> either(field, number, depth);
            case SCHEMA_OR_BOOL -> {
                int message = out.open(number);
                boolean schema = random.nextBoolean();
                out.number(1, schema || random.nextBoolean() ? 1 : 0);
                if (schema) {
                    nested(field, 2, depth);
                }
                out.close(message);
            }
        }
    }

    private void either(Field field, int number, int depth) {
        int message = out.open(number);
        if (random.nextBoolean()) {
            nested(field, 1, depth);
        } else if (field.type() == ValueType.SCHEMA_OR_STRINGS) {
            out.text(2, one(TEXTS));
        } else {
            nested(field, 2, depth);
        }
        out.close(message);
    }

    private void nested(Field field, int number, int depth) {
        int message = out.open(number);
        if (depth < MAX_DEPTH) {
            fields(Objects.requireNonNull(field.message()), depth + 1);
        }
        out.close(message);
    }

    private void wrapped(int number, String text) {
        int message = out.open(number);
        out.text(1, text);
        out.close(message);
    }

    private void time(int number, int nanos) {
        int message = out.open(number);
        out.number(1, random.nextLong(-62_135_596_800L, 253_402_300_800L));
        out.number(2, nanos);
        out.close(message);
    }

    private String one(String[] texts) {
        return texts[random.nextInt(texts.length)];
    }
}
