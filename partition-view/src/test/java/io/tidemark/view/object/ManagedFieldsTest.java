package io.tidemark.view.object;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.record.Bytes;
import io.tidemark.record.ContentType;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Leaves out managed fields by the place that was stored, and where none was stored. */
class ManagedFieldsTest {
    private static final Bytes KEY = Bytes.utf8("/registry/pods/a/b");
    private static final String FIELDS =
            "\"managedFields\":[{\"manager\":\"a,}]\\\"\"},{\"manager\":\"b\"}]";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    {#,"name":"b","resourceVersion":"7"} | {"name":"b","resourceVersion":"7"}
                    {"name":"b",#,"resourceVersion":"7"} | {"name":"b","resourceVersion":"7"}
                    {"name":"b","resourceVersion":"7",#} | {"name":"b","resourceVersion":"7"}
                    {"resourceVersion":"7",#}            | {"resourceVersion":"7"}
                    {#,"resourceVersion":"7"}            | {"resourceVersion":"7"}
                    {"name":"b","resourceVersion":"7"}   | {"name":"b","resourceVersion":"7"}
                    """)
    void areLeftOutWhereverTheyStand(String metadata, String without) {
        StoredObject object = object(metadata.replace("#", FIELDS));

        for (StoredObject each : new StoredObject[] {object, withoutPlace(object)}) {
            for (StoredObject form : new StoredObject[] {each, each.metadataOnly()}) {
                StoredObject cut = form.withoutManagedFields();
                assertThat(metadata(cut)).isEqualTo(without);
                assertThat(cut.valueText()).doesNotContain("managedFields\":[");
                assertThat(cut.valueText().substring(inValue(cut))).startsWith("7\"");
                assertThat(cut.labels()).isEqualTo(Map.of("app", "web"));
                assertThat(cut.withoutManagedFields()).isEqualTo(cut);
            }
            assertThat(each.withoutManagedFields().metadataOnly().valueText())
                    .isEqualTo(each.metadataOnly().withoutManagedFields().valueText());
        }
    }

    @Test
    void ofAnotherPlaceStay() {
        StoredObject object = object("{\"labels\":{" + FIELDS + "},\"resourceVersion\":\"7\"}");

        assertThat(object.withoutManagedFields()).isSameAs(object);
    }

    private static String metadata(StoredObject object) {
        int from = object.metadataOffset() - object.valueOffset();
        return object.valueText().substring(from, from + object.metadataLength());
    }

    private static int inValue(StoredObject object) {
        return object.resourceVersionOffset() - object.valueOffset();
    }

    private static StoredObject object(String metadata) {
        String json =
                "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":"
                        + metadata
                        + ",\"spec\":{\"managedFields\":1}}";
        return StoredObject.encode(
                KEY,
                Bytes.utf8(json),
                ContentType.KUBERNETES_JSON,
                7,
                7,
                1,
                0,
                "",
                Map.of("app", "web"),
                Map.of("spec.nodeName", "n"),
                json.indexOf("\"resourceVersion\":\"7\"") + "\"resourceVersion\":\"".length());
    }

    /** As a release wrote it that stored no place of managed fields. */
    private static StoredObject withoutPlace(StoredObject object) {
        int length = 7 + 2 * Integer.BYTES;
        byte[] stored = object.stored();
        int from = object.valueOffset() - length;
        assertThat(stored[from]).isEqualTo((byte) 'm');
        byte[] old = Arrays.copyOf(stored, stored.length - length);
        System.arraycopy(stored, object.valueOffset(), old, from, object.valueLength());
        ByteBuffer.wrap(old).putInt(38, from);
        return new StoredObject(object.key(), old);
    }
}
