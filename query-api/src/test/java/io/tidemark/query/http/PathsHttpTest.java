package io.tidemark.query.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.query.QueryConfig;
import io.tidemark.query.QueryNodeFixture;
import io.tidemark.query.catalog.BuiltInResources;
import io.tidemark.query.catalog.CustomResources;
import io.tidemark.query.catalog.FixedCatalog;
import io.tidemark.query.catalog.Resource;
import io.tidemark.query.testing.HttpClientForTests.Answer;
import io.tidemark.serving.testing.MirroredCluster;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The supported paths and methods, and the errors for others. */
class PathsHttpTest {
    private static final String POD = "/api/v1/namespaces/a/pods/one";
    private static final String NOT_ALLOWED =
            "the server does not allow this method on the requested resource";

    private static QueryNodeFixture fixture;

    @BeforeAll
    static void startNode() {
        MirroredCluster cluster = new MirroredCluster(2, 100);
        cluster.pod("a", "one", Map.of());
        List<Resource> resources =
                new ArrayList<>(BuiltInResources.under(QueryConfig.DEFAULT_PREFIX));
        resources.addAll(definition("widgets", "Widget", "Namespaced"));
        resources.addAll(definition("things", "Thing", "Cluster"));
        fixture = new QueryNodeFixture(cluster, c -> c, () -> FixedCatalog.of(resources));
    }

    private static List<Resource> definition(String plural, String kind, String scope) {
        String json =
                """
                {"metadata":{"name":"%s.example.com"},"spec":{"group":"example.com","scope":"%s",
                 "names":{"plural":"%s","kind":"%s"},"versions":[{"name":"v1"}]}}\
                """
                        .formatted(plural, scope, plural, kind);
        return CustomResources.of(
                json.getBytes(StandardCharsets.UTF_8), QueryConfig.DEFAULT_PREFIX);
    }

    @AfterAll
    static void stopNode() {
        fixture.close();
    }

