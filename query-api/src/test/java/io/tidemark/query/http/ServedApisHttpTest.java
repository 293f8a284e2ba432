package io.tidemark.query.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.query.QueryConfig;
import io.tidemark.query.QueryNodeFixture;
import io.tidemark.query.catalog.LiveCatalog;
import io.tidemark.query.catalog.ServedApis;
import io.tidemark.query.testing.HttpClientForTests.Answer;
import io.tidemark.serving.testing.MirroredCluster;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Alpha and beta APIs exist for clients when they are turned on. */
class ServedApisHttpTest {
    private static final String CANDIDATES =
            "/apis/coordination.k8s.io/v1beta1/namespaces/n/leasecandidates";
    private static final String MIGRATIONS =
            "/apis/storagemigration.k8s.io/v1beta1/storageversionmigrations";
    private static final String BUNDLES = "/apis/certificates.k8s.io/v1beta1/clustertrustbundles";

    private final MirroredCluster cluster = new MirroredCluster(3, 100);
    private AutoCloseable catalog = () -> {};
    private AutoCloseable node = () -> {};

    private QueryNodeFixture serving(ServedApis apis) {
        LiveCatalog live =
                new LiveCatalog(
                        cluster, QueryConfig.DEFAULT_PREFIX, false, apis, resource -> resource);
        catalog = live;
        live.start();
        await().until(live::ready);
        QueryNodeFixture fixture = new QueryNodeFixture(cluster, config -> config, live::current);
        node = fixture;
        return fixture;
    }

    @AfterEach
    void stop() throws Exception {
        node.close();
        catalog.close();
    }

    private void write(String key, String apiVersion, String kind, String name, String spec) {
        cluster.put(
                key,
                at ->
                        """
                        {"kind":"%s","apiVersion":"%s","metadata":{"name":"%s",\
                        "resourceVersion":"%d"},"spec":%s}\
                        """
                                .formatted(kind, apiVersion, name, at, spec));
    }

    @Test
    void areUnknownByDefault() throws Exception {
        write(
                "/registry/leasecandidates/n/c",
                "coordination.k8s.io/v1beta1",
                "LeaseCandidate",
                "c",
                "{\"leaseName\":\"l\"}");
        QueryNodeFixture fixture = serving(ServedApis.DEFAULT);

        Answer inAServedGroup = fixture.client.get(CANDIDATES);
        assertThat(inAServedGroup.status()).isEqualTo(404);
        assertThat(inAServedGroup.json().path("kind").asText()).isEqualTo("Status");
        Answer inNoGroup = fixture.client.get(MIGRATIONS);
        assertThat(inNoGroup.status()).isEqualTo(404);
        assertThat(inNoGroup.text()).isEqualTo("404 page not found\n");
    }

    @Test
    void areServedWhenTurnedOn() throws Exception {
        write(
                "/registry/leasecandidates/n/c",
                "coordination.k8s.io/v1beta1",
                "LeaseCandidate",
                "c",
                "{\"leaseName\":\"l\"}");
        QueryNodeFixture fixture = serving(ServedApis.parse(List.of("api/alpha", "api/beta")));

        Answer list = fixture.client.get(CANDIDATES);
        assertThat(list.status()).isEqualTo(200);
        assertThat(list.json().path("kind").asText()).isEqualTo("LeaseCandidateList");
        assertThat(list.header("Warning"))
                .isEqualTo(
                        "299 - \"coordination.k8s.io/v1beta1 LeaseCandidate is deprecated in"
                                + " v1.36+, unavailable in v1.39+\"");
        Answer older = fixture.client.get(CANDIDATES.replace("v1beta1", "v1alpha2") + "/c");
        assertThat(older.json().path("apiVersion").asText())
                .isEqualTo("coordination.k8s.io/v1alpha2");
        assertThat(older.json().path("spec").path("leaseName").asText()).isEqualTo("l");
        assertThat(fixture.client.get(MIGRATIONS).json().path("items")).isEmpty();
    }

    @Test
    void selectByTheFieldsOfAnApiServer() throws Exception {
        for (String signer : List.of("one", "two")) {
            write(
                    "/registry/clustertrustbundles/" + signer,
                    "certificates.k8s.io/v1beta1",
                    "ClusterTrustBundle",
                    signer,
                    "{\"signerName\":\"example.com/%s\",\"trustBundle\":\"\"}".formatted(signer));
        }
        QueryNodeFixture fixture =
                serving(ServedApis.parse(List.of("certificates.k8s.io/v1beta1")));

        JsonNode items =
                fixture.client
                        .get(BUNDLES + "?fieldSelector=spec.signerName%3Dexample.com/two")
                        .json()
                        .path("items");
        assertThat(items.findValuesAsText("name")).containsExactly("two");
        Answer refused = fixture.client.get(BUNDLES + "?fieldSelector=metadata.namespace%3Dn");
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.json().path("message").asText())
                .contains("field label not supported: metadata.namespace");
    }

    @Test
    void gaVersionsCanBeTurnedOff() throws Exception {
        QueryNodeFixture fixture =
                serving(ServedApis.parse(List.of("policy/v1=false", "v1/nodes=false")));

        assertThat(fixture.client.get("/apis/policy/v1/poddisruptionbudgets").text())
                .isEqualTo("404 page not found\n");
        assertThat(fixture.client.get("/apis").text()).doesNotContain("\"policy\"");
        assertThat(fixture.client.get("/api/v1/nodes").status()).isEqualTo(404);
        assertThat(fixture.client.get("/api/v1/pods").status()).isEqualTo(200);
    }
}
