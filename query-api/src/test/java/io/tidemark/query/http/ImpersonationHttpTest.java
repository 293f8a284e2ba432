package io.tidemark.query.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.tidemark.http.testing.TestHttpClient;
import io.tidemark.query.QueryNodeFixture;
import io.tidemark.query.testing.FakeCallers;
import io.tidemark.query.testing.Rights;
import io.tidemark.serving.testing.MirroredCluster;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Impersonation, and the questions that callers ask about themselves. */
class ImpersonationHttpTest {
    private static final String REVIEWS = "/apis/authorization.k8s.io/v1/selfsubject";
    private static final String WHOAMI = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
    private static final String BLUE = "/api/v1/namespaces/blue/pods";

    private final MirroredCluster cluster = new MirroredCluster(4, 100);
    private final Rights rights = new Rights(cluster);
    private final JsonMapper json = new JsonMapper();
    private QueryNodeFixture fixture;
    private TestHttpClient client;

    @BeforeEach
    void start() {
        cluster.pod("blue", "mine", Map.of());
        rights.grant("ann", "blue", "get,list", "pods");
        for (String name : new String[] {"ann", "boss", "agent"}) {
            rights.grant(
                    name,
                    "",
                    "create",
                    "selfsubjectreviews,selfsubjectaccessreviews,selfsubjectrulesreviews");
        }
        rights.grant(
                "boss", "", "impersonate", "users,groups,uids,serviceaccounts,userextras/team");
        rights.grant("agent", "", "impersonate-on:user-info:list", "pods");
        rights.grant("agent", "", "impersonate:user-info", "users,groups");
        rights.grant("loner", "", "list", "pods");
        FakeCallers callers =
                new FakeCallers().with("ann").with("boss").with("agent").with("loner");
        fixture =
                new QueryNodeFixture(
                        cluster, config -> config.withAccess(callers.underMirroredRules()));
        client = new TestHttpClient(fixture.url);
    }

    @AfterEach
    void stop() {
        client.close();
        fixture.close();
    }

    private TestHttpClient.Answer get(String name, String path, String... headers)
            throws Exception {
        return client.send(client.request(path, headers).header("Authorization", "Bearer " + name));
    }

    private TestHttpClient.Answer post(String name, String path, String body, String... headers)
            throws Exception {
        return client.send(
                client.request(path, headers)
                        .header("Authorization", "Bearer " + name)
                        .POST(BodyPublishers.ofString(body)));
    }

    private JsonNode status(TestHttpClient.Answer answer) throws Exception {
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        return json.readTree(answer.text()).path("status");
    }

    @Test
    void servesWhatTheOtherMayRead() throws Exception {
        assertThat(get("boss", BLUE).status()).isEqualTo(403);
        assertThat(get("boss", BLUE, "Impersonate-User", "ann").status()).isEqualTo(200);
        assertThat(get("boss", BLUE, "impersonate-user", "bob").text())
                .contains("User \\\"bob\\\" cannot list");
    }

    /** Else the request would be served with the rights of the stronger caller. */
    @Test
    void neverIgnoresIt() throws Exception {
        assertThat(get("loner", "/api/v1/pods").status()).isEqualTo(200);
        assertThat(get("loner", "/api/v1/pods", "Impersonate-User", "ann").text())
                .contains("cannot impersonate-on:user-info:list");
        assertThat(get("loner", "/livez", "Impersonate-User", "ann").status()).isEqualTo(403);
        assertThat(get("loner", "/api/v1/pods", "Impersonate-Group", "dev").status())
                .isEqualTo(400);
        assertThat(get("nobody", "/api/v1/pods", "Impersonate-Group", "dev").status())
                .isEqualTo(401);
    }

    @Test
    void eachPartNeedsItsRight() throws Exception {
        assertThat(
                        get("boss", BLUE, "Impersonate-User", "ann", "Impersonate-Extra-Team", "x")
                                .status())
                .isEqualTo(200);
        assertThat(
                        get("boss", BLUE, "Impersonate-User", "ann", "Impersonate-Extra-Other", "x")
                                .status())
                .isEqualTo(403);
        assertThat(
                        get(
                                        "boss",
                                        BLUE,
                                        "Impersonate-User",
                                        "x",
                                        "Impersonate-Group",
                                        "system:masters")
                                .status())
                .isEqualTo(200);
    }

    @Test
    void constrainedImpersonationIsLimitedToVerbs() throws Exception {
        assertThat(get("agent", BLUE, "Impersonate-User", "ann").status()).isEqualTo(200);
        assertThat(get("agent", BLUE + "/mine", "Impersonate-User", "ann").status()).isEqualTo(403);
        assertThat(
                        get(
                                        "agent",
                                        BLUE,
                                        "Impersonate-User",
                                        "x",
                                        "Impersonate-Group",
                                        "system:masters")
                                .text())
                .contains("impersonating the system:masters group is not allowed");
    }

    @Test
    void tellsCallersWhoTheyAreAndWhatTheyMayDo() throws Exception {
        assertThat(status(post("ann", WHOAMI, "{}")).toString())
                .isEqualTo(
                        "{\"userInfo\":{\"username\":\"ann\",\"groups\":[\"system:authenticated\"]}}");
        assertThat(
                        status(post("boss", WHOAMI, "{}", "Impersonate-User", "ann"))
                                .path("userInfo")
                                .path("username")
                                .asText())
                .isEqualTo("ann");
        String question =
                "{\"spec\":{\"resourceAttributes\":{\"verb\":\"list\",\"resource\":\"pods\","
                        + "\"namespace\":\"%s\"}}}";
        String may = REVIEWS + "accessreviews";
        assertThat(status(post("ann", may, question.formatted("blue"))).path("allowed").asBoolean())
                .isTrue();
        assertThat(status(post("ann", may, question.formatted("red"))).path("allowed").asBoolean())
                .isFalse();
        JsonNode rules =
                status(
                        post(
                                "ann",
                                REVIEWS + "rulesreviews",
                                "{\"spec\":{\"namespace\":\"blue\"}}"));
        assertThat(rules.path("resourceRules").toString())
                .contains(
                        "{\"verbs\":[\"get\",\"list\"],\"apiGroups\":[\"*\"],\"resources\":[\"pods\"]}");
    }

    @Test
    void refusesBodiesThatAreNoQuestion() throws Exception {
        String may = REVIEWS + "accessreviews";
        assertThat(post("loner", may, "{}").status()).as("without the right to ask").isEqualTo(403);
        assertThat(post("ann", may, "no json").status()).isEqualTo(400);
        assertThat(post("ann", may, "[".repeat(60_000)).status()).isEqualTo(400);
        assertThat(post("ann", may, "{} {}").status()).isEqualTo(400);
        assertThat(post("ann", may, "{\"kind\":\"Pod\"}").status()).isEqualTo(400);
        assertThat(post("ann", may, "{\"spec\":{\"resourceAttributes\":{\"verb\":1}}}").status())
                .isEqualTo(400);
        assertThat(post("ann", may, "{}").status()).isEqualTo(422);
        assertThat(post("ann", may, " ".repeat(70_000)).status()).isEqualTo(413);
        assertThat(
                        post(
                                        "ann",
                                        may,
                                        "k8s",
                                        "Content-Type",
                                        "application/vnd.kubernetes.protobuf")
                                .status())
                .isEqualTo(400);
        assertThat(post("ann", may, "{}", "Content-Type", "application/cbor").status())
                .isEqualTo(415);
        assertThat(get("ann", may).status()).isEqualTo(403);
    }
}
