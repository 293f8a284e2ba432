package io.tidemark.query.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.query.QueryNodeFixture;
import io.tidemark.query.testing.FakeCallers;
import io.tidemark.query.testing.HttpClientForTests.Answer;
import io.tidemark.query.testing.Rights;
import io.tidemark.query.wire.ContinueToken;
import io.tidemark.serving.testing.MirroredCluster;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An answer at a revision obeys the rules as of that revision or later, through every door. */
class RevocationHttpTest {
    private final MirroredCluster cluster = new MirroredCluster(8, 100);
    private final Rights rights = new Rights(cluster);
    private String namespace = "";
    private QueryNodeFixture fixture;

    @BeforeEach
    void start() {
        int number = 0;
        int rules;
        int pods;
        do {
            namespace = "ns-" + number++;
            rules = cluster.partitionOf("/registry/rolebindings/" + namespace + "/");
            pods = cluster.partitionOf("/registry/pods/" + namespace + "/");
        } while (rules == pods);
        cluster.pod(namespace, "p", Map.of());
        rights.grant("ann", namespace, "get,list,watch,history", "pods");
        rights.grantPaths("ann", "get,history", "/kv/*");
        fixture = start(Duration.ofMinutes(1));
    }

    /** Waits until the node has read the rules: before, it may refuse a request. */
    private QueryNodeFixture start(Duration patience) {
        QueryNodeFixture started =
                new QueryNodeFixture(
                        cluster,
                        config ->
                                config.withTimes(config.times().withFreshness(patience))
                                        .withAccess(
                                                new FakeCallers()
                                                        .with("ann")
                                                        .underMirroredRules()));
        String readable = "/api/v1/namespaces/" + namespace + "/pods";
        await().until(() -> get(started, readable).status() == 200);
        return started;
    }

    @AfterEach
    void stop() {
        fixture.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/v1/namespaces/NS/pods",
                "/api/v1/namespaces/NS/pods?resourceVersion=0",
                "/api/v1/namespaces/NS/pods?resourceVersion=RV",
                "/api/v1/namespaces/NS/pods?resourceVersion=RV&resourceVersionMatch=Exact",
                "/api/v1/namespaces/NS/pods?limit=1&resourceVersion=RV",
                "/api/v1/namespaces/NS/pods?at=NOW",
                "/api/v1/namespaces/NS/pods?limit=1&continue=TOKEN",
                "/api/v1/namespaces/NS/pods/p",
                "/api/v1/namespaces/NS/pods/p?resourceVersion=0",
                "/api/v1/namespaces/NS/pods/p?resourceVersion=RV&resourceVersionMatch=Exact",
                "/api/v1/namespaces/NS/pods/p?at=NOW",
                "/api/v1/namespaces/NS/pods/p?history=true",
                "/kv/registry/pods/NS/",
                "/kv/registry/pods/NS/p",
                "/kv/registry/pods/NS/p?history=true"
            })
    void waitsForTheRulesAndObeysThem(String door) throws Exception {
        String list = "/api/v1/namespaces/" + namespace + "/pods";
        cluster.pod(namespace, "q", Map.of());
        Answer first = get(list + "?limit=1");
        assertThat(first.status()).as(first.text()).isEqualTo(200);
        String path =
                door.replace("NS", namespace)
                        .replace("RV", first.resourceVersion())
                        .replace("NOW", cluster.clock().instant().toString())
                        .replace("TOKEN", first.continueToken());
        cluster.advance(Duration.ofSeconds(1));
        cluster.elsewhere(1);
        assertThat(get(path).status()).as(path).isEqualTo(200);

        int rules = cluster.partitionOf("/registry/rolebindings/" + namespace + "/");
        try (QueryNodeFixture impatient = start(Duration.ofMillis(500))) {
            cluster.holdBack(rules, true);
            rights.revoke("ann", namespace, "get,list,watch,history", "pods");
            cluster.pod(namespace, "secret-plan", Map.of());
            Answer unknown = get(impatient, path);
            assertThat(unknown.status()).as(unknown.text()).isEqualTo(504);
            assertThat(unknown.text()).doesNotContain("secret-plan");
            assertThat(unknown.header("X-Tidemark-As-Of")).isEmpty();
        }

        cluster.holdBack(rules, false);
        Answer refused = get(path);
        assertThat(refused.status()).as(refused.text()).isEqualTo(403);
    }

    /** The rules are known at the token's revision, not at the position that it names. */
    @Test
    void aForgedTokenOfChangesShowsNothingBeyondTheKnownRules() throws Exception {
        int rules = cluster.partitionOf("/registry/rolebindings/" + namespace + "/");
        long known = cluster.revision();
        cluster.holdBack(rules, true);
        rights.revoke("ann", namespace, "get,list,watch,history", "pods");
        cluster.pod(namespace, "secret-plan", Map.of());
        long beyond = cluster.elsewhere(1);
        String token = new ContinueToken(known, (known - 1) + "." + beyond + ".0", 1).encode();
        Answer answer = get("/changes?resource=pods&namespace=" + namespace + "&continue=" + token);
        assertThat(answer.text()).doesNotContain("secret-plan");
        assertThat(answer.status()).as(answer.text()).isEqualTo(400);
    }

    /** The request was allowed when it came, and its right ended while it waited. */
    @Test
    void judgesAgainOnceTheRulesAreKnown() throws Exception {
        int rules = cluster.partitionOf("/registry/rolebindings/" + namespace + "/");
        String path = fixture.url + "/api/v1/namespaces/" + namespace + "/pods";
        HttpRequest list =
                HttpRequest.newBuilder(URI.create(path))
                        .header("Authorization", "Bearer ann")
                        .build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            assertThat(client.send(list, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
            cluster.holdBack(rules, true);
            rights.revoke("ann", namespace, "get,list,watch,history", "pods");
            cluster.pod(namespace, "secret-plan", Map.of());
            int barriers = cluster.barriersTaken();
            CompletableFuture<HttpResponse<String>> answer =
                    client.sendAsync(list, BodyHandlers.ofString());
            await().until(() -> cluster.barriersTaken() > barriers);
            assertThat(answer.isDone()).isFalse();
            cluster.holdBack(rules, false);
            assertThat(answer.get(3, TimeUnit.MINUTES).statusCode()).isEqualTo(403);
        }
    }

    private Answer get(String path) throws Exception {
        return get(fixture, path);
    }

    private static Answer get(QueryNodeFixture node, String path) throws Exception {
        return node.client.get(path, "Authorization", "Bearer ann");
    }
}