    private static Answer send(String method, String path) throws Exception {
        return fixture.client.send(method, path);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/apis/example.com/v9/widgets",
                "/apis/example.com/v1/nope",
                "/apis/example.com/v1/namespaces/a/nope",
                "/apis/example.com/v1/namespaces/a/things",
                "/apis/example.com/v1/widgets/one",
                "/apis/nope.example.com/v1/things",
                "/apis/nope/v1/x/..",
                "/apis//v1",
                "/apis//v1/pods",
                "/apis//v1/namespaces/a/pods/one",
                "/healthz/nope",
                "/healthz/",
                "/metrics/",
                "/openapi/v2",
                "/metrics/nope"
            })
    void respondsToUnservedPathsWithPlainText(String path) throws Exception {
        for (String method : List.of("GET", "POST", "OPTIONS")) {
            Answer answer = send(method, path);
            assertThat(answer.status()).as(method).isEqualTo(404);
            assertThat(answer.text()).isEqualTo("404 page not found\n");
            assertThat(answer.header("Content-Type")).isEqualTo("text/plain; charset=utf-8");
            assertThat(answer.header("X-Content-Type-Options")).isEqualTo("nosniff");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/v2",
                "/api/v1/nope",
                "/api/v1/nope/..",
                "/version/x",
                "/api/v1/pods/one",
                "/api/v1/namespaces/a/nodes",
                "/api/v1/namespaces//nodes",
                "/api/v1//pods",
                "/api/v1/nodes/n/x",
                "/api/v1/proxy/x",
                "/apis/apps/v9/deployments",
                "/apis/authorization.k8s.io/v1/nope"
            })
    void respondsWithAStatusToUnknownResourcesOfBuiltInGroups(String path) throws Exception {
        for (String method : List.of("GET", "POST", "OPTIONS")) {
            Answer answer = send(method, path);
            assertThat(answer.status()).as(method).isEqualTo(404);
            assertThat(answer.message())
                    .isEqualTo("the server could not find the requested resource");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/api/v1/namespaces/a/pods/.., may not be '..'",
        "/api/v1/namespaces/a/pods/%2e, may not be '.'",
        "/api/v1/namespaces/a/pods/a%25b, may not contain '%'",
        "/apis/example.com/v1/things/.., may not be '..'"
    })
    void refusesInvalidNames(String path, String why) throws Exception {
        Answer answer = send("GET", path);
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.message()).startsWith("Name parameter invalid: \"").endsWith(why);
    }

    @Test
    void findsNothingInANamespaceThatCannotExist() throws Exception {
        Answer list = send("GET", "/api/v1/namespaces/a%25b/pods");
        assertThat(list.status()).isEqualTo(200);
        assertThat(list.names()).isEmpty();
        assertThat(send("GET", "/api/v1/namespaces/a%25b/pods/one").message())
                .isEqualTo("pods \"one\" not found");
        assertThat(send("GET", "/api/v1/namespaces/../pods").status()).isEqualTo(400);
    }

    @Test
    void acceptsAnEmptyNamespaceInListsOnly() throws Exception {
        assertThat(send("GET", "/api/v1/namespaces//pods").names()).containsExactly("one");
        assertThat(send("GET", "/apis/example.com/v1/namespaces//things").status()).isEqualTo(200);
        assertThat(send("GET", "/api/v1/namespaces//pods/one").message())
                .isEqualTo("Namespace parameter required.");
    }

    @ParameterizedTest
    @CsvSource({
        "POST, /api/v1/namespaces/a/pods",
        "DELETE, /api/v1/namespaces/a/pods",
        "PUT, /api/v1/namespaces/a/pods/one",
        "PATCH, /api/v1/namespaces/a/pods/one",
        "DELETE, /api/v1/namespaces/a/pods/one",
        "POST, /api/v1/nodes",
        "PATCH, /api/v1/namespaces/a/pods/one/status",
        "POST, /api/v1/namespaces/a/pods/one/eviction",
        "POST, /api/v1/namespaces/a/pods/one/exec",
        "POST, /apis/authorization.k8s.io/v1/selfsubjectrulesreviews",
        "POST, /api/v1/namespaces/a/bindings",
        "DELETE, /apis/example.com/v1/things/x",
        "PUT, /kv/registry/x"
    })
    void refusesWritesAsAReadOnlyMirror(String method, String path) throws Exception {
        Answer answer = send(method, path);
        assertThat(answer.status()).isEqualTo(405);
        assertThat(answer.json().path("reason").asText()).isEqualTo("MethodNotAllowed");
        assertThat(answer.message()).startsWith(NOT_ALLOWED + ": it is a read-only mirror");
    }

    @ParameterizedTest
    @CsvSource({
        "PUT, /api/v1/namespaces/a/pods",
        "POST, /api/v1/pods",
        "DELETE, /api/v1/pods",
        "POST, /api/v1/namespaces/a/pods/one",
        "OPTIONS, /api/v1/namespaces/a/pods",
        "FOO, /api/v1/namespaces/a/pods",
        "TRACE, /api/v1/namespaces/a/pods",
        "POST, /api/v1/namespaces/a/pods/one/status",
        "GET, /api/v1/namespaces/a/pods/one/binding",
        "GET, /api/v1/namespaces/a/finalize",
        "GET, /apis/authorization.k8s.io/v1/selfsubjectrulesreviews",
        "POST, /api",
        "DELETE, /apis/apps/v1",
        "PUT, /version"
    })
    void refusesUnroutedMethodsLikeTheApiServer(String method, String path) throws Exception {
        Answer answer = send(method, path);
        assertThat(answer.status()).isEqualTo(405);
        assertThat(answer.text())
                .isEqualTo(
                        "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":"
                                + "\"Failure\",\"message\":\""
                                + NOT_ALLOWED
                                + "\",\"reason\":\"MethodNotAllowed\",\"details\":{},\"code\":405}\n");
    }

    @Test
    void refusesAMalformedTimeoutBeforeTheMethod() throws Exception {
        for (String method : List.of("HEAD", "POST", "OPTIONS")) {
            assertThat(send(method, "/api/v1/pods?timeout=abc").status()).as(method).isEqualTo(400);
        }
        assertThat(send("POST", "/api/v1/pods?timeout=abc").message())
                .startsWith("invalid timeout specified in the request URL - ");
    }

    @Test
    void acceptsHeadForCustomResourcesOnly() throws Exception {
        assertThat(send("HEAD", POD).status()).isEqualTo(405);
        assertThat(send("HEAD", "/api").status()).isEqualTo(405);
        assertThat(send("HEAD", "/apis/example.com/v1/widgets").status()).isEqualTo(200);
        assertThat(send("HEAD", "/apis/example.com/v1/widgets?watch=1").status()).isEqualTo(405);
        assertThat(send("OPTIONS", "/apis/example.com/v1/widgets").message())
                .isEqualTo(" is not supported on resources of kind \"widgets.example.com\"");
    }

    @ParameterizedTest
    @CsvSource({
        "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io, '', 406",
        "application/json;as=Table;v=v1;g=meta.k8s.io, ?includeObject=Bogus, 400",
        "application/json;as=Table;v=v1;g=meta.k8s.io, '', 200"
    })
    void answersHeadWithTheStatusOfGet(String accept, String query, int status) throws Exception {
        String widgets = "/apis/example.com/v1/widgets" + query;
        for (String method : List.of("GET", "HEAD")) {
            assertThat(fixture.client.send(method, widgets, "Accept", accept).status())
                    .as(method)
                    .isEqualTo(status);
        }
    }

    @Test
    void ignoresTheMethodWhereTheApiServerDoes() throws Exception {
        for (String path :
                List.of("/", "/apis", "/apis/apps", "/healthz", "/apis/example.com/v1")) {
            for (String method : List.of("POST", "OPTIONS", "HEAD")) {
                assertThat(send(method, path).status()).as(method + " " + path).isEqualTo(200);
            }
        }
    }

    @Test
    void warnsAboutDeprecatedResources() throws Exception {
        String warning =
                "299 - \"v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1"
                        + " EndpointSlice\"";
        assertThat(send("GET", "/api/v1/endpoints").header("Warning")).isEqualTo(warning);
        Answer missing = send("GET", "/api/v1/namespaces/a/endpoints/x");
        assertThat(missing.status()).isEqualTo(404);
        assertThat(missing.header("Warning")).isEqualTo(warning);
        assertThat(send("GET", "/api/v1/pods").warning()).isEmpty();
    }

    /** Caching clients replace the headers of their cached response by those of a 304. */
    @Test
    void omitsTheContentTypeOf304() throws Exception {
        String accept = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
        Answer first = fixture.client.get("/apis", "Accept", accept);
        assertThat(first.header("Content-Type")).isEqualTo(accept);
        Answer second =
                fixture.client.get(
                        "/apis", "Accept", accept, "If-None-Match", first.header("ETag"));
        assertThat(second.status()).isEqualTo(304);
        assertThat(second.response().headers().map()).doesNotContainKey("content-type");
        assertThat(second.header("ETag")).isEqualTo(first.header("ETag"));
    }
}
