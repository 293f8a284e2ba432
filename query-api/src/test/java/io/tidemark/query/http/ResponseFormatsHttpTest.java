package io.tidemark.query.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.query.QueryNodeFixture;
import io.tidemark.query.testing.HttpClientForTests.Answer;
import io.tidemark.serving.testing.MirroredCluster;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The form of responses: formats, headers and the precedence of errors. */
class ResponseFormatsHttpTest {
    private static final String A = "/api/v1/namespaces/a/pods";
    private static final String TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io";
    private static final String METADATA =
            "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io";
    private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";

    private MirroredCluster cluster;
    private QueryNodeFixture fixture;

    @BeforeEach
    void startNode() {
        cluster = new MirroredCluster(2, 100);
        cluster.pod("a", "one", Map.of("app", "x"), "n1"); // 101
        cluster.pod("a", "two", Map.of("app", "y"), "n2"); // 102
        cluster.pod("b", "three", Map.of("app", "y"), "n2"); // 103
        fixture = new QueryNodeFixture(cluster);
    }

    @AfterEach
    void stopNode() {
        fixture.close();
    }

    private Answer get(String path, String... headers) throws Exception {
        return fixture.client.get(path, headers);
    }

    @Test
    void writesTheKindOncePerTypedList() throws Exception {
        Answer list = get(A);
        assertThat(list.json().path("kind").asText()).isEqualTo("PodList");
        assertThat(list.json().at("/items/0").has("kind")).isFalse();
        assertThat(list.json().at("/items/0").has("apiVersion")).isFalse();
        assertThat(get(A + "/one").json().path("kind").asText()).isEqualTo("Pod");
        assertThat(get(A, "Accept", "application/yaml").text()).contains("- metadata:\n");
    }

    @Test
    void warnsAboutDeprecatedResourcesAlsoOnErrors() throws Exception {
        String endpoints = "/api/v1/namespaces/a/endpoints";
        String warning =
                "299 - \"v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1"
                        + " EndpointSlice\"";
        assertThat(get(endpoints).header("Warning")).isEqualTo(warning);
        assertThat(get(endpoints + "/none").header("Warning")).isEqualTo(warning);
        assertThat(get(A).warning()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "?pretty=true | x         | true",
                "?pretty=T    | x         | true",
                "?pretty=yes  | curl/8    | false",
                "?pretty=     | curl/8    | true",
                "''           | Wget/1    | true",
                "''           | Mozilla/4 | false",
            })
    void indentsJsonForInteractiveClients(String query, String agent, boolean indented)
            throws Exception {
        for (String path : new String[] {A, A + "/one", A + "/none", "/api", "/apis/apps/v1"}) {
            assertThat(get(path + query, "User-Agent", agent).text().startsWith("{\n"))
                    .as("%s%s for %s", path, query, agent)
                    .isEqualTo(indented);
        }
    }

    @Test
    void writesErrorsAsProtobufForProtobufClients() throws Exception {
        Answer none = get(A + "/none", "Accept", PROTOBUF);
        assertThat(none.status()).isEqualTo(404);
        assertThat(none.header("Content-Type")).isEqualTo(PROTOBUF);
        assertThat(none.text()).startsWith("k8s\0").contains("pods \"none\" not found");
        Answer history = get(A + "/one?history=true", "Accept", PROTOBUF);
        assertThat(history.status()).isEqualTo(406);
        assertThat(history.text())
                .contains("are accepted: application/json, application/yaml\"\rNotAcceptable");
    }

    @Test
    void reportsAnImpossibleFormAfterOtherErrors() throws Exception {
        assertThat(get(A, "Accept", METADATA).message())
                .isEqualTo(
                        "you requested PartialObjectMetadata, but the requested object is a list"
                                + " (*core.PodList)");
        String expired = "?resourceVersion=5&resourceVersionMatch=Exact";
        assertThat(get(A + expired, "Accept", METADATA).status()).isEqualTo(410);
        assertThat(get(A + "/none?includeObject=All", "Accept", TABLE).status()).isEqualTo(404);
        assertThat(get(A + "/one?includeObject=All", "Accept", TABLE).status()).isEqualTo(400);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "limit=x&labelSelector=a%20b&fieldSelector=x#strconv.ParseInt",
                "labelSelector=a%20b&fieldSelector=x#unable to parse requirement",
                "fieldSelector=x&sendInitialEvents=1#invalid selector: 'x'",
                "fieldSelector=x%3D1&sendInitialEvents=1#ListOptions.meta.k8s.io",
                "fieldSelector=x%3D1&continue=x#field label not supported",
                "continue=x&resourceVersion=x#invalid continue token",
            })
    void reportsTheSameFirstErrorAsTheApiServer(String asked) throws Exception {
        String[] parts = asked.split("#", 2);
        assertThat(get(A + "?" + parts[0]).message()).startsWith(parts[1]);
        assertThat(get(A + "?" + parts[0], "Accept", "application/json;sv=v9").status())
                .isEqualTo(406);
    }

    @Test
    void continuesAFullPageIfAnyObjectFollows() throws Exception {
        Answer page = get(A + "?limit=1&labelSelector=app%3Dx");
        assertThat(page.names()).containsExactly("one");
        assertThat(page.continueToken()).isNotEmpty();
        Answer next = get(A + "?labelSelector=app%3Dx&continue=" + page.continueToken());
        assertThat(next.names()).isEmpty();
        assertThat(next.continueToken()).isEmpty();
        assertThat(get(A + "?limit=2&labelSelector=app%3Dx").continueToken()).isEmpty();
        assertThat(get(A + "?limit=1&labelSelector=app%3Dy").continueToken()).isEmpty();
        assertThat(get(A + "?limit=1&fieldSelector=metadata.name%3Done").continueToken()).isEmpty();
    }

    @Test
    void ignoresTheLimitForASingleName() throws Exception {
        String one = A + "?fieldSelector=metadata.name%3Done&limit=1&resourceVersion=";
        assertThat(get(one + "101").resourceVersion()).isEqualTo("103");
        assertThat(get(one + "101&resourceVersionMatch=Exact").resourceVersion()).isEqualTo("101");
    }

    @Test
    void makesTokensRelativeToTheSelectedNamespace() throws Exception {
        Answer page = get("/api/v1/pods?fieldSelector=metadata.namespace%3Da&limit=1");
        assertThat(page.names()).containsExactly("one");
        Answer next = get(A + "?continue=" + page.continueToken());
        assertThat(next.names()).containsExactly("two");
    }
}
