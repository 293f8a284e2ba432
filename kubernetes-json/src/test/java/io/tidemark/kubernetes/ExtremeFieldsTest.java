package io.tidemark.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.kubernetes.schema.Field;
import io.tidemark.kubernetes.schema.Field.Shape;
import io.tidemark.kubernetes.schema.MessageType;
import io.tidemark.kubernetes.schema.SchemaTables;
import io.tidemark.kubernetes.schema.ValueType;
import io.tidemark.kubernetes.wire.DecodeResult;
import io.tidemark.kubernetes.wire.DecodeResult.Refused;
import io.tidemark.kubernetes.wire.Envelope;
import io.tidemark.kubernetes.wire.ProtobufWriter;
import io.tidemark.kubernetes.wire.Wire;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Objects of every kind whose fields have the right numbers and extreme values, which random bytes
 * seldom have. The test's name has the seed.
 */
class ExtremeFieldsTest {
    private static final int MAX_DEPTH = 12;

    private static final long[] NUMBERS = {
        0, 1, -1, Integer.MAX_VALUE, Integer.MIN_VALUE, 1L << 40, Long.MAX_VALUE, Long.MIN_VALUE
    };

    private static final String[] TEXTS = {
        "",
        "a",
        "\0",
        "{}",
        "{\"a\":",
        "null",
        "100m",
        "-",
        "1e9999999999",
        "99999999999999999999Ei"
    };

    private final KubernetesDecoder decoder = new KubernetesDecoder();

    @ParameterizedTest
    @MethodSource("io.tidemark.kubernetes.ArbitraryBytesTest#seeds")
    void decodesOrRefusesThem(long seed) {
        SchemaTables.shared()
                .kinds()
                .forEach((apiVersion, kinds) ->
                        kinds.forEach((kind, type) -> {
                            SplittableRandom random =
                                    new SplittableRandom(Objects.hash(seed, apiVersion, kind));
                            ProtobufWriter out = new ProtobufWriter(1024);
                            int opened = Envelope.open(apiVersion, kind, out);
                            writeFields(type, 1, random, out);
                            Envelope.close(opened, out);
                            DecodeResult result = decoder.decode(out.toByteArray(), 5);
                            if (result instanceof Refused refused) {
                                assertThat(refused.text()).doesNotContain(KubernetesDecoder.FAULT);
                            }
                        }));
    }

    /** Fewer fields the deeper they are, as types are recursive. */
    private static void writeFields(
            MessageType type, int depth, SplittableRandom random, ProtobufWriter out) {
        for (int slot = 0; slot < type.fieldCount(); slot++) {
            Field field = type.field(slot);
            if (field.number() == 0 || random.nextInt(depth * depth) != 0) {
                continue;
            }
            if (field.shape() == Shape.MAP) {
                int entry = out.open(field.number());
                out.text(1, text(random));
                writeValue(field, 2, depth, random, out);
                out.close(entry);
            } else {
                writeValue(field, field.number(), depth, random, out);
            }
        }
    }

    private static void writeValue(
            Field field, int number, int depth, SplittableRandom random, ProtobufWriter out) {
        if (field.type().wireType() == Wire.VARINT) {
            out.number(number, number(random));
        } else if (field.type().wireType() == Wire.FIXED64) {
            out.tag(number, Wire.FIXED64);
            out.fixed64(number(random));
        } else if (field.type() == ValueType.STRING || field.type() == ValueType.BYTES) {
            out.text(number, text(random));
        } else {
            int opened = out.open(number);
            MessageType message = field.message();
            if (message != null && depth < MAX_DEPTH) {
                writeFields(message, depth + 1, random, out);
            } else {
                out.number(1, number(random));
                out.number(2, number(random));
                out.text(1 + random.nextInt(3), text(random));
            }
            out.close(opened);
        }
    }

    private static long number(SplittableRandom random) {
        return NUMBERS[random.nextInt(NUMBERS.length)];
    }

    private static String text(SplittableRandom random) {
        return TEXTS[random.nextInt(TEXTS.length)];
    }
}
