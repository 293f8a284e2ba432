package io.tidemark.query.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.tidemark.query.QueryNodeFixture;
import io.tidemark.query.testing.FakeCallers;
import io.tidemark.query.testing.HttpClientForTests.Answer;
import io.tidemark.query.testing.Rights;
import io.tidemark.query.testing.SocketForTests;
import io.tidemark.record.Bytes;
import io.tidemark.serving.testing.MirroredCluster;
import java.io.IOException;
import java.net.http.WebSocketHandshakeException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The order in which a request is judged, and what a refusal tells. */
class AccessHttpTest {
    private final MirroredCluster cluster = new MirroredCluster(4, 100);
    private final Rights rights = new Rights(cluster);
    private final FakeCallers callers =
            new FakeCallers().with("ann").with("bob").with("root", "system:masters");
    private QueryNodeFixture fixture;

    @BeforeEach
    void start() throws Exception {
        cluster.pod("blue", "mine", Map.of());
        cluster.pod("red", "theirs", Map.of());
        rights.grant("ann", "blue", "get,list,watch", "pods");
        rights.grantPaths("ann", "get", "/kv/registry/pods/*,/version");
        fixture =
                new QueryNodeFixture(
                        cluster, config -> config.withAccess(callers.underMirroredRules()));
        // A health check does not wait for the rules.
        fixture.awaitReady();
    }

    @AfterEach
    void stop() {
        fixture.close();
    }

    private Answer as(String name, String path, String... headers)
            throws IOException, InterruptedException {
        String[] all = new String[headers.length + 2];
        all[0] = "Authorization";
        all[1] = "Bearer " + name;
        System.arraycopy(headers, 0, all, 2, headers.length);
        return fixture.client.get(path, all);
    }

    @Test
    void servesWhatTheCallerMayRead() throws Exception {
        assertThat(as("ann", "/api/v1/namespaces/blue/pods").names()).containsExactly("mine");
        assertThat(as("ann", "/api/v1/namespaces/blue/pods/mine").status()).isEqualTo(200);
        assertThat(as("root", "/api/v1/pods").names()).containsExactly("mine", "theirs");
        assertThat(as("ann", "/version").status()).isEqualTo(200);
    }

    /** The right to see the state of a node is no right to values, which reasons may quote. */
    @Test
    void countsUnreadableObjectsWithoutTheReasons() throws Exception {
        rights.grantPaths("ann", "get", "/readyz");
        cluster.raw(
                Bytes.utf8("/registry/pods/red/broken"),
                "value".getBytes(StandardCharsets.UTF_8),
                "quoted value");
        // The state of the node is no state of the mirror: it does not wait for new rules.
        Awaitility.await()
                .untilAsserted(() ->
                        assertThat(as("ann", "/readyz?verbose").text())
                                .contains("[+]unreadable 1 objects: pods 1\n"));
    }

