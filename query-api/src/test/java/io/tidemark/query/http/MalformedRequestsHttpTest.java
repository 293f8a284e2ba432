package io.tidemark.query.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.http.testing.RawHttp;
import io.tidemark.query.QueryNodeFixture;
import io.tidemark.query.testing.HttpClientForTests.Answer;
import io.tidemark.serving.testing.MirroredCluster;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MalformedRequestsHttpTest {
    private static QueryNodeFixture fixture;

    @BeforeAll
    static void startNode() {
        MirroredCluster cluster = new MirroredCluster(2, 100);
        cluster.pod("a", "one", Map.of());
        fixture = new QueryNodeFixture(cluster);
    }

    @AfterAll
    static void stopNode() {
        fixture.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    /api/v1/pods?resourceVersion=abc         | 400 | BadRequest
                    /api/v1/pods?resourceVersion=-1          | 400 | BadRequest
                    /api/v1/namespaces/a/pods/x?resourceVersion=1.5 | 400 | BadRequest
                    /api/v1/pods?watch=1&resourceVersion=abc | 400 | BadRequest
                    /api/v1/pods?watch=1&longPoll=1&resourceVersion=abc | 400 | BadRequest
                    /api/v1/pods?limit=abc                   | 400 | BadRequest
                    /api/v1/pods?limit=                      | 400 | BadRequest
                    /api/v1/pods?timeoutSeconds=soon         | 400 | BadRequest
                    /api/v1/pods?timeout=5                   | 400 | BadRequest
                    /api/v1/namespaces/a/pods/one?timeout=abc | 400 | BadRequest
                    /api/v1/pods?continue=garbage            | 400 | BadRequest
                    /api/v1/pods?labelSelector=%3D           | 400 | BadRequest
                    /api/v1/pods?fieldSelector=spec.bogus%3D1 | 400 | BadRequest
                    /api/v1/pods?labelSelector=%zz           | 400 | BadRequest
                    /api/v1/namespaces/a/pods/..%2f..        | 404 | NotFound
                    /api/v1/namespaces/a/pods/%2e            | 400 | BadRequest
                    /api/v1/pods?resourceVersionMatch=Exact  | 422 | Invalid
                    /api/v1/pods?resourceVersion=1&resourceVersionMatch=Bogus | 422 | Invalid
                    /api/v1/pods?sendInitialEvents=true      | 422 | Invalid
                    /api/v1/pods?watch=1&sendInitialEvents=true | 422 | Invalid
                    /api/v1/pods?watch=1&resourceVersion=5&resourceVersionMatch=Exact&fieldSelector=foo=bar | 422 | Invalid
                    /api/v1/pods?watch=1&resourceVersion=abc&resourceVersionMatch=NotOlderThan | 422 | Invalid
                    /api/v1/pods?watch=1&resourceVersionMatch=Exact&fieldSelector=foo | 400 | BadRequest
                    /api/v1/watch/namespaces/a/pods/one?fieldSelector=metadata.name!=one | 400 | BadRequest
                    /api/v1/watch/namespaces/a/pods/one?fieldSelector=spec.nodeName=n1 | 400 | BadRequest
                    /api?timeout=abc                         | 400 | BadRequest
                    /version?timeout=5                       | 400 | BadRequest
                    /api/v1/nope?timeout=abc                 | 400 | BadRequest
                    /apis/nope/v1/x?timeout=abc              | 400 | BadRequest
                    /apis//v1/pods?timeout=abc               | 400 | BadRequest
                    /nope?timeout=abc                        | 400 | BadRequest
                    /api/v1/namespaces/a/pods/one/nope?timeout=abc | 400 | BadRequest
                    /api/v1/namespaces/a/pods/one/log?timeout=abc | 405 | MethodNotAllowed
                    /api/v1/nope?watch=1&timeout=abc         | 404 | NotFound
                    /api/v1/nope                             | 404 | NotFound
                    /api/v1/namespaces/a/nodes               | 404 | NotFound
                    /api/v1/namespaces/a/pods/a%25b          | 400 | BadRequest
                    /api/v1/namespaces/a/pods/one/exec       | 405 | MethodNotAllowed
                    /api/v1/namespaces/a/pods/one/nope       | 404 | NotFound
                    /api/v1/pods/one                         | 404 | NotFound
                    /apis/apps/v9/deployments                | 404 | NotFound
                    /kv/registry/%zz                         | 400 | BadRequest
                    /api/v1/pods/?continue=eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MCwic3RhcnQiOiJhIn0 | 400 | BadRequest
                    """)
    void isRefusedWithAStatus(String path, int code, String reason) throws Exception {
        String answer =
                raw(
                        "GET "
                                + path.strip()
                                + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        assertThat(answer).startsWith("HTTP/1.1 " + code);
        assertThat(answer).contains("\"kind\":\"Status\"").contains("\"code\":" + code);
        assertThat(answer).contains("\"reason\":\"" + reason + "\"");
        assertThat(answer).doesNotContain("Exception").doesNotContain("at io.tidemark");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/nope", "/apis/nope/v1/foos", "//api/v1/pods", "/API/v1/pods", "/apis/x"})
    void respondsToUnknownPathsWithPlainText(String path) throws Exception {
        Answer answer = fixture.client.get(path);
        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.text()).isEqualTo("404 page not found\n");
    }

    @Test
    void acceptsEquivalentPaths() throws Exception {
        for (String path : new String[] {"/api/v1/pods/", "/api/v1/namespaces//pods"}) {
            assertThat(fixture.client.get(path).names()).containsExactly("one");
        }
    }

    @Test
    void treatsAnEmptyPathAsTheRoot() throws Exception {
        String end = " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
        for (String target :
                new String[] {"http://localhost", "http://localhost?a=b", "http://localhost/"}) {
            assertThat(raw("GET " + target + end)).startsWith("HTTP/1.1 200").contains("/readyz");
        }
        assertThat(raw("GET ?x=1" + end)).startsWith("HTTP/1.1 400");
    }

    @Test
    void refusesAWebSocketForAnInvalidUri() throws Exception {
        String upgrade =
                "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                        + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
        for (String target : new String[] {"/\\a/pods?watch=1", "/a/pods?watch=1&x=%ff"}) {
            assertThat(
                            status(
                                    "GET /api/v1/namespaces"
                                            + target
                                            + "&timeoutSeconds=1 HTTP/1.1\r\nHost: localhost\r\n"
                                            + upgrade
                                            + "\r\n"))
                    .isEqualTo(400);
        }
    }

    @Test
    void survivesAnInvalidConnectionHeader() throws Exception {
        String end = " HTTP/1.1\r\nHost: localhost\r\nConnection: up,D\"grade, keep-alive\r\n\r\n";
        for (String path :
                new String[] {"/api/v1/pods?limit=x", "/api/v1/pods?resourceVersion=x"}) {
            assertThat(status("GET " + path + end)).isEqualTo(400);
        }
    }

    @Test
    void quotesNamesAsGoDoes() throws Exception {
        assertThat(fixture.client.get("/api/v1/namespaces/a/pods/a%22b%5C%0Ac").message())
                .isEqualTo("pods \"a\\\"b\\\\\\nc\" not found");
    }

    @Test
    void refusesUnknownMediaTypes() throws Exception {
        assertThat(fixture.client.get("/api/v1/pods", "Accept", "text/html").status())
                .isEqualTo(406);
    }

    @Test
    void refusesLongHeadersAndInvalidLines() throws Exception {
        String selector = "a".repeat(200_000);
        assertThat(
                        raw(
                                "GET /api/v1/pods?labelSelector="
                                        + selector
                                        + " HTTP/1.1\r\nHost: localhost\r\n\r\n"))
                .matches("(?s)HTTP/1.1 4(14|31).*");
        assertThat(raw("complete nonsense\r\n\r\n")).startsWith("HTTP/1.1 400");
        for (String line : new String[] {"GET / HTTP/9.9", "GET  HTTP/1.1", "GET /"}) {
            assertThat(raw(line + "\r\nHost: localhost\r\n\r\n"))
                    .startsWith("HTTP/1.1 400")
                    .contains("\"kind\":\"Status\"");
        }
        assertThat(raw("GET /kv/%00 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 400")
                .contains("\"kind\":\"Status\"");
    }

    private static String raw(String request) throws IOException {
        return RawHttp.exchange(fixture.url, request);
    }

    private static int status(String request) throws IOException {
        try (RawHttp connection = RawHttp.connect(fixture.url)) {
            connection.send(request);
            return connection.response().status();
        }
    }
}
