package io.tidemark.query.http;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.credentials.testing.TestCertificates;
import io.tidemark.http.testing.TestHttpClient;
import io.tidemark.query.QueryNodeFixture;
import io.tidemark.query.testing.HttpClientForTests;
import io.tidemark.query.testing.HttpClientForTests.Watch;
import io.tidemark.query.testing.SocketForTests;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.util.List;

/** Opens watches through each door for a caller with a bearer token. */
enum OpenWatches {
    /** Lines of a response of HTTP/1.1. */
    STREAM {
        @Override
        Reader open(QueryNodeFixture fixture, TestCertificates tls, String path, String token)
                throws Exception {
            return stream(fixture, tls, Version.HTTP_1_1, path, token);
        }
    },
    /** A stream of HTTP/2. */
    HTTP2 {
        @Override
        Reader open(QueryNodeFixture fixture, TestCertificates tls, String path, String token)
                throws Exception {
            return stream(fixture, tls, Version.HTTP_2, path, token);
        }
    },
    /** A WebSocket. */
    SOCKET {
        @Override
        Reader open(QueryNodeFixture fixture, TestCertificates tls, String path, String token)
                throws Exception {
            SocketForTests socket =
                    new SocketForTests(
                            tls.anonymous(),
                            fixture.url,
                            path,
                            List.of(),
                            "Authorization",
                            "Bearer " + token);
            return new Reader() {
                @Override
                public JsonNode next() throws Exception {
                    return socket.next();
                }

                @Override
                public void close() {
                    socket.close();
                }
            };
        }
    };

    abstract Reader open(QueryNodeFixture fixture, TestCertificates tls, String path, String token)
            throws Exception;

    /** An open watch, read event by event; a missing node is its end. */
    interface Reader extends AutoCloseable {
        JsonNode next() throws Exception;

        @Override
        void close() throws Exception;
    }

    private static Reader stream(
            QueryNodeFixture fixture,
            TestCertificates tls,
            Version version,
            String path,
            String token)
            throws Exception {
        HttpClient client =
                HttpClient.newBuilder().sslContext(tls.anonymous()).version(version).build();
        HttpClientForTests all = new HttpClientForTests(new TestHttpClient(fixture.url, client));
        Watch watch = all.watch(path, "Authorization", "Bearer " + token);
        return new Reader() {
            @Override
            public JsonNode next() throws Exception {
                return watch.next();
            }

            @Override
            public void close() throws Exception {
                watch.close();
                all.close();
            }
        };
    }
}