    @Test
    void refusesInTheWordsOfTheApiServer() throws Exception {
        Answer refused = as("ann", "/api/v1/namespaces/red/pods/theirs");
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.json().toString())
                .isEqualTo(
                        "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},"
                                + "\"status\":\"Failure\",\"message\":\"pods \\\"theirs\\\" is"
                                + " forbidden: User \\\"ann\\\" cannot get resource \\\"pods\\\" in"
                                + " API group \\\"\\\" in the namespace \\\"red\\\"\","
                                + "\"reason\":\"Forbidden\",\"details\":{\"name\":\"theirs\","
                                + "\"kind\":\"pods\"},\"code\":403}");
        assertThat(as("ann", "/metrics").json().toString())
                .contains("\"forbidden: User \\\"ann\\\" cannot get path \\\"/metrics\\\"\"")
                .contains("\"details\":{}");
    }

    /** Pages in browsers cannot set headers. */
    @Test
    void readsTheTokenThatAWebSocketOffersAsASubprotocol() throws Exception {
        String path = "/api/v1/namespaces/blue/pods?watch=1";
        String other = "base64.binary.k8s.io";
        try (SocketForTests socket =
                new SocketForTests(fixture.url, path, List.of(offered("ann"), other))) {
            assertThat(socket.protocol()).isEqualTo(other);
            assertThat(socket.next(1)).first().asString().startsWith("ADDED mine@");
        }
        assertRefused(403, path.replace("blue", "red"), offered("ann"), other);
        assertRefused(401, path, offered("nobody"), other);
        assertRefused(401, path, offered("ann"));
        assertRefused(401, path, offered("ann"), offered("root"), other);
        assertRefused(401, path, offered("ann") + "!", other);
        assertRefused(401, path, other);
        assertThat(fixture.client.get(path, "Sec-WebSocket-Protocol", offered("ann")).status())
                .as("without an upgrade")
                .isEqualTo(401);
    }

    private static String offered(String token) {
        return "base64url.bearer.authorization.k8s.io."
                + Base64.getUrlEncoder()
                        .withoutPadding()
                        .encodeToString(token.getBytes(StandardCharsets.UTF_8));
    }

    private void assertRefused(int status, String path, String... protocols) {
        assertThatExceptionOfType(WebSocketHandshakeException.class)
                .isThrownBy(() -> new SocketForTests(fixture.url, path, List.of(protocols)).close())
                .satisfies(refused ->
                        assertThat(refused.getResponse().statusCode()).isEqualTo(status));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/v1/pods",
                "/nope",
                "/healthz",
                "/readyz",
                "/livez?verbose",
                "/kv/x",
                "/metrics",
                "/cluster",
                "/apis",
                "/openapi/v2",
                "/api/v1/namespaces/blue/pods?watch=1"
            })
    void wrongCredentialsAre401Everywhere(String path) throws Exception {
        Answer refused = as("nobody", path);
        assertThat(refused.status()).isEqualTo(401);
        assertThat(refused.text())
                .isEqualTo(
                        "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},"
                                + "\"status\":\"Failure\",\"message\":\"Unauthorized\","
                                + "\"reason\":\"Unauthorized\",\"code\":401}\n");
    }

    /** Each of these would tell of data, or of what exists, if it came before the refusal. */
    @ParameterizedTest
    @CsvSource({
        "GET,/api/v1/namespaces/red/pods/no-such-pod",
        "GET,/api/v1/namespaces/red/nosuchthings",
        "GET,/apis/no.such.group/v1/things",
        "POST,/api/v1/namespaces/red/pods",
        "DELETE,/api/v1/namespaces/red/pods/theirs",
        "HEAD,/api/v1/namespaces/red/pods",
        "GET,/api/v1/namespaces/red/pods?limit=x",
        "GET,/api/v1/namespaces/red/pods?labelSelector=%3D%3D%3D",
        "GET,/api/v1/namespaces/red/pods?resourceVersion=1&resourceVersionMatch=Exact",
        "GET,/api/v1/namespaces/red/pods?resourceVersion=99999999",
        "GET,/api/v1/namespaces/red/pods?continue=nonsense",
        "GET,/api/v1/namespaces/red/pods?at=nonsense",
        "GET,/api/v1/namespaces/red/pods/theirs?history=true",
        "GET,/api/v1/namespaces/red/pods?watch=1&resourceVersion=1",
        "GET,/api/v1/componentstatuses?watch=1",
        "GET,/api/v1/namespaces/blue/pods/mine/log",
        "GET,/kv/registry/pods/red/theirs",
        "GET,/kv/registry/pods/",
        "GET,/kv/registry/",
        "GET,/kv/other",
        "POST,/kv/registry/pods/blue/mine2",
        "GET,/cluster",
        "GET,/readyz?verbose",
        "GET,/readyz/partition-0",
        "GET,/readyz?exclude=partition-0",
        "GET,/nope",
        "GET,/apis/apps/v1"
    })
    void refusesBeforeAnythingElse(String method, String path) throws Exception {
        Answer refused =
                fixture.client.send(
                        method, path, "Authorization", "Bearer ann", "Accept", "application/json");
        assertThat(refused.status()).isEqualTo(403);
        for (String header :
                new String[] {"X-Tidemark-As-Of", "X-Tidemark-Revision", "Warning", "ETag"}) {
            assertThat(refused.header(header)).as(header).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/livez", "/readyz", "/healthz"})
    void everyoneMayKnowTheResultOfAHealthCheck(String path) throws Exception {
        assertThat(fixture.client.get(path).text()).isEqualTo("ok");
        assertThat(as("bob", path).text()).isEqualTo("ok");
        assertThat(fixture.client.get(path + "?verbose").status()).isEqualTo(401);
        assertThat(as("bob", path + "?verbose").status()).isEqualTo(403);
        assertThat(fixture.client.get(path + "/ping").status()).isEqualTo(401);
    }

    @Test
    void failingDetailsNeedARight() throws Exception {
        cluster.loseEtcd(true);
        try (QueryNodeFixture starting =
                new QueryNodeFixture(
                        MirroredCluster.notListedYet(2),
                        config -> config.withAccess(callers.underMirroredRules()))) {
            Answer open = starting.client.get("/readyz");
            assertThat(open.status()).isEqualTo(503);
            assertThat(open.text()).isEqualTo("readyz check failed\n");
            Answer master = starting.client.get("/readyz", "Authorization", "Bearer root");
            assertThat(master.text()).contains("[-]rules failed: the rules have not been read yet");
        }
    }

    @Test
    void requestsThatCannotBeJudgedAre503() throws Exception {
        callers.fail(true);
        Answer refused = as("ann", "/api/v1/namespaces/blue/pods");
        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.header("Retry-After")).isEqualTo("1");
        assertThat(refused.message()).isEqualTo("authentication is not possible now");
        assertThat(as("ann", "/livez").text()).isEqualTo("ok");
    }

    @Test
    void rulesTooOldDecideForMastersOnly() throws Exception {
        cluster.holdBack(0, true);
        cluster.holdBack(1, true);
        cluster.holdBack(2, true);
        cluster.holdBack(3, true);
        cluster.advance(Duration.ofMinutes(6));
        assertThat(as("ann", "/api/v1/namespaces/blue/pods?resourceVersion=0").status())
                .isEqualTo(503);
        assertThat(as("root", "/api/v1/namespaces/blue/pods?resourceVersion=0").status())
                .isEqualTo(200);
    }

    /** They are stale on all nodes at once: no other node could answer instead. */
    @Test
    void rulesTooOldKeepTheNodeReady() throws Exception {
        assertThat(as("root", "/readyz?verbose").text())
                .contains("[+]rules ok\n", "[+]rules-staleness as of 0 s ago, the limit is 300 s");
        cluster.advance(Duration.ofMinutes(6));

        assertThat(fixture.client.get("/readyz").text()).isEqualTo("ok");
        assertThat(as("root", "/readyz?verbose").text())
                .contains("[+]rules ok\n", "[!]rules-staleness as of 360 s ago")
                .endsWith("readyz check passed\n");
    }

    @Test
    void aNodeStartsWithRulesTooOld() throws Exception {
        cluster.advance(Duration.ofMinutes(6));
        try (QueryNodeFixture late =
                new QueryNodeFixture(
                        cluster,
                        config ->
                                config.withAccess(callers.underMirroredRules())
                                        .withTimes(
                                                config.times()
                                                        .withStartupHold(Duration.ofHours(1))))) {
            late.awaitReady();
            String list = "/api/v1/pods?resourceVersion=0";
            assertThat(late.client.get(list, "Authorization", "Bearer root").status())
                    .isEqualTo(200);
            assertThat(late.client.get(list, "Authorization", "Bearer ann").status())
                    .isEqualTo(503);
        }
    }

    @Test
    void keysNeedTheRightToTheirObjectToo() throws Exception {
        assertThat(as("ann", "/kv/registry/pods/blue/mine").status()).isEqualTo(200);
        assertThat(as("ann", "/kv/registry/pods/blue/").status()).isEqualTo(200);
        assertThat(as("ann", "/kv/registry/pods/blue?prefix=true").status()).isEqualTo(403);
        assertThat(as("ann", "/kv/registry/pods/red/theirs").message())
                .isEqualTo(
                        "pods \"theirs\" is forbidden: User \"ann\" cannot get resource \"pods\" in"
                                + " API group \"\" in the namespace \"red\"");
        assertThat(as("ann", "/kv/registry/pods/blue%2F..%2Fred/theirs").status()).isEqualTo(403);
        assertThat(as("ann", "/kv?key=/registry/pods/red/theirs").status()).isEqualTo(403);
        assertThat(as("ann", "/kv/registry/secrets/blue/x").status()).isEqualTo(403);
    }

    /** As its path does, and nothing else: no other namespace, no list, no other resource. */
    @Test
    void aRightInsideANamespaceShowsTheChangesOfItsObject() throws Exception {
        for (String owned : new String[] {"blue,red", "red,green"}) {
            String[] names = owned.split(",");
            cluster.put(
                    "/registry/namespaces/" + names[0],
                    at ->
                            """
                            {"kind":"Namespace","apiVersion":"v1","metadata":{"name":"%s",
                             "resourceVersion":"%d","ownerReferences":[{"apiVersion":"v1",
                              "kind":"Namespace","name":"%s","uid":"u"}]}}\
                            """
                                    .formatted(names[0], at, names[1]));
        }
        rights.grant("ann", "blue", "get,list,watch,history", "namespaces,nodes");
        String itself = "/changes?resource=namespaces&name=blue";
        fixture.client.awaitAllowed("ann", itself);
        for (String form : new String[] {"", "&from=100", "&watch=1&from=100&timeoutSeconds=1"}) {
            Answer answer = as("ann", itself + form);
            assertThat(answer.status()).as(answer.text()).isEqualTo(200);
            assertThat(answer.text()).contains("\"blue\"").doesNotContain("green");
        }
        assertThat(as("ann", "/api/v1/namespaces/blue").status()).isEqualTo(200);
        for (String other :
                new String[] {
                    "resource=namespaces",
                    "resource=namespaces&watch=1",
                    "resource=namespaces&name=red",
                    "resource=namespaces&name=blue&namespace=red",
                    "resource=namespaces.example.com&name=blue",
                    "resource=nodes&name=blue",
                    "resource=pods&name=blue",
                }) {
            assertThat(as("ann", "/changes?" + other).status()).as(other).isEqualTo(403);
        }
        assertThat(as("ann", "/changes?resource=namespaces&namespace=blue").status())
                .as("a namespace is in none")
                .isEqualTo(400);
    }

    @Test
    void aNodeWithoutAccessControlAnswersEveryone() throws Exception {
        try (QueryNodeFixture open = new QueryNodeFixture(cluster)) {
            assertThat(open.client.get("/api/v1/pods").names()).hasSize(2);
            assertThat(open.client.get("/api/v1/pods", "Authorization", "Bearer nobody").status())
                    .isEqualTo(200);
            assertThat(open.client.get("/readyz?verbose").text()).contains("partition-0");
        }
    }
}
