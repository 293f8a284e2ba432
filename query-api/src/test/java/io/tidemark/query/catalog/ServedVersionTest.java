package io.tidemark.query.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.record.Bytes;
import io.tidemark.serving.testing.StoredObjects;
import io.tidemark.view.object.StoredObject;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class ServedVersionTest {
    private final Catalog builtIn =
            FixedCatalog.of(BuiltInResources.under(Bytes.utf8("/registry/")));

    @Test
    void servesTheStoredVersionUnchanged() {
        StoredObject pod =
                object("{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"a\"}}");

        assertThat(ServedVersion.of(resource("", "v1", "pods"), pod))
                .isEqualTo(new ServedVersion.AsStored());
    }

    @Test
    void renamesCustomResourcesUnlessAWebhookConvertsThem() {
        StoredObject widget =
                object(
                        "{\"metadata\":{\"name\":\"a\",\"apiVersion\":\"no\"},"
                                + "\"kind\":\"Widget\",\"apiVersion\":\"example.com/v1\"}");

        assertThat(ServedVersion.of(widgets("v1beta1", true), widget))
                .isInstanceOfSatisfying(
                        ServedVersion.Renamed.class,
                        renamed -> {
                            assertThat(
                                            new String(
                                                    widget.stored(),
                                                    renamed.fromInclusive(),
                                                    renamed.toExclusive() - renamed.fromInclusive(),
                                                    StandardCharsets.UTF_8))
                                    .isEqualTo("example.com/v1");
                            assertThat(renamed.apiVersion())
                                    .asString()
                                    .isEqualTo("example.com/v1beta1");
                        });
        assertThat(ServedVersion.of(widgets("v1beta1", false), widget))
                .isEqualTo(new ServedVersion.Unservable("example.com/v1"));
        assertThat(ServedVersion.of(widgets("v1", false), widget))
                .isEqualTo(new ServedVersion.AsStored());
    }

    @Test
    void convertsEventsToTheNewerGroup() {
        StoredObject event =
                object(
                        "{\"kind\":\"Event\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"e\"},"
                                + "\"involvedObject\":{\"kind\":\"Pod\"},\"message\":\"m\","
                                + "\"count\":2}");

        assertThat(converted(resource("events.k8s.io", "v1", "events"), event))
                .startsWith("{\"kind\":\"Event\",\"apiVersion\":\"events.k8s.io/v1\",\"metadata\":")
                .contains(
                        "\"name\":\"e\"",
                        "\"regarding\":{\"kind\":\"Pod\"}",
                        "\"note\":\"m\"",
                        "\"deprecatedCount\":2")
                .doesNotContain("involvedObject");
    }

    @Test
    void convertsColumnsOfDefinitionsPerVersion() {
        StoredObject definition =
                object(
                        "{\"kind\":\"CustomResourceDefinition\","
                                + "\"apiVersion\":\"apiextensions.k8s.io/v1beta1\","
                                + "\"spec\":{\"versions\":[{\"name\":\"v1\"}],"
                                + "\"additionalPrinterColumns\":[{\"JSONPath\":\".a\"}]}}");
        Resource v1 = resource("apiextensions.k8s.io", "v1", "customresourcedefinitions");

        assertThat(converted(v1, definition))
                .contains("\"apiVersion\":\"apiextensions.k8s.io/v1\"")
                .contains("\"versions\":[{\"name\":\"v1\",")
                .contains("\"jsonPath\":\".a\"");
    }

    @Test
    void keepsUnknownAutoscalerFieldsInAnnotations() {
        StoredObject scaler =
                object(
                        "{\"kind\":\"HorizontalPodAutoscaler\",\"apiVersion\":\"autoscaling/v2\","
                                + "\"metadata\":{\"name\":\"s\"},\"spec\":{\"maxReplicas\":5,"
                                + "\"metrics\":[{\"type\":\"Resource\",\"resource\":{"
                                + "\"name\":\"cpu\",\"target\":{\"averageUtilization\":70}}},"
                                + "{\"type\":\"Pods\",\"pods\":{\"metric\":{\"name\":\"rps\"},"
                                + "\"target\":{\"averageValue\":\"10\"}}}]},\"status\":{}}");

        assertThat(converted(resource("autoscaling", "v1", "horizontalpodautoscalers"), scaler))
                .contains("\"targetCPUUtilizationPercentage\":70")
                .contains("autoscaling.alpha.kubernetes.io/metrics")
                .contains("\\\"metricName\\\":\\\"rps\\\",\\\"targetAverageValue\\\":\\\"10\\\"");
    }

    @Test
    void servesAnObjectAsStoredIfItsConversionFails() {
        StoredObject odd =
                object(
                        "{\"kind\":\"Event\",\"metadata\":{\"resourceVersion\":\"7\"},"
                                + "\"apiVersion\":\"v1\",\"x\":"
                                + "[".repeat(950)
                                + "]".repeat(950)
                                + "}");
        Resource events = resource("events.k8s.io", "v1", "events");
        assertThat(ServedVersion.of(events, odd))
                .isInstanceOfSatisfying(
                        ServedVersion.Converted.class,
                        converted ->
                                assertThat(new String(converted.json(1234), StandardCharsets.UTF_8))
                                        .startsWith(
                                                "{\"kind\":\"Event\",\"metadata\":"
                                                    + "{\"resourceVersion\":\"1234\"},"
                                                    + "\"apiVersion\":\"events.k8s.io/v1\",\"x\":"));
    }

    @Test
    void refusesAnObjectWithoutApiVersion() {
        assertThat(
                        ServedVersion.of(
                                resource("", "v1", "pods"), object("{\"a\":[1,{\"b\":\"}\"}]}")))
                .isEqualTo(new ServedVersion.Unservable(""));
    }

    private static String converted(Resource resource, StoredObject object) {
        return ServedVersion.of(resource, object) instanceof ServedVersion.Converted converted
                ? new String(converted.json(object.revision()), StandardCharsets.UTF_8)
                : "not converted";
    }

    private Resource resource(String group, String version, String plural) {
        return builtIn.find(group, version, plural).orElseThrow();
    }

    private static Resource widgets(String version, boolean byName) {
        return new Resource(
                "example.com",
                version,
                "widgets",
                "widget",
                "Widget",
                true,
                true,
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                Bytes.utf8("/registry/example.com/widgets/"),
                new Resource.Conversion("example.com/v1", byName));
    }

    private static StoredObject object(String json) {
        return StoredObjects.of("/registry/x/y", 7, json);
    }
}
