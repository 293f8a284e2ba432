package io.tidemark.query.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.query.QueryNodeFixture;
import io.tidemark.query.testing.HttpClientForTests.Answer;
import io.tidemark.serving.testing.MirroredCluster;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ListHttpTest {
    private static final String ALL = "/api/v1/pods";
    private static final String A = "/api/v1/namespaces/a/pods";

    private MirroredCluster cluster;
    private QueryNodeFixture fixture;

    @BeforeEach
    void startNode() {
        cluster = new MirroredCluster(4, 100);
        cluster.pod("b", "two", Map.of("app", "x"), "n1"); // 101
        cluster.pod("a", "one", Map.of("app", "y"), "n2"); // 102
        cluster.pod("a-b", "three", Map.of("app", "x"), "n1"); // 103
        cluster.pod("a", "one", Map.of("app", "x"), "n1"); // 104
        fixture = new QueryNodeFixture(cluster);
    }

    @AfterEach
    void stopNode() {
        fixture.close();
    }

    private Answer get(String path) throws Exception {
        return fixture.client.get(path);
    }

    @Test
    void listsAllNamespacesInKeyOrderAtOneRevision() throws Exception {
        Answer list = get(ALL);
        assertThat(list.status()).isEqualTo(200);
        assertThat(list.names()).containsExactly("three", "one", "two");
        assertThat(list.resourceVersion()).isEqualTo("104");
        assertThat(list.json().path("kind").asText()).isEqualTo("PodList");
        assertThat(list.header("Cache-Control")).isEqualTo("no-cache, private");
        assertThat(list.header("X-Tidemark-As-Of")).isEqualTo("2026-11-21T10:00:00Z");
    }

    @Test
    void listsOneNamespaceWithoutSimilarNames() throws Exception {
        assertThat(get(A).names()).containsExactly("one");
        assertThat(get("/api/v1/namespaces/nobody/pods").text())
                .isEqualTo(
                        "{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"metadata\":"
                                + "{\"resourceVersion\":\"104\"},\"items\":[]}\n");
    }

    @Test
    void waitsForTheBarrierWithoutResourceVersion() throws Exception {
        int held = cluster.partitionOf("/registry/pods/a/");
        cluster.holdBack(held, true);
        cluster.pod("a", "late", Map.of());
        try (QueryNodeFixture impatient = QueryNodeFixture.impatient(cluster)) {
            // On a busy machine the barrier can come later than the node waits for it.
            Awaitility.await()
                    .untilAsserted(() -> {
                        Answer late = impatient.client.get(A);
                        assertThat(late.status()).isEqualTo(504);
                        assertThat(late.message())
                                .isEqualTo(
                                        "Timeout: Too large resource version: 105, current: 104");
                        assertThat(late.header("Retry-After")).isEqualTo("1");
                        assertThat(late.json().at("/details/causes/0/reason").asText())
                                .isEqualTo("ResourceVersionTooLarge");
                    });
        }
        cluster.holdBack(held, false);
        assertThat(get(A).names()).containsExactly("late", "one");
    }

    @Test
    void refusesConsistentReadsWithoutEtcdButServesOlderOnes() throws Exception {
        cluster.loseEtcd(true);
        try (QueryNodeFixture impatient = QueryNodeFixture.impatient(cluster)) {
            // On a busy machine the reason can come later than the node waits for it.
            Awaitility.await()
                    .untilAsserted(() -> {
                        Answer now = impatient.client.get(A);
                        assertThat(now.status()).isEqualTo(504);
                        assertThat(now.message()).contains("etcd is away");
                    });
        }
        assertThat(get(A + "?resourceVersion=0").status()).isEqualTo(200);
        assertThat(get(A + "?resourceVersion=104").status()).isEqualTo(200);
    }

    @Test
    void refusesATokenOfAnotherHistory() throws Exception {
        Answer first = get(ALL + "?limit=1");
        cluster.relist(true);
        cluster.pod("b", "new", Map.of());
        cluster.pod("b", "newer", Map.of());
        Answer expired = get(ALL + "?limit=1&continue=" + first.continueToken());
        assertThat(expired.status()).isEqualTo(410);
        assertThat(expired.message()).startsWith("The provided continue parameter is too old ");
        assertThat(get(ALL + "?limit=1&continue=" + expired.continueToken()).status())
                .isEqualTo(200);
        Answer again = get(ALL + "?limit=1");
        Answer next = get(ALL + "?limit=1&continue=" + again.continueToken());
        assertThat(next.status()).isEqualTo(200);
        assertThat(next.resourceVersion()).isEqualTo(again.resourceVersion());
    }

    @Test
    void servesAnExactPastRevision() throws Exception {
        Answer past = get(ALL + "?resourceVersion=102&resourceVersionMatch=Exact");
        assertThat(past.resourceVersion()).isEqualTo("102");
        assertThat(past.names()).containsExactly("one", "two");
        assertThat(past.json().at("/items/0/metadata/resourceVersion").asText()).isEqualTo("102");
        Answer legacy = get(ALL + "?resourceVersion=101&limit=5");
        assertThat(legacy.resourceVersion()).isEqualTo("101");
        assertThat(legacy.names()).containsExactly("two");
        assertThat(get(ALL + "?resourceVersion=101").resourceVersion()).isEqualTo("104");
    }

    @Test
    void refusesBelowTheFloorWith410AndAboveTheWatermarkWith504() throws Exception {
        Answer expired = get(ALL + "?resourceVersion=50&resourceVersionMatch=Exact");
        assertThat(expired.status()).isEqualTo(410);
        assertThat(expired.text())
                .isEqualTo(
                        "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":"
                                + "\"Failure\",\"message\":\"The resourceVersion for the provided"
                                + " list is too old.\",\"reason\":\"Expired\",\"code\":410}\n");
        try (QueryNodeFixture impatient = QueryNodeFixture.impatient(cluster)) {
            for (String match : new String[] {"", "&resourceVersionMatch=Exact", "&limit=3"}) {
                Answer future = impatient.client.get(ALL + "?resourceVersion=1000" + match);
                assertThat(future.status()).isEqualTo(504);
                assertThat(future.message())
                        .isEqualTo("Timeout: Too large resource version: 1000, current: 104");
            }
        }
    }

    @Test
    void servesAllPagesAtOneRevisionDespiteWrites() throws Exception {
        Answer first = get(ALL + "?limit=1");
        assertThat(first.names()).containsExactly("three");
        assertThat(first.json().at("/metadata/remainingItemCount").asInt()).isEqualTo(2);
        cluster.pod("a", "zero", Map.of());
        cluster.delete(MirroredCluster.podKey("b", "two"));
        Answer second = get(ALL + "?limit=1&continue=" + first.continueToken());
        assertThat(second.names()).containsExactly("one");
        assertThat(second.resourceVersion()).isEqualTo("104");
        assertThat(second.json().at("/metadata/remainingItemCount").asInt()).isEqualTo(1);
        Answer last = get(ALL + "?limit=1&continue=" + second.continueToken());
        assertThat(last.names()).containsExactly("two");
        assertThat(last.continueToken()).isEmpty();
        assertThat(get(ALL).names()).containsExactly("three", "one", "zero");
    }

    @Test
    void sharesTheCountOfAPageOnlyWithListsOfTheSameScope() throws Exception {
        cluster.pod("a", "zero", Map.of());
        Answer exact = get(A + "?limit=1&fieldSelector=metadata.name%3Done");
        assertThat(exact.names()).containsExactly("one");
        assertThat(exact.continueToken()).isEmpty();
        for (int client = 0; client < 2; client++) {
            Answer first = get(A + "?limit=1");
            assertThat(first.names()).containsExactly("one");
            assertThat(first.json().at("/metadata/remainingItemCount").asInt()).isEqualTo(1);
            assertThat(get(A + "?limit=1&continue=" + first.continueToken()).names())
                    .containsExactly("zero");
        }
    }

    @Test
    void offersAFreshTokenForAnExpiredOne() throws Exception {
        Answer first = get(ALL + "?limit=1");
        cluster.elsewhere(10);
        cluster.relist(false);
        cluster.pod("b", "two", Map.of());
        Answer expired = get(ALL + "?limit=1&continue=" + first.continueToken());
        assertThat(expired.status()).isEqualTo(410);
        assertThat(expired.message()).startsWith("The provided continue parameter is too old ");
        Answer fresh = get(ALL + "?continue=" + expired.continueToken());
        assertThat(fresh.status()).isEqualTo(200);
        assertThat(fresh.names()).containsExactly("two");
        assertThat(fresh.resourceVersion()).isEqualTo("115");
    }

    @Test
    void filtersBySelectors() throws Exception {
        assertThat(get(ALL + "?labelSelector=app%3Dx").names())
                .containsExactly("three", "one", "two");
        assertThat(get(ALL + "?labelSelector=app%3Dy").names()).isEmpty();
        assertThat(get(ALL + "?fieldSelector=spec.nodeName%3Dn1").names()).hasSize(3);
        assertThat(get(ALL + "?fieldSelector=metadata.namespace%3Da").names())
                .containsExactly("one");
        assertThat(get(A + "?fieldSelector=metadata.name%3Done").names()).containsExactly("one");
        assertThat(get(A + "?fieldSelector=metadata.name%3Dtwo").names()).isEmpty();
        assertThat(
                        get(ALL
                                        + "?resourceVersion=102&resourceVersionMatch=Exact"
                                        + "&labelSelector=app%3Dy")
                                .names())
                .containsExactly("one");
    }

    @Test
    void mayEndALimitedSelectiveListWithAnEmptyPage() throws Exception {
        String query = ALL + "?limit=1&labelSelector=app%3Dx";
        Answer page = get(query);
        int objects = page.names().size();
        int pages = 1;
        while (!page.continueToken().isEmpty()) {
            assertThat(page.json().at("/metadata/remainingItemCount").isMissingNode()).isTrue();
            page = get(query + "&continue=" + page.continueToken());
            objects += page.names().size();
            pages++;
        }
        assertThat(objects).isEqualTo(3);
        assertThat(pages).isLessThanOrEqualTo(4);
    }

    @Test
    void leavesOutUnreadableObjects() throws Exception {
        cluster.raw(MirroredCluster.podKey("a", "broken"), new byte[] {1, 2}, "no JSON");
        assertThat(get(A).names()).containsExactly("one");
    }

    @Test
    void ignoresTheLimitAndDoesNotWaitAtResourceVersionZero() throws Exception {
        cluster.loseEtcd(true);
        Answer any = get(ALL + "?resourceVersion=0&limit=1");
        assertThat(any.names()).hasSize(3);
        assertThat(any.continueToken()).isEmpty();
    }

    @Test
    void getsOneObject() throws Exception {
        Answer one = get(A + "/one");
        assertThat(one.status()).isEqualTo(200);
        assertThat(one.resourceVersion()).isEqualTo("104");
        assertThat(one.text()).endsWith("}\n");
        Answer none = get(A + "/nobody");
        assertThat(none.status()).isEqualTo(404);
        assertThat(none.text())
                .isEqualTo(
                        "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":"
                                + "\"Failure\",\"message\":\"pods \\\"nobody\\\" not found\","
                                + "\"reason\":\"NotFound\",\"details\":{\"name\":\"nobody\","
                                + "\"kind\":\"pods\"},\"code\":404}\n");
        try (QueryNodeFixture impatient = QueryNodeFixture.impatient(cluster)) {
            assertThat(impatient.client.get(A + "/one?resourceVersion=1000").status())
                    .isEqualTo(504);
        }
        assertThat(get(A + "/one?resourceVersion=101").resourceVersion()).isEqualTo("104");
    }

    @Test
    void takesANewBarrierForEachListInTurn() throws Exception {
        int before = cluster.barriersTaken();
        for (int i = 0; i < 5; i++) {
            assertThat(get(A).status()).isEqualTo(200);
        }
        assertThat(cluster.barriersTaken() - before).isEqualTo(5);
    }

    @Test
    void rendersTablesAndYaml() throws Exception {
        Answer table =
                fixture.client.get(A, "Accept", "application/json;as=Table;v=v1;g=meta.k8s.io");
        assertThat(table.json().path("kind").asText()).isEqualTo("Table");
        assertThat(table.json().at("/rows/0/cells/0").asText()).isEqualTo("one");
        Answer yaml = fixture.client.get(A + "/one", "Accept", "application/yaml");
        assertThat(yaml.text()).contains("kind: Pod");
    }
}
