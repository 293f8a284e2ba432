package io.tidemark.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connector.value.KubernetesKeys;
import io.tidemark.connector.value.KubernetesKeys.ExpectedContent;
import io.tidemark.harness.Recording;
import io.tidemark.query.catalog.BuiltInResources;
import io.tidemark.query.catalog.Resource;
import io.tidemark.record.Bytes;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The connector, which decides where an object must be, and the catalogue, which decides where to
 * look for one, agree.
 */
class KeyLayoutTest {
    private static final Bytes ROOT = Bytes.utf8("/registry/");
    private static final KubernetesKeys KEYS = new KubernetesKeys(ROOT);

    @Test
    void connectorAndCatalogAgreeOnObjectKeys() {
        for (Resource resource : BuiltInResources.all(ROOT)) {
            String below = resource.namespaced() ? "namespace/name" : "name";
            assertThat(KEYS.place(resource.keyPrefix().concat(Bytes.utf8(below))))
                    .as(resource.toString())
                    .isEqualTo(ExpectedContent.OBJECT);
        }
    }

    /** Every other resource is under its plural. */
    @ParameterizedTest
    @CsvSource({
        "nodes,minions",
        "services,services/specs",
        "endpoints,services/endpoints",
        "replicationcontrollers,controllers",
        "ingresses,ingress",
        "customresourcedefinitions,apiextensions.k8s.io/customresourcedefinitions",
        "apiservices,apiregistration.k8s.io/apiservices"
    })
    void exceptionsOfTheLayout(String plural, String directory) {
        assertThat(directories()).containsEntry(plural, directory);
    }

    @Test
    void theExceptionsAreComplete() {
        Map<String, String> exceptions = directories();
        exceptions.entrySet().removeIf(entry -> entry.getKey().equals(entry.getValue()));
        assertThat(exceptions).hasSize(7);
    }

    private static Map<String, String> directories() {
        return BuiltInResources.all(ROOT).stream()
                .collect(
                        Collectors.toMap(
                                Resource::plural,
                                resource ->
                                        resource.keyPrefix()
                                                .utf8()
                                                .replaceAll("^/registry/|/$", ""),
                                (one, other) -> {
                                    assertThat(one).isEqualTo(other);
                                    return one;
                                }));
    }

    @Test
    void classifiesEveryRecordedKey() throws Exception {
        Recording recording = Recording.orSkip();
        Map<ExpectedContent, Long> places =
                recording.history().stream()
                        .map(event -> KEYS.place(Bytes.utf8(event.key())))
                        .collect(Collectors.groupingBy(place -> place, Collectors.counting()));
        // The 92 are of ranges and of the API servers' internal leases.
        assertThat(places)
                .isEqualTo(Map.of(ExpectedContent.OBJECT, 3_682L, ExpectedContent.NO_OBJECT, 92L));
        assertThat(recording.objects())
                .allMatch(served -> KEYS.place(Bytes.utf8(served.key())) == ExpectedContent.OBJECT);
        assertThat(
                        recording.history().stream()
                                .map(Recording.Event::key)
                                .filter(key ->
                                        KEYS.place(Bytes.utf8(key)) == ExpectedContent.NO_OBJECT)
                                .map(key -> key.split("/")[2])
                                .distinct())
                .containsExactlyInAnyOrder("ranges", "peerserverleases");
    }
}
