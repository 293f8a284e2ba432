package io.tidemark.query.discovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.query.catalog.BuiltInResources;
import io.tidemark.query.catalog.Catalog;
import io.tidemark.query.catalog.CustomResources;
import io.tidemark.query.catalog.FixedCatalog;
import io.tidemark.query.catalog.Resource;
import io.tidemark.query.discovery.Discovery.DiscoveryResponse;
import io.tidemark.record.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DiscoveryTest {
    private static final Bytes PREFIX = Bytes.utf8("/registry/");
    private static final String AGGREGATED =
            "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
    private static final String CLIENT_GO =
            AGGREGATED
                    + ",application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList"
                    + ",application/json";

    private final Discovery discovery = new Discovery("v1.36.0", "127.0.0.1:8080");
    private final Catalog catalog = catalog("v1", "v2beta1");

    @Test
    void listsVersionsAndGroupsAtTheRoots() {
        assertThat(body("/api"))
                .isEqualTo(
                        "{\"kind\":\"APIVersions\",\"versions\":[\"v1\"],"
                                + "\"serverAddressByClientCIDRs\":[{\"clientCIDR\":\"0.0.0.0/0\","
                                + "\"serverAddress\":\"127.0.0.1:8080\"}]}\n");
        assertThat(body("/apis/"))
                .startsWith("{\"kind\":\"APIGroupList\",\"apiVersion\":\"v1\",\"groups\":[")
                .doesNotContain("\"name\":\"\"");
        assertThat(body("/apis/example.com"))
                .isEqualTo(
                        "{\"kind\":\"APIGroup\",\"apiVersion\":\"v1\",\"name\":\"example.com\","
                                + "\"versions\":[{\"groupVersion\":\"example.com/v1\","
                                + "\"version\":\"v1\"},{\"groupVersion\":\"example.com/v2beta1\","
                                + "\"version\":\"v2beta1\"}],\"preferredVersion\":"
                                + "{\"groupVersion\":\"example.com/v1\",\"version\":\"v1\"}}\n");
    }

    @Test
    void listsResourcesOfAVersion() {
        assertThat(body("/apis/coordination.k8s.io/v1"))
                .isEqualTo(
                        "{\"kind\":\"APIResourceList\",\"apiVersion\":\"v1\",\"groupVersion\":\"coordination.k8s.io/v1\",\"resources\":[{\"name\":\"leases\",\"singularName\":\"lease\",\"namespaced\":true,\"kind\":\"Lease\",\"verbs\":[\"create\",\"delete\",\"deletecollection\",\"get\",\"list\",\"patch\",\"update\",\"watch\"],\"storageVersionHash\":\"gqkMMb/YqFM=\"}]}\n");
    }

    @Test
    void servesACacheableAggregatedDocument() {
        DiscoveryResponse first = answer("/apis", CLIENT_GO, "");
        String etag = first.headers().get("ETag");

        assertThat(first.contentType()).isEqualTo(AGGREGATED);
        assertThat(first.headers()).containsEntry("Vary", "Accept");
        assertThat(new String(first.body(), StandardCharsets.UTF_8))
                .contains("\"metadata\":{\"name\":\"example.com\"}")
                .contains("\"responseKind\":{\"group\":\"\",\"version\":\"\",\"kind\":\"Lease\"}")
                .endsWith("\"freshness\":\"Current\"}]}]}\n");
        assertThat(answer("/apis", CLIENT_GO, etag))
                .satisfies(answer -> {
                    assertThat(answer.status()).isEqualTo(304);
                    assertThat(answer.body()).isEmpty();
                });
        assertThat(discovery.answer(catalog("v1"), "/apis", CLIENT_GO, etag).orElseThrow().status())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource({
        "/api, true",
        "/apis, true",
        "/openapi/v3, false",
        "/openapi/v3/apis/example.com/v1, false"
    })
    void makesADocumentOfACatalogueOnce(String path, boolean aggregated) {
        String accept = aggregated ? AGGREGATED : "";
        byte[] first = answer(path, accept, "").body();
        assertThat(discovery.answer(catalog("v1"), path, accept, "")).isPresent();
        assertThat(answer(path, accept, "").body()).isSameAs(first);
    }

    @Test
    void reportsTheConfiguredVersion() {
        assertThat(body("/version"))
                .startsWith("{\n  \"major\": \"1\",\n  \"minor\": \"36\",")
                .contains("\"gitVersion\": \"v1.36.0\"");
        assertThatThrownBy(() -> new Discovery("1.36"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void doesNotHandleUnknownPaths() {
        for (String path :
                List.of(
                        "/nope",
                        "/apis/nope.example.com",
                        "/apis/example.com/v9",
                        "/api/v1/pods",
                        "/apis/apps/v1/deployments",
                        "/apis/a/b/c/d",
                        "",
                        "/openapi/v2")) {
            assertThat(discovery.answer(catalog, path, "", "")).as(path).isEmpty();
        }
        assertThatThrownBy(() -> discovery.answer(catalog, "/apis/apps/v9", "", ""))
                .hasMessage("the server could not find the requested resource");
        assertThatThrownBy(() -> discovery.answer(catalog, "/api", "text/html", ""))
                .hasMessageStartingWith("406: Not Acceptable");
        assertThatThrownBy(() -> discovery.answer(catalog, "/apis/apps", AGGREGATED, ""))
                .hasMessageStartingWith("only the following media types");
    }

    @Test
    void listsKindsThatAreOnlyCreatedAndSubresources() {
        assertThat(body("/apis")).contains("{\"name\":\"authorization.k8s.io\",\"versions\":");
        assertThat(body("/apis/authorization.k8s.io/v1"))
                .contains(
                        "{\"name\":\"subjectaccessreviews\",\"singularName\":"
                                + "\"subjectaccessreview\",\"namespaced\":false,"
                                + "\"kind\":\"SubjectAccessReview\",\"verbs\":[\"create\"]}");
        assertThat(body("/api/v1"))
                .contains("{\"name\":\"bindings\",")
                .contains(
                        "{\"name\":\"pods/eviction\",\"singularName\":\"\",\"namespaced\":true,"
                                + "\"group\":\"policy\",\"version\":\"v1\",\"kind\":\"Eviction\","
                                + "\"verbs\":[\"create\"]}")
                .contains(
                        "{\"name\":\"pods/status\",\"singularName\":\"\",\"namespaced\":true,"
                                + "\"kind\":\"Pod\",\"verbs\":[\"get\",\"patch\",\"update\"]}")
                .doesNotContain("componentstatuses");
    }

    @Test
    void reportsTheRequestedHostUnlessConfigured() {
        Discovery.DiscoveryRequest ask =
                new Discovery.DiscoveryRequest("", "", "node.example:1", false);
        Discovery unnamed = new Discovery("v1.36.0");
        assertThat(text(unnamed.find(catalog, "/api").orElseThrow().answer().apply(ask)))
                .contains("\"serverAddress\":\"node.example:1\"");
        assertThat(text(discovery.find(catalog, "/api").orElseThrow().answer().apply(ask)))
                .contains("\"serverAddress\":\"127.0.0.1:8080\"");
    }

    @Test
    void restrictsMethodsWhereTheApiServerDoes() {
        for (String path : List.of("/api", "/api/v1", "/apis/apps/v1", "/version")) {
            assertThat(discovery.find(catalog, path).orElseThrow().getOnly()).as(path).isTrue();
        }
        for (String path : List.of("/", "/apis", "/apis/apps", "/apis/example.com/v1")) {
            assertThat(discovery.find(catalog, path).orElseThrow().getOnly()).as(path).isFalse();
        }
        assertThatThrownBy(() -> discovery.answer(catalog, "/apis/apps", "text/html", ""))
                .hasMessageStartingWith("only the following media types");
        assertThatThrownBy(() -> discovery.answer(catalog, "/apis/apps/v1", "text/html", ""))
                .hasMessageStartingWith("406: Not Acceptable");
    }

    @Test
    void listsOnlyWhatIsTurnedOn() {
        assertThat(body("/apis")).doesNotContain("alpha", "k8s.io/v1beta", "storagemigration");
        assertThat(discovery.find(catalog, "/apis/storagemigration.k8s.io")).isEmpty();
        assertThat(discovery.find(catalog, "/apis/storagemigration.k8s.io/v1beta1")).isEmpty();
        assertThatThrownBy(() -> discovery.find(catalog, "/apis/resource.k8s.io/v1beta1"))
                .hasMessage("the server could not find the requested resource");

        Catalog all = FixedCatalog.of(BuiltInResources.all(PREFIX));
        assertThat(body(all, "/apis"))
                .contains(
                        "{\"name\":\"resource.k8s.io\",\"versions\":["
                                + "{\"groupVersion\":\"resource.k8s.io/v1\",\"version\":\"v1\"},"
                                + "{\"groupVersion\":\"resource.k8s.io/v1beta2\","
                                + "\"version\":\"v1beta2\"},"
                                + "{\"groupVersion\":\"resource.k8s.io/v1beta1\","
                                + "\"version\":\"v1beta1\"},"
                                + "{\"groupVersion\":\"resource.k8s.io/v1alpha3\","
                                + "\"version\":\"v1alpha3\"}],"
                                + "\"preferredVersion\":{\"groupVersion\":\"resource.k8s.io/v1\"",
                        "\"name\":\"internal.apiserver.k8s.io\"",
                        "\"name\":\"storagemigration.k8s.io\"");
        assertThat(discovery.find(all, "/apis/storagemigration.k8s.io/v1beta1")).isPresent();
        for (Resource resource : all.resources()) {
            String root = resource.group().isEmpty() ? "/api/" : "/apis/";
            assertThat(body(all, root + resource.apiVersion()))
                    .contains("{\"name\":\"" + resource.plural() + "\"");
            assertThat(body(all, "/openapi/v3" + root + resource.apiVersion()))
                    .contains("\"kind\":\"" + resource.kind() + "\"");
        }
    }

    /** With the hashes that API servers send, which are those of the stored version. */
    @ParameterizedTest
    @CsvSource({
        "certificates.k8s.io/v1beta1, clustertrustbundles, v5yhuVertL4=",
        "certificates.k8s.io/v1beta1, podcertificaterequests, wYA9yXQH8fg=",
        "internal.apiserver.k8s.io/v1alpha1, storageversions, c8YZt5U0nPk=",
        "resource.k8s.io/v1alpha3, devicetaintrules, DJ3UJ0fj8MI=",
        "resource.k8s.io/v1alpha3, resourcepoolstatusrequests, iy583CtMwdY=",
        "scheduling.k8s.io/v1alpha2, podgroups, YYgX3v5V204=",
        "scheduling.k8s.io/v1alpha2, workloads, vSX7gJe5Mx8="
    })
    void namesTheStoredVersionByItsHash(String version, String plural, String hash) {
        Catalog all = FixedCatalog.of(BuiltInResources.all(PREFIX));
        assertThat(body(all, "/apis/" + version))
                .containsPattern(
                        "\\{\"name\":\"" + plural + "\"[^}]*\"" + Pattern.quote(hash) + "\"}");
    }

    @Test
    void listsPathsAtTheRoot() {
        assertThat(body("/")).contains("\"/apis/example.com/v1\"", "\"/api/v1\"", "\"/readyz\"");
    }

    private String body(String path) {
        return text(answer(path, "", ""));
    }

    private String body(Catalog served, String path) {
        return text(discovery.answer(served, path, "", "").orElseThrow());
    }

    private static String text(DiscoveryResponse answer) {
        return new String(answer.body(), StandardCharsets.UTF_8);
    }

    private DiscoveryResponse answer(String path, String accept, String ifNoneMatch) {
        return discovery.answer(catalog, path, accept, ifNoneMatch).orElseThrow();
    }

    private static Catalog catalog(String... versions) {
        List<Resource> resources = new ArrayList<>(BuiltInResources.under(PREFIX));
        StringBuilder list = new StringBuilder();
        for (String version : versions) {
            list.append(list.isEmpty() ? "" : ",")
                    .append("{\"name\":\"%s\",\"served\":true}".formatted(version));
        }
        resources.addAll(
                CustomResources.of(
                        ("{\"metadata\":{\"name\":\"widgets.example.com\"},\"spec\":{\"group\":"
                                        + "\"example.com\",\"names\":{\"plural\":\"widgets\","
                                        + "\"kind\":\"Widget\"},\"versions\":["
                                        + list
                                        + "]}}")
                                .getBytes(StandardCharsets.UTF_8),
                        PREFIX));
        return FixedCatalog.of(resources);
    }
}
