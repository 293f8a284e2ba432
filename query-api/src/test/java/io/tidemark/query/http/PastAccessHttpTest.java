package io.tidemark.query.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.query.QueryNodeFixture;
import io.tidemark.query.testing.FakeCallers;
import io.tidemark.query.testing.HttpClientForTests.Answer;
import io.tidemark.query.testing.HttpClientForTests.Watch;
import io.tidemark.query.testing.Rights;
import io.tidemark.serving.testing.MirroredCluster;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** All doors to the past: beyond five minutes each needs the verb history. */
class PastAccessHttpTest {
    private static final String PODS = "/api/v1/namespaces/blue/pods";

    private final MirroredCluster cluster = new MirroredCluster(4, 100);
    private final Rights rights = new Rights(cluster);
    private final FakeCallers callers =
            new FakeCallers().with("ann").with("old").with("agent").with("historian");
    private QueryNodeFixture fixture;

    /** Seven minutes ago; a change each minute follows. */
    private Instant longAgo;

    private long before;
    private Instant recent;
    private long since;
    private String token;

    @BeforeEach
    void start() throws Exception {
        grantAll();
        cluster.pod("blue", "one", Map.of());
        secret("first");
        before = cluster.pod("blue", "two", Map.of());
        fixture =
                new QueryNodeFixture(
                        cluster,
                        config ->
                                config.withSecrets(config.kubernetesRoots(), true)
                                        .withAccess(callers.underMirroredRules()));
        token = as("ann", PODS + "?limit=1").continueToken();
        longAgo = cluster.clock().instant();
        for (int minute = 1; minute <= 7; minute++) {
            cluster.advance(Duration.ofMinutes(1));
            since = cluster.pod("blue", "p" + minute, Map.of());
            if (minute == 4) {
                recent = cluster.clock().instant();
            }
        }
        secret("second");
        awaitRules();
    }

    private void grantAll() {
        for (String name : new String[] {"ann", "old"}) {
            rights.grant(name, "blue", "get,list,watch", "pods,secrets");
            rights.grantPaths(name, "get", "/kv/*");
        }
        rights.grant("old", "blue", "history", "pods,secrets");
        rights.grantPaths("old", "history", "/kv/*");
    }

    /** The clock has jumped: until the rules are read again they are too old. */
    private void awaitRules() {
        await().until(() -> as("ann", PODS).status() == 200);
    }

    @AfterEach
    void stop() {
        fixture.close();
    }

    private long secret(String value) {
        return cluster.put(
                "/registry/secrets/blue/s",
                at ->
                        """
                        {"kind":"Secret","apiVersion":"v1","metadata":{"name":"s",
                         "namespace":"blue","resourceVersion":"%d"},"data":{"v":"%s"}}\
                        """
                                .formatted(at, value));
    }

    private Answer as(String name, String path) throws IOException, InterruptedException {
        return fixture.client.get(path, "Authorization", "Bearer " + name);
    }

    private void needsHistory(String path) throws Exception {
        Answer refused = as("ann", path);
        assertThat(refused.status()).as(path + refused.text()).isEqualTo(403);
        assertThat(refused.message()).contains("cannot history ");
        assertThat(refused.header("X-Tidemark-As-Of") + refused.header("X-Tidemark-Revision"))
                .isEmpty();
        assertThat(as("old", path).status()).as(path).isEqualTo(200);
    }

    private void isFree(String path) throws Exception {
        assertThat(as("ann", path).status()).as(path).isEqualTo(200);
    }

    @Test
    void statesOfLongAgoNeedTheRight() throws Exception {
        String exact = "?resourceVersion=" + before + "&resourceVersionMatch=Exact";
        needsHistory(PODS + "?at=" + longAgo);
        needsHistory(PODS + exact);
        needsHistory(PODS + "?limit=1&resourceVersion=" + before);
        needsHistory(PODS + "?limit=1&continue=" + token);
        needsHistory(PODS + "/one?at=" + longAgo);
        needsHistory(PODS + "/one" + exact);
        needsHistory(PODS + "/one?history=true");
        needsHistory(PODS + "?watch=1&timeoutSeconds=1&resourceVersion=" + before);
        needsHistory(PODS + "?watch=1&longPoll=true&timeoutSeconds=1&resourceVersion=" + before);
        needsHistory(
                "/api/v1/watch/namespaces/blue/pods?timeoutSeconds=1&resourceVersion=" + before);
        needsHistory(
                PODS
                        + "?watch=1&longPoll=true&timeoutSeconds=1&sendInitialEvents=true"
                        + "&resourceVersion="
                        + before);
        needsHistory("/at/" + longAgo + PODS);
        needsHistory("/at/" + before + PODS);
        needsHistory("/at/-6m" + PODS + "/one");
        needsHistory("/at/" + before + "/kv/registry/pods/blue/one");
        needsHistory("/at/" + before + PODS + "?watch=1&longPoll=true&timeoutSeconds=1");
        needsHistory("/replay/" + longAgo + PODS);
        needsHistory("/changes?resource=pods&namespace=blue&from=" + before);
        needsHistory("/changes?resource=pods&namespace=blue");
        needsHistory("/changes?resource=pods&namespace=blue&name=one&to=" + before);
        needsHistory(
                "/changes?resource=pods&namespace=blue&watch=1&timeoutSeconds=1&from=" + before);
        needsHistory("/kv/registry/pods/blue/?at=" + longAgo);
        needsHistory("/kv/registry/pods/blue/" + exact);
        needsHistory("/kv/registry/pods/blue/one?history=true");
        needsHistory("/kv/registry/pods/blue/one" + exact);
        needsHistory("/kv/registry/pods/blue/?watch=1&timeoutSeconds=1&resourceVersion=" + before);
    }

