package io.tidemark.store.fold;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import io.tidemark.record.ContentType;
import io.tidemark.store.layout.IndexSettings;
import io.tidemark.view.object.ChecksumForm;
import io.tidemark.view.object.MetadataCut;
import io.tidemark.view.object.StoredObject;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AttributeExtractorTest {
    private static final AttributeExtractor EXTRACTOR =
            new AttributeExtractor(
                    SelectableFields.builtIn(),
                    Set.of(
                            new IndexSettings.Field(Bytes.utf8("/k"), "spec.tier"),
                            new IndexSettings.Field(Bytes.utf8("/other"), "spec.size"),
                            new IndexSettings.Field(
                                    Bytes.utf8("/k"), "metadata.annotations.a\\.b")));

    private static StoredObject store(byte[] value) {
        return EXTRACTOR.store(
                new Change.Put(
                        1,
                        42,
                        0,
                        Bytes.utf8("/k"),
                        Bytes.wrap(value),
                        ContentType.KUBERNETES_JSON,
                        1,
                        1,
                        0,
                        false,
                        ""));
    }

    private static StoredObject store(String json) {
        return store(json.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void extractsLabelsAndFieldsInAnyMemberOrder() {
        StoredObject pod =
                store(
                        """
                        {"status":{"phase":"Running","podIP":"10.0.0.1","phases":["x"]},\
                        "spec":{"nodeName":"n1","hostNetwork":true,"containers":[{"name":"c"}]},\
                        "metadata":{"name":"ü","labels":{"app":"a","":"empty","kind":"no"},\
                        "annotations":{"name":"wrong"},"resourceVersion":"42","namespace":"ns"},\
                        "kind":"Pod","apiVersion":"v1"}\
                        """);

        assertThat(pod.isKubernetes()).isTrue();
        assertThat(pod.label("app")).isEqualTo("a");
        assertThat(pod.label("")).isEqualTo("empty");
        assertThat(pod.label("name")).isNull();
        assertThat(pod.field("metadata.name")).isEqualTo("ü");
        assertThat(pod.field("metadata.namespace")).isEqualTo("ns");
        assertThat(pod.field("spec.nodeName")).isEqualTo("n1");
        assertThat(pod.field("spec.hostNetwork")).isEqualTo("true");
        assertThat(pod.field("status.phase")).isEqualTo("Running");
        assertThat(pod.extractedField("spec.restartPolicy")).isEmpty();
        assertThat(new String(pod.stored(), pod.resourceVersionOffset(), 4, StandardCharsets.UTF_8))
                .isEqualTo("42\",");
    }

    @Test
    void anUnsetFieldHasItsDefault() {
        StoredObject pod =
                store(
                        "{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"42\"}}");
        assertThat(pod.field("spec.hostNetwork")).isEqualTo("false");
        assertThat(pod.extractedField("spec.nodeName")).isEmpty();
    }

    @Test
    void extractsAJobsSuccessfulCountAndAnEventsSource() {
        StoredObject job =
                store(
                        "{\"kind\":\"Job\",\"apiVersion\":\"batch/v1\",\"metadata\":{\"resourceVersion\":\"42\"},\"status\":{\"succeeded\":3}}");
        assertThat(job.field("status.successful")).isEqualTo("3");
        String event =
                "{\"kind\":\"Event\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"42\"},%s\"reportingComponent\":\"r\"}";
        assertThat(store(event.formatted("")).field("source")).isEqualTo("r");
        assertThat(store(event.formatted("\"source\":{\"component\":\"c\"},")).field("source"))
                .isEqualTo("c");
    }

    @Test
    void extractsIndexedFieldsOfAnyKind() {
        String custom =
                "{\"kind\":\"Widget\",\"apiVersion\":\"example.com/v1\",\"metadata\":{\"name\":\"n\",\"resourceVersion\":\"42\"},\"spec\":{%s}}";
        assertThat(store(custom.formatted("\"tier\":3")).extractedField("spec.tier"))
                .isEqualTo("3");
        assertThat(store(custom.formatted("")).extractedField("spec.tier"))
                .as("extracted as not set")
                .isEmpty();
        assertThat(store(custom.formatted("")).extractedField("metadata.namespace")).isEmpty();
    }

    @Test
    void extractsOnlyCommonFieldsOfACustomResourceNamedLikeABuiltIn() {
        StoredObject custom =
                store(
                        "{\"kind\":\"Pod\",\"apiVersion\":\"example.com/v1\",\"metadata\":{\"name\":\"n\",\"resourceVersion\":\"42\",\"labels\":{\"a\":\"b\"}},\"spec\":{\"nodeName\":\"x\"}}");
        assertThat(custom.extractedField("spec.nodeName")).isNull();
        assertThat(custom.field("spec.nodeName")).isEqualTo("x");
        assertThat(custom.field("metadata.name")).isEqualTo("n");
        assertThat(custom.label("a")).isEqualTo("b");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "[]",
                "\"text\"",
                "{",
                "{\"metadata\":",
                "{}",
                "{} {}",
                "{\"metadata\":{\"resourceVersion\":42}}",
                "{\"metadata\":{\"resourceVersion\":\"41\"}}",
                "{\"metadata\":{\"resourceVersion\":{\"a\":1}}}",
                "{\"metadata\":[1,2]}",
                "{\"metadata\":{\"labels\":[\"a\"],\"resourceVersion\":\"42\"}",
                "{\"metadata\":{\"resourceVersion\":\"42\"}}x",
                "{\"metadata\":{\"resourceV\\u0065rsion\":\"42\"}}",
                "{\"metadata\":{\"resourceV\\u0065rsion\":\"42\",\"resourceVersion\":\"41\"}}",
                "\u0000\u0001\u00ff"
            })
    void storesAnInvalidObjectAsUnreadable(String value) {
        StoredObject stored = store(value);
        assertThat(stored.isUnreadable()).isTrue();
        assertThat(stored.isKubernetes()).isFalse();
        assertThat(stored.reason()).isNotEmpty();
        assertThat(stored.valueText()).isEqualTo(value);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"metadata\":{\"labels\":[\"a\"],\"resourceVersion\":\"42\"}}",
                "{\"metadata\":{\"labels\":{\"a\":null,\"b\":{\"c\":1}},\"resourceVersion\":\"42\"}}",
                "{\"kind\":{},\"apiVersion\":7,\"spec\":{\"nodeName\":[]},\"metadata\":{\"resourceVersion\":\"42\"}}",
                "{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"spec\":\"s\",\"metadata\":{\"resourceVersion\":\"42\"}}"
            })
    void valuesOfUnexpectedTypesCountAsNotSet(String value) {
        StoredObject stored = store(value);
        assertThat(stored.isKubernetes()).isTrue();
        assertThat(stored.label("a")).isNull();
        assertThat(stored.field("spec.nodeName")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"metadata\":{\"name\":\"n\",\"resourceVersion\":\"42\"},\"spec\":{}}",
                "{\"metadata\":{\"resourceVersion\":\"42\",\"name\":\"n\"}}",
                "{\"metadata\":{\"resourceVersion\":\"42\"},\"a\":[{}],\"metadata\":{\"name\":\"n\"}}",
                "{\"metadata\":{\"name\":\"n\"},\"metadata\":{\"resourceVersion\":\"42\"}}"
            })
    void findsTheMetadataWithTheResourceVersion(String value) {
        StoredObject stored = store(value);
        int from = stored.valueOffset();
        assertThat(
                        new MetadataCut.Place(
                                stored.metadataOffset() - from,
                                stored.metadataLength(),
                                stored.isMetadataOrdered()))
                .isEqualTo(
                        MetadataCut.find(
                                stored.valueCopy(), stored.resourceVersionOffset() - from));
    }

    /** The readers of some forms compare names byte by byte. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "kind",
                "apiVersion",
                "metadata",
                "name",
                "namespace",
                "uid",
                "labels",
                "annotations"
            })
    void allFormsCanBeMadeOfAnObjectWithAnEscapedName(String name) {
        String escaped = "\"\\u%04x%s\"".formatted((int) name.charAt(0), name.substring(1));
        StoredObject stored =
                store(
                        """
                        {"kind":"Pod","apiVersion":"v1","metadata":{"name":"n","namespace":"ns","uid":"u",\
                        "resourceVersion":"42","labels":{"a":"b"},"annotations":{}}}\
                        """
                                .replace('"' + name + '"', escaped));
        assertThat(stored.valueText()).contains(escaped);
        assertThat(stored.metadataOnly().revision()).isEqualTo(42);
        assertThat(ChecksumForm.of(stored).revision()).isEqualTo(42);
    }

    @Test
    void refusesInvalidUtf8() {
        byte[] json =
                "{\"metadata\":{\"resourceVersion\":\"42\",\"uid\":\"#\"}}"
                        .getBytes(StandardCharsets.UTF_8);
        json[json.length - 4] = (byte) 0xc3;
        assertThat(store(json).isUnreadable()).isTrue();
    }

    @Test
    void neverFailsOnCorruptBytes() {
        byte[] json =
                "{\"kind\":\"Pod\",\"metadata\":{\"labels\":{\"é\":\"b\"},\"resourceVersion\":\"42\"},\"n\":1e5}"
                        .getBytes(StandardCharsets.UTF_8);
        SplittableRandom random = new SplittableRandom(3);
        for (int i = 0; i < 50_000; i++) {
            byte[] broken = json.clone();
            for (int j = random.nextInt(4); j >= 0; j--) {
                broken[random.nextInt(broken.length)] = (byte) random.nextInt(256);
            }
            StoredObject stored = store(broken);
            assertThat(stored.valueCopy()).isEqualTo(broken);
            assertThat(stored.metadataOnly().revision()).isEqualTo(42);
            assertThat(ChecksumForm.of(stored).revision()).isEqualTo(42);
        }
        assertThat(store("[".repeat(100_000)).isUnreadable()).isTrue();
        assertThat(store("{\"a\":".repeat(100_000)).isUnreadable()).isTrue();
    }

    @Test
    void extractsDeclaredFieldsOnlyUnderTheirKeyPrefix() {
        StoredObject object =
                store(
                        """
                        {"apiVersion":"x/v1","kind":"X","metadata":{"annotations":{"a.b":"note"},\
                        "name":"n","resourceVersion":"42"},"spec":{"size":3}}\
                        """);

        assertThat(object.extractedField("spec.size")).isNull();
        assertThat(object.field("spec.size")).isEqualTo("3");
        assertThat(object.extractedField("metadata.annotations.a\\.b")).isEqualTo("note");
    }
}
