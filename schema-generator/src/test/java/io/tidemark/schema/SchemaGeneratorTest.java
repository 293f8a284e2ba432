package io.tidemark.schema;

import static io.tidemark.schema.Protos.field;
import static io.tidemark.schema.Protos.list;
import static io.tidemark.schema.Protos.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SchemaGeneratorTest {
    private static final DescriptorProto POD_LIST = message("PodList");

    private static DescriptorProto pod(String fieldName, String type) {
        return message(
                "Pod",
                field(1, "metadata", Protos.OBJECT_META),
                field(2, fieldName, ".k8s.io.api.core.v1." + type));
    }

    private static Map<String, String> generate(String exceptions, DescriptorProto... messages) {
        List<String> lines = new ArrayList<>(List.of("package core.v1 v1", "package meta.v1"));
        lines.addAll(exceptions.lines().toList());
        return SchemaGenerator.generate(Protos.with(messages), lines);
    }

    /** The lines of one message that is used, below its head. */
    private static List<String> fields(String exceptions, DescriptorProto message) {
        String table =
                generate("used core.v1." + message.getName() + "\n" + exceptions, message)
                        .get("core.v1");
        return table.lines().skip(4).map(String::strip).toList();
    }

    @Test
    void kindsAreMessagesWithMetadataAndAList() {
        Map<String, String> tables =
                generate(
                        "",
                        pod("spec", "PodSpec"),
                        POD_LIST,
                        message("PodSpec", field(1, "nodeName", Type.TYPE_STRING)),
                        message("Binding", field(1, "metadata", Protos.OBJECT_META)),
                        message("Unused"));

        assertThat(tables.get("core.v1"))
                .isEqualTo(
                        """
                        package core.v1
                        api v1

                        kind Pod
                          1 metadata meta.v1.ObjectMeta*
                          2 spec PodSpec*

                        type PodSpec
                          1 nodeName string
                        """);
        assertThat(tables.get("meta.v1"))
                .isEqualTo(
                        """
                        package meta.v1

                        type ObjectMeta
                          1 name string
                        """);
    }

    @Test
    void exceptionsChooseKinds() {
        DescriptorProto allocation =
                message("RangeAllocation", field(1, "range", Type.TYPE_STRING));
        String exceptions =
                """
                stored core.v1.RangeAllocation
                not-stored core.v1.Pod
                labels core.v1.RangeAllocation spec.labels
                """;

        assertThat(generate(exceptions, pod("spec", "Pod"), POD_LIST, allocation).get("core.v1"))
                .contains("\nkind RangeAllocation labels=spec.labels\n")
                .doesNotContain("Pod");
    }

    @Test
    void fieldsHaveTypesAndShapesInTheOrderOfTheirDeclaration() {
        DescriptorProto message =
                message(
                        "All",
                        field(9, "text", Type.TYPE_STRING),
                        field(1, "flag", Type.TYPE_BOOL),
                        field(2, "number", Type.TYPE_INT32),
                        field(3, "big", Type.TYPE_INT64),
                        field(4, "fraction", Type.TYPE_DOUBLE),
                        field(5, "data", Type.TYPE_BYTES),
                        field(6, "at", Protos.TIME),
                        field(7, "extra", Protos.EXTRA_VALUE),
                        list(field(8, "texts", Type.TYPE_STRING)),
                        list(field(10, "times", Protos.TIME)),
                        list(field(11, "all", "All")));

        assertThat(fields("", message))
                .containsExactly(
                        "9 text string",
                        "1 flag bool",
                        "2 number int32*",
                        "3 big int64*",
                        "4 fraction double*",
                        "5 data bytes!",
                        "6 at Time!",
                        "7 extra Items*",
                        "8 texts []string",
                        "10 times []Time",
                        "11 all []All");
    }

    @Test
    void mapsHaveTheTypeOfTheirValues() {
        assertThat(fields("", Protos.withLabels("Labeled", Type.TYPE_BYTES)))
                .containsExactly("1 labels {}bytes");
        assertThat(fields("always {}labels", Protos.withLabels("Labeled", Type.TYPE_STRING)))
                .containsExactly("1 labels {}string!");
    }

    @Test
    void theNearestRuleMarksAField() {
        DescriptorProto message =
                message(
                        "Rules",
                        field(1, "key", Type.TYPE_STRING),
                        field(2, "name", Type.TYPE_STRING),
                        field(3, "mode", Type.TYPE_INT32),
                        list(field(4, "key2", Type.TYPE_STRING)));

        assertThat(fields("always name []key2\nunless-empty mode", message))
                .containsExactly(
                        "1 key string", "2 name string!", "3 mode int32", "4 key2 []string!");
        assertThat(fields("always name\nin Rules * key*! []key2!", message))
                .containsExactly(
                        "1 key string*!", "2 name string*", "3 mode int32*", "4 key2 []string!");
        assertThat(fields("in core.v1.Rules key!\nin core.v1.Rules mode?", message))
                .containsExactly(
                        "1 key string!", "2 name string", "3 mode int32", "4 key2 []string");
    }

    @Test
    void namesAreThoseOfJson() {
        assertThat(SchemaGenerator.jsonName("Webhooks")).isEqualTo("webhooks");
        assertThat(SchemaGenerator.jsonName("JSONPath")).isEqualTo("JSONPath");
        assertThat(SchemaGenerator.jsonName("xKubernetesListMapKeys"))
                .isEqualTo("x-kubernetes-list-map-keys");
    }

    @Test
    void embeddedMessagesHaveNoName() {
        DescriptorProto pod = pod("volumeSource", "VolumeSource");

        assertThat(
                        generate("embedded volumeSource", pod, POD_LIST, message("VolumeSource"))
                                .get("core.v1"))
                .contains("  2 - VolumeSource\n");
    }

    @Test
    void patchesReplaceAndInsertLines() {
        DescriptorProto message =
                message(
                        "Status",
                        field(1, "phase", Type.TYPE_STRING),
                        field(2, "reason", Type.TYPE_STRING));
        String exceptions =
                """
                patch Status
                  0 kind string = "Status"
                  1 phase string* = "A b"
                  3 other []meta.v1.ObjectMeta!
                """;

        assertThat(fields(exceptions, message))
                .containsExactly(
                        "0 kind string = \"Status\"",
                        "1 phase string* = \"A b\"",
                        "3 other []meta.v1.ObjectMeta!",
                        "2 reason string");
    }

    @Test
    void unpublishedPackagesAreCopiedOrWritten() {
        String exceptions =
                """
                copy core.v1beta1 v1beta1 from core.v1
                new own.v1 own/v1
                kind own.v1.Thing
                  1 metadata meta.v1.ObjectMeta!
                  2 parts []Part
                type own.v1.Part
                """;

        Map<String, String> tables =
                generate(exceptions, pod("spec", "PodSpec"), POD_LIST, message("PodSpec"));

        assertThat(tables.get("core.v1beta1"))
                .isEqualTo(tables.get("core.v1").replace("v1\n", "v1beta1\n"));
        assertThat(tables.get("own.v1"))
                .isEqualTo(
                        """
                        package own.v1
                        api own/v1

                        kind Thing
                          1 metadata meta.v1.ObjectMeta!
                          2 parts []Part

                        type Part
                        """);
    }

    @Test
    void refusesExceptionsThatApplyToNothing() {
        DescriptorProto spec = message("PodSpec", field(1, "name", Type.TYPE_STRING));

        assertThatThrownBy(() -> fields("always nmae", spec)).hasMessageContaining("nmae");
        assertThatThrownBy(() -> fields("in PodSpec nmae!", spec))
                .hasMessageContaining("PodSpec nmae");
        assertThatThrownBy(() -> fields("stored core.v1.PodSpek", spec))
                .hasMessageContaining("core.v1.PodSpek");
        assertThatThrownBy(() -> fields("copy core.v2 v2 from core.v1 Node", spec))
                .hasMessageContaining("core.v2");
        assertThatThrownBy(() -> fields("patch PodSpek\n 1 name string", spec))
                .hasMessageContaining("PodSpek");
    }

    @Test
    void refusesWhatItCannotDescribe() {
        assertThatThrownBy(() -> fields("", message("M", field(1, "f", Type.TYPE_FLOAT))))
                .hasMessageContaining("core.v1.M.f");
        assertThatThrownBy(() -> generate("patch Pod\n 1 name Nothing", pod("a", "Pod"), POD_LIST))
                .hasMessageContaining("core.v1.Nothing");
    }

    @Test
    void namesTheLineThatIsNotValid() {
        assertThatThrownBy(() -> generate("# a comment\nin PodSpec name"))
                .hasMessage("exceptions:4: in PodSpec name");
        assertThatThrownBy(() -> generate("what core.v1")).hasMessage("exceptions:3: what core.v1");
    }

    @Test
    void describesTheStoredKindsOfKubernetes() throws Exception {
        Map<String, String> tables =
                SchemaGenerator.generate(
                        GenerateSchemas.descriptors(), GenerateSchemas.exceptions());

        List<String> lines = tables.values().stream().flatMap(String::lines).toList();
        // 95 that are stored, and Scale.
        assertThat(lines.stream().filter(line -> line.startsWith("kind "))).hasSize(108);
        assertThat(lines.stream().filter(line -> line.startsWith("  "))).hasSizeGreaterThan(2_600);
    }
}