    @Test
    void statesWithinAnApiServersReachDoNot() throws Exception {
        isFree(PODS);
        isFree(PODS + "?resourceVersion=0");
        isFree(PODS + "?resourceVersion=" + before);
        isFree(PODS + "?at=" + recent);
        isFree("/at/" + recent + PODS);
        isFree("/at/-3m" + PODS);
        isFree("/changes?resource=pods&namespace=blue&from=" + (since - 2));
        isFree("/changes?resource=pods&namespace=blue&watch=1&timeoutSeconds=1");
        isFree("/replay/" + recent + PODS);
        isFree(PODS + "?resourceVersionMatch=Exact&resourceVersion=" + (since - 2));
        isFree(PODS + "?watch=1&timeoutSeconds=1&resourceVersion=" + (since - 2));
        isFree(PODS + "?watch=1&timeoutSeconds=1");
        // Initial events are of the newest state.
        isFree(
                PODS
                        + "?watch=1&timeoutSeconds=1&sendInitialEvents=true&allowWatchBookmarks=true"
                        + "&resourceVersionMatch=NotOlderThan&resourceVersion="
                        + before);
        String page = as("ann", PODS + "?limit=1").continueToken();
        cluster.pod("blue", "later", Map.of());
        isFree(PODS + "?limit=1&continue=" + page);
    }

    @Test
    void namedStatesOfSecretsAlwaysDo() throws Exception {
        String secrets = "/api/v1/namespaces/blue/secrets";
        needsHistory(secrets + "?at=" + recent);
        needsHistory(secrets + "?resourceVersionMatch=Exact&resourceVersion=" + since);
        needsHistory(secrets + "/s?history=true");
        needsHistory("/kv/registry/secrets/blue/s?at=" + recent);
        isFree(secrets);
        isFree(secrets + "?watch=1&timeoutSeconds=1&resourceVersion=" + since);
    }

    @Test
    void changesNeedTheRightToEachResourceOrToAll() throws Exception {
        String from = "&from=" + (since - 1);
        assertThat(as("ann", "/changes?namespace=blue" + from).status()).isEqualTo(403);
        assertThat(as("ann", "/changes?resource=pods" + from).status()).isEqualTo(403);
        assertThat(
                        as("ann", "/changes?resource=pods,deployments.apps&namespace=blue" + from)
                                .status())
                .isEqualTo(403);
        assertThat(as("old", "/changes?resource=pods,secrets&namespace=blue").status())
                .isEqualTo(200);
        // As a watch from there, but never with the values.
        Answer secrets = as("ann", "/changes?resource=secrets&namespace=blue&from=" + (since - 1));
        assertThat(secrets.status()).isEqualTo(200);
        assertThat(secrets.text()).contains("data.v").doesNotContain("first", "second");
        assertThat(as("nobody", "/changes").status()).isEqualTo(401);
    }

    /** A comparison shows the state that it begins with, by its revision as by its time. */
    @Test
    void comparedStatesOfSecretsNeedTheRight() throws Exception {
        needsHistory("/changes?resource=secrets&namespace=blue&compare=true&from=" + (since - 1));
        needsHistory("/changes?resource=secrets&namespace=blue&compare=true&from=" + recent);
        isFree("/changes?resource=pods&namespace=blue&compare=true&from=" + (since - 1));
    }

    @Test
    void constrainedImpersonationNeedsTheRightToo() throws Exception {
        String past = PODS + "?at=" + longAgo;
        for (String name : new String[] {"agent", "historian"}) {
            rights.grant(name, "", "impersonate:user-info", "users");
            rights.grant(name, "", "impersonate-on:user-info:list", "pods");
        }
        rights.grant("historian", "", "impersonate-on:user-info:history", "pods");
        // The last of these rights: when it is known, all are.
        await().until(() -> asOld("historian", past).status() == 200);
        assertThat(asOld("agent", PODS).status()).isEqualTo(200);
        Answer refused = asOld("agent", past);
        assertThat(refused.status()).as(refused.text()).isEqualTo(403);
        assertThat(refused.message()).contains("cannot impersonate-on:user-info:history ");
    }

    private Answer asOld(String name, String path) throws IOException, InterruptedException {
        return fixture.client.get(
                path, "Authorization", "Bearer " + name, "Impersonate-User", "old");
    }

    /** A token of another history has no known age. */
    @Test
    void tokensOfAnotherHistoryAreThePast() throws Exception {
        String page = as("ann", PODS + "?limit=1").continueToken();
        cluster.relist(true);
        grantAll();
        awaitRules();
        assertThat(as("ann", PODS + "?limit=1&continue=" + page).status()).isEqualTo(403);
        assertThat(as("old", PODS + "?limit=1&continue=" + page).status()).isEqualTo(410);
    }

    @Test
    void watchesGoOnWithTheRight() throws Exception {
        try (Watch watch =
                fixture.client.watch(
                        PODS + "?watch=1&resourceVersion=" + before,
                        "Authorization",
                        "Bearer old")) {
            assertThat(watch.next(2)).hasSize(2);
        }
    }
}
