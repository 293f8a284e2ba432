package io.tidemark.kubernetes.encode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.kubernetes.KubernetesDecoder;
import io.tidemark.kubernetes.schema.SchemaTables;
import io.tidemark.kubernetes.testing.ArbitraryObjects;
import io.tidemark.kubernetes.wire.DecodeResult;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KubernetesEncoderTest {
    private static final long SEED = Long.getLong("tidemark.seed", 21);
    private static final int OBJECTS_OF_A_KIND = 20;
    private static final int MUTATIONS = 30_000;

    private final KubernetesDecoder decoder = new KubernetesDecoder();

    @Test
    void objectsOfEveryKindComeBackTheSame() {
        SchemaTables.shared()
                .kinds()
                .forEach((apiVersion, kinds) ->
                        kinds.keySet()
                                .forEach(kind -> {
                                    for (int i = 0; i < OBJECTS_OF_A_KIND; i++) {
                                        byte[] stored =
                                                ArbitraryObjects.stored(apiVersion, kind, SEED + i);
                                        comesBack(
                                                apiVersion,
                                                kind,
                                                json(stored, 77),
                                                "seed " + (SEED + i));
                                    }
                                }));
    }

    /** Go prints these years, and protobuf has them. */
    @Test
    void timesOfAnyYearComeBackTheSame() {
        for (String year : new String[] {"2026", "9999", "10000", "12345", "0001", "-0001"}) {
            comesBack(
                    "coordination.k8s.io/v1",
                    "Lease",
                    """
                    {"kind":"Lease","apiVersion":"coordination.k8s.io/v1","metadata":{"name":"a",\
                    "resourceVersion":"77","creationTimestamp":"YEAR-03-01T00:00:00Z"},\
                    "spec":{"renewTime":"YEAR-03-01T00:00:00.000001Z"}}\
                    """
                            .replace("YEAR", year),
                    year);
        }
    }

    private void comesBack(String apiVersion, String kind, String json, String what) {
        byte[] again = encoded(apiVersion, kind, json, 0);
        assertThat(json(again, 77)).as("%s %s, %s", apiVersion, kind, what).isEqualTo(json);
    }

    @Test
    void anotherResourceVersionIsWrittenForTheObjectOnly() {
        String json =
                """
                {"kind":"PodTemplate","apiVersion":"v1","metadata":{"name":"a","resourceVersion":"7"},\
                "template":{"metadata":{"resourceVersion":"5"},"spec":{"containers":[]}}}\
                """;
        byte[] bytes = encoded("v1", "PodTemplate", json, 123_456);
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        assertThat(text).contains("2\006123456").contains("2\0015");
        assertThat(text).doesNotContain("2\0017");
    }

    @Test
    void membersInAnyOrderAndUnknownOnesAreRead() {
        String json =
                """
                {"spec":{"volumes":[{"hostPath":{"path":"/a","type":""},"later":{"x":[1,{}]},"name":"v"}],
                 "containers":[{"name":"c","resources":{},"image":"i","unknown":null}]},
                 "unknown":"x", "metadata": {"name":"a","labels":{"b":"\\u00fc","a":"1"}},
                 "apiVersion":"v1","kind":"Pod"}\
                """;
        assertThat(json(encoded("v1", "Pod", json, 9), 9))
                .contains("\"labels\":{\"a\":\"1\",\"b\":\"ü\"}")
                .contains("{\"name\":\"v\",\"hostPath\":{\"path\":\"/a\",\"type\":\"\"}}")
                .contains("\"containers\":[{\"name\":\"c\",\"image\":\"i\",\"resources\":{}}]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"metadata\":{\"name\":5}}",
                "{\"metadata\":[]}",
                "{\"metadata\":{\"labels\":\"a\"}}",
                "{\"metadata\":{\"labels\":{\"a\":{}}}}",
                "{\"metadata\":{\"generation\":\"1\"}}",
                "{\"metadata\":{\"generation\":1.5}}",
                "{\"metadata\":{\"creationTimestamp\":\"yesterday\"}}",
                "{\"metadata\":{\"creationTimestamp\":\"2026-02-30T00:00:00Z\"}}",
                "{\"metadata\":{\"creationTimestamp\":\"2026-02-03T25:00:00Z\"}}",
                "{\"spec\":{\"containers\":{}}}",
                "{\"spec\":{\"hostNetwork\":\"true\"}}",
                "{\"spec\":{\"priority\":4294967296}}",
                "[]",
                "\"\"",
                "{\"metadata\":{",
                "",
            })
    void whatTheSchemaDoesNotAllowIsRefused(String json) {
        assertThatThrownBy(() -> encoded("v1", "Pod", json, 1)).isInstanceOf(EncodeException.class);
    }

    @Test
    void arbitraryChangesOfObjectsAreEncodedOrRefused() {
        SplittableRandom random = new SplittableRandom(SEED);
        String json = json(ArbitraryObjects.stored("v1", "Pod", SEED), 1);
        byte[] whole = json.getBytes(StandardCharsets.UTF_8);
        int encoded = 0;
        for (int i = 0; i < MUTATIONS; i++) {
            byte[] changed = whole.clone();
            for (int j = random.nextInt(3); j >= 0; j--) {
                changed[random.nextInt(changed.length)] =
                        random.nextBoolean()
                                ? (byte) random.nextInt(256)
                                : (byte) "{}[]\",:\\0tn-".charAt(random.nextInt(12));
            }
            try {
                KubernetesEncoder.of("v1", "Pod").orElseThrow().object("v1", "Pod", changed, 0, 5);
                encoded++;
            } catch (EncodeException e) {
                assertThat(e).hasMessageMatching("(?s).+");
            }
        }
        assertThat(encoded).isBetween(1, MUTATIONS - 1);
    }

    @Test
    void kindsThatTheTablesLackHaveNoEncoder() {
        assertThat(KubernetesEncoder.of("v1", "Widget")).isEmpty();
        assertThatThrownBy(() -> KubernetesEncoder.ofMessage("meta.v1.Widget"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static byte[] encoded(String apiVersion, String kind, String json, long revision) {
        return KubernetesEncoder.of(apiVersion, kind)
                .orElseThrow()
                .object(apiVersion, kind, json.getBytes(StandardCharsets.UTF_8), 0, revision);
    }

    private String json(byte[] stored, long revision) {
        return switch (decoder.decode(stored, revision)) {
            case DecodeResult.Json json -> {
                assertThat(json.unknownFields()).isZero();
                yield json.json().utf8();
            }
            case DecodeResult.Refused refused -> throw new AssertionError(refused);
        };
    }
}
