package io.tidemark.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.record.Bytes;
import io.tidemark.record.ContentType;
import io.tidemark.view.object.FieldPath;
import io.tidemark.view.object.MetadataCut;
import io.tidemark.view.object.StoredObject;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MetadataOnlyTest {
    private static StoredObject object(String json) {
        int digits = json.indexOf("\"resourceVersion\":\"") + 19;
        return StoredObject.encode(
                Bytes.utf8("k"),
                Bytes.utf8(json),
                ContentType.KUBERNETES_JSON,
                42,
                1,
                2,
                3,
                "",
                Map.of("app", "a"),
                Map.of("spec.tier", "gold"),
                json.substring(0, digits).getBytes(StandardCharsets.UTF_8).length);
    }

    private static String metadataOf(StoredObject object) {
        return new String(
                object.stored(),
                object.metadataOffset(),
                object.metadataLength(),
                StandardCharsets.UTF_8);
    }

    @Test
    void copiesOrderedMetadataUnchanged() {
        String metadata =
                "{\"name\":\"ü{\\\"\",\"namespace\":\"ns\",\"uid\":\"u\",\"resourceVersion\":\"42\","
                    + "\"labels\":{\"a\":\"1\",\"b\":\"2\"},\"managedFields\":[{\"manager\":\"m\","
                    + "\"fieldsV1\":{\"f:z\":{},\"f:a\":{}}}]}";
        StoredObject whole =
                object(
                        "{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":%s,\"spec\":{\"x\":1}}"
                                .formatted(metadata));

        assertThat(whole.isMetadataOrdered()).isTrue();
        assertThat(metadataOf(whole)).isEqualTo(metadata);

        StoredObject cut = whole.metadataOnly();
        assertThat(cut.valueText())
                .isEqualTo(
                        "{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":%s}"
                                .formatted(metadata));
        assertThat(metadataOf(cut)).isEqualTo(metadata);
        assertThat(cut.isMetadataOnly()).isTrue();
        assertThat(cut.metadataOnly()).isSameAs(cut);
        assertThat(new String(cut.stored(), cut.resourceVersionOffset(), 2, StandardCharsets.UTF_8))
                .isEqualTo("42");
        assertThat(cut.revision()).isEqualTo(42);
        assertThat(cut.lease()).isEqualTo(3);
        assertThat(cut.label("app")).isEqualTo("a");
        assertThat(cut.field("spec.tier")).isEqualTo("gold");
        assertThatThrownBy(() -> cut.field("spec.x")).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void reordersMetadata() {
        StoredObject whole =
                object(
                        """
                        {"apiVersion":"x/v1","kind":"X","metadata":{"annotations":{"z":"1",\
                        "deprecated.daemonset.template.generation":"1","a":"2"},\
                        "creationTimestamp":null,"finalizers":[],"foo":"dropped",\
                        "generation":10,"labels":{},"managedFields":[{"apiVersion":"v1",\
                        "fieldsV1":{"f:b":{},"f:a":{}},"manager":"m","operation":"Update"}],\
                        "name":"n","ownerReferences":[{"uid":"u","controller":false,"kind":"K"}],\
                        "resourceVersion":"42","selfLink":""},"spec":{}}\
                        """);

        assertThat(whole.isMetadataOrdered()).isFalse();
        StoredObject cut = whole.metadataOnly();
        assertThat(cut.isMetadataOrdered()).isTrue();
        assertThat(metadataOf(cut))
                .isEqualTo(
                        """
                        {"name":"n","resourceVersion":"42","generation":10,\
                        "annotations":{"a":"2","z":"1"},\
                        "ownerReferences":[{"kind":"K","uid":"u","controller":false}],\
                        "managedFields":[{"manager":"m","operation":"Update","apiVersion":"v1",\
                        "fieldsV1":{"f:b":{},"f:a":{}}}]}\
                        """);
        assertThat(object(cut.valueText()).isMetadataOrdered())
                .as("ordered metadata stays unchanged")
                .isTrue();
    }

    @Test
    void keepsOnlyAttributesOfARawValue() {
        StoredObject raw =
                StoredObject.encode(
                        Bytes.utf8("k"),
                        Bytes.utf8("raw"),
                        ContentType.RAW,
                        42,
                        1,
                        1,
                        0,
                        "why",
                        Map.of(),
                        Map.of(),
                        0);

        StoredObject cut = raw.metadataOnly();

        assertThat(cut.valueLength()).isZero();
        assertThat(cut.isUnreadable()).isTrue();
        assertThat(cut.reason()).isEqualTo("why");
        assertThat(cut.field("spec.x")).isEmpty();
    }

    @Test
    void neverFailsOnCorruptBytes() {
        byte[] json =
                ("{\"kind\":\"P\",\"metadata\":{\"resourceVersion\":\"42\",\"labels\":{\"a\":\"b\"},"
                     + "\"managedFields\":[{\"manager\":\"m\"}]},\"apiVersion\":\"v1\"}")
                        .getBytes(StandardCharsets.UTF_8);
        SplittableRandom random = new SplittableRandom(3);
        for (int i = 0; i < 50_000; i++) {
            byte[] broken = json.clone();
            for (int k = random.nextInt(4); k >= 0; k--) {
                broken[random.nextInt(broken.length)] =
                        (byte) "{}[]\",:\\ 0n".charAt(random.nextInt(11));
            }
            MetadataCut.Place place = MetadataCut.find(broken, 0);
            assertThat(place.from() + place.length()).isLessThanOrEqualTo(broken.length);
        }
    }

    @ParameterizedTest
    @CsvSource({"a.b,a|b", "a,a", "a.b\\.c/d,a|b.c/d", "a\\\\.b,a\\|b", "a.,a|", "a\\,a\\"})
    void splitsPathsAtDots(String path, String names) {
        assertThat(String.join("|", FieldPath.names(path))).isEqualTo(names);
    }
}
