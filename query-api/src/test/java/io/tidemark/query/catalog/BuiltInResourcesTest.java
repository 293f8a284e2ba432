package io.tidemark.query.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.record.Bytes;
import java.util.List;
import org.junit.jupiter.api.Test;

class BuiltInResourcesTest {
    private final Catalog catalog =
            FixedCatalog.of(BuiltInResources.under(Bytes.utf8("/registry/")));

    @Test
    void definesPods() {
        Resource pods = catalog.find("", "v1", "pods").orElseThrow();

        assertThat(pods.keyPrefix().utf8()).isEqualTo("/registry/pods/");
        assertThat(pods.kind()).isEqualTo("Pod");
        assertThat(pods.namespaced()).isTrue();
        assertThat(pods.shortNames()).containsExactly("po");
        assertThat(pods.categories()).containsExactly("all");
        assertThat(pods.selectableFields()).contains("spec.nodeName", "status.phase");
        assertThat(pods.columns().getFirst().name()).isEqualTo("Name");
    }

    @Test
    void keepsHistoricalDirectoryNames() {
        assertThat(prefixOf("", "v1", "nodes")).isEqualTo("/registry/minions/");
        assertThat(prefixOf("", "v1", "services")).isEqualTo("/registry/services/specs/");
        assertThat(prefixOf("", "v1", "endpoints")).isEqualTo("/registry/services/endpoints/");
        assertThat(prefixOf("networking.k8s.io", "v1", "ingresses"))
                .isEqualTo("/registry/ingress/");
        assertThat(prefixOf("apiregistration.k8s.io", "v1", "apiservices"))
                .isEqualTo("/registry/apiregistration.k8s.io/apiservices/");
        assertThat(prefixOf("apps", "v1", "deployments")).isEqualTo("/registry/deployments/");
        assertThat(prefixOf("events.k8s.io", "v1", "events")).isEqualTo("/registry/events/");
    }

    @Test
    void ordersVersionsByPreference() {
        List<String> versions =
                catalog.resources().stream()
                        .filter(resource -> resource.group().equals("autoscaling"))
                        .map(Resource::version)
                        .toList();

        assertThat(versions).containsExactly("v2", "v1");
    }

    @Test
    void definesEveryResourceCompletely() {
        assertThat(catalog.resources())
                .hasSizeGreaterThan(55)
                .allSatisfy(resource -> {
                    assertThat(resource.kind()).isNotEmpty();
                    assertThat(resource.singular()).isNotEmpty();
                    assertThat(resource.custom()).isFalse();
                    assertThat(resource.columns())
                            .allSatisfy(column -> {
                                assertThat(column.path()).isNotEmpty();
                                assertThat(column.type()).isNotEmpty();
                            });
                });
    }

    private String prefixOf(String group, String version, String plural) {
        return catalog.find(group, version, plural).orElseThrow().keyPrefix().utf8();
    }
}
