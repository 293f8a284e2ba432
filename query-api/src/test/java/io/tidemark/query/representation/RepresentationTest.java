package io.tidemark.query.representation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.query.catalog.BuiltInResources;
import io.tidemark.query.catalog.FixedCatalog;
import io.tidemark.query.catalog.Resource;
import io.tidemark.query.representation.Representation.Format;
import io.tidemark.query.representation.Representation.IncludeObject;
import io.tidemark.query.representation.Representation.Shape;
import io.tidemark.query.representation.Representation.View;
import io.tidemark.record.Bytes;
import io.tidemark.serving.status.StatusException;
import io.tidemark.serving.status.StatusException.FailureStatus;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RepresentationTest {
    private static final String KUBECTL =
            "application/json;as=Table;v=v1;g=meta.k8s.io,"
                    + "application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json";

    private final Resource pods =
            FixedCatalog.of(BuiltInResources.under(Bytes.utf8("/registry/")))
                    .find("", "v1", "pods")
                    .orElseThrow();

    @Test
    void servesATableToKubectl() {
        assertThat(negotiated(KUBECTL, Shape.LIST))
                .isEqualTo(
                        new Representation(
                                Format.JSON,
                                new View.Table("meta.k8s.io/v1", IncludeObject.METADATA),
                                false,
                                false));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "*/*", "application/json", "application/json;stream=watch"})
    void servesWholeObjectsForPlainRanges(String accept) {
        assertThat(negotiated(accept, Shape.LIST))
                .isEqualTo(new Representation(Format.JSON, new View.Whole(), false, false));
    }

    @Test
    void choosesByQualityAndOrder() {
        assertThat(negotiated("application/json;q=0.5,application/yaml", Shape.GET).format())
                .isEqualTo(Format.YAML);
        assertThat(negotiated("application/vnd.kubernetes.protobuf,application/json", Shape.GET))
                .isEqualTo(new Representation(Format.PROTOBUF, new View.Whole(), false, false));
        assertThat(negotiated("application/json;pretty=1", Shape.GET).pretty()).isTrue();
    }

    /** The API server's order of a wildcard and a type of lower quality. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "*/*,application/yaml;q=0.1                                 | YAML",
                "application/yaml;q=0.1,*/*                                 | JSON",
                "application/*,application/yaml;q=0.1                       | YAML",
                "*/*,application/vnd.kubernetes.protobuf;q=0.1              | PROTOBUF",
                "application/json,*/*,application/yaml;q=0.1                | JSON",
                "*/*,application/yaml;q=0.1,application/json;q=0.5          | JSON",
                "text/html,application/xhtml+xml,*/*;q=0.8                  | JSON",
            })
    void prefersTypesToWildcardsThatPrecedeThem(String accept, Format format) {
        assertThat(negotiated(accept, Shape.GET).format()).isEqualTo(format);
    }

    @Test
    void refusesAWatchOfYamlThatAWildcardPrecedes() {
        assertThatThrownBy(() -> negotiated("*/*,application/yaml;q=0.1", Shape.WATCH))
                .hasMessageStartingWith("only the following media types are accepted");
        assertThat(negotiated("application/yaml;q=0.1,*/*", Shape.WATCH).format())
                .isEqualTo(Format.JSON);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "application/json;drop=metadata.managedFields                     | true",
                "application/yaml; drop=metadata.managedFields                    | true",
                "application/vnd.kubernetes.protobuf;drop=metadata.managedFields  | true",
                "application/json;drop=spec.later+metadata.managedFields          | true",
                "application/json;drop=spec.later                                 | false",
                "application/json;drop=                                           | false",
                "application/json,application/yaml;drop=metadata.managedFields    | false",
            })
    void leavesOutManagedFieldsOnRequest(String accept, boolean leavesOut) {
        assertThat(negotiated(accept, Shape.LIST).withoutManagedFields()).isEqualTo(leavesOut);
    }

    @Test
    void servesMetadataAloneOrAsAList() {
        String one = "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io";
        String list = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io";

        assertThat(negotiated(one, Shape.WATCH).view())
                .isEqualTo(new View.Metadata("meta.k8s.io/v1", false));
        assertThat(negotiated(list, Shape.LIST).view())
                .isEqualTo(new View.Metadata("meta.k8s.io/v1", true));
        assertThatThrownBy(() -> rendered(one, Shape.LIST))
                .hasMessageEndingWith("the requested object is a list (*core.PodList)");
        assertThatThrownBy(() -> rendered(list, Shape.GET))
                .hasMessageEndingWith("the requested object is not a list (*core.Pod)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "text/html                              | LIST  | 406: Not Acceptable",
                "application/*                          | GET   | 406: Not Acceptable",
                "application/json;as=Table;v=v2;g=meta.k8s.io | LIST | only the following",
                "application/vnd.kubernetes.protobuf    | HISTORY    | only the following",
                "application/vnd.kubernetes.protobuf    | TEXT_WATCH | only the following",
                "application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io | LIST | only the"
                        + " following",
                "application/yaml                       | WATCH | only the following",
                "application/json;stream=other          | GET   | only the following",
                "application/json;sv=v2                 | GET   | only the following",
                "application/yaml;stream=watch          | LIST  | only the following",
            })
    void refusesOtherRanges(String accept, Shape shape, String message) {
        assertThatThrownBy(() -> rendered(accept, shape))
                .isInstanceOfSatisfying(
                        StatusException.class, e -> assertThat(e.status().code()).isEqualTo(406))
                .hasMessageStartingWith(message);
    }

    @Test
    void refusesAnUnknownIncludeObjectForTablesOnly() {
        Representation unknown = Representation.negotiate(KUBECTL, "All", false, pods, Shape.LIST);
        assertThatThrownBy(() -> unknown.renderer(pods, InstantSource.system()))
                .hasMessageContaining("Invalid value: \"All\"");
        assertThat(Representation.negotiate("", "All", false, pods, Shape.LIST).view())
                .isEqualTo(new View.Whole());
    }

    @Test
    void indentsErrorsWhenNoPlainFormatIsAccepted() {
        assertThat(DocumentFormat.of(KUBECTL, false)).isEqualTo(DocumentFormat.COMPACT);
        assertThat(DocumentFormat.of("application/json;as=Table;v=v1;g=meta.k8s.io", false))
                .isEqualTo(DocumentFormat.INDENTED);
        assertThat(DocumentFormat.of("text/html", false)).isEqualTo(DocumentFormat.INDENTED);
        assertThat(DocumentFormat.of("application/yaml", true)).isEqualTo(DocumentFormat.YAML);
        assertThat(DocumentFormat.of("", true)).isEqualTo(DocumentFormat.INDENTED);
    }

    @Test
    void writesOnlyStatusesAsProtobuf() {
        String accept = DocumentFormat.PROTOBUF.contentType() + ",application/json";
        assertThat(DocumentFormat.ofStatus(accept, false)).isEqualTo(DocumentFormat.PROTOBUF);
        assertThat(DocumentFormat.of(accept, false)).isEqualTo(DocumentFormat.COMPACT);
        String status = "k8s\0\n\f\n\002v1\022\006Status\022'\n\006\n\0\022\0\032\0";
        FailureStatus refusal =
                new FailureStatus(404, "R", "m", Map.of("name", "n"), List.of(), 0, "");
        assertThat(new String(DocumentFormat.PROTOBUF.write(refusal), StandardCharsets.ISO_8859_1))
                .isEqualTo(
                        status
                                + "\022\007Failure\032\001m\"\001R*\013\n\001n\022\0\032\0(\0002\0"
                                + "0\u0094\003\032\0\"\0");
    }

    @Test
    void negotiatesOrRefusesAnyHeader() {
        long seed = Long.getLong("tidemark.seed", 1);
        SplittableRandom random = new SplittableRandom(seed);
        String[] pieces = {
            "application",
            "/",
            "json",
            "*",
            ";",
            ",",
            "q=",
            "0.5",
            "NaN",
            "as=Table",
            "v=v1",
            "g=meta.k8s.io",
            "=",
            " ",
            "-1",
            "pretty=1",
            "yaml",
            "é"
        };
        for (int round = 0; round < 20_000; round++) {
            StringBuilder accept = new StringBuilder();
            for (int i = random.nextInt(16); i > 0; i--) {
                accept.append(pieces[random.nextInt(pieces.length)]);
            }
            try {
                assertThat(negotiated(accept.toString(), Shape.LIST)).isNotNull();
            } catch (StatusException e) {
                assertThat(e.status().code()).as("seed %d: %s", seed, accept).isEqualTo(406);
            }
        }
    }

    private void rendered(String accept, Shape shape) {
        Representation.requireRoute(accept, pods, shape);
        negotiated(accept, shape).renderer(pods, InstantSource.system());
    }

    private Representation negotiated(String accept, Shape shape) {
        return Representation.negotiate(accept, "", false, pods, shape);
    }
}
