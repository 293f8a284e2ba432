package io.tidemark.bench.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.javalin.http.Context;
import io.tidemark.credentials.testing.TestCertificates;
import io.tidemark.http.ConnectionLimits;
import io.tidemark.http.ErrorBody;
import io.tidemark.http.HttpServer;
import io.tidemark.http.HttpServerSettings;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Both protocols over TLS, against a real server. */
class ConnectionsTest {
    private static final int BUFFER = 64 << 10;

    /** More than the window of a stream. */
    private static final int LARGE = 20 << 20;

    @TempDir private Path folder;

    private final CountDownLatch released = new CountDownLatch(1);
    private TestCertificates certificates;
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        certificates = new TestCertificates(folder);
        HttpServerSettings settings =
                new HttpServerSettings("127.0.0.1", 0, 32 << 10, Duration.ofMinutes(1))
                        .withConnections(ConnectionLimits.INTERNAL)
                        .withTls(certificates.server());
        server =
                new HttpServer(
                        settings,
                        ErrorBody.TEXT,
                        config -> {
                            config.routes.get(
                                    "/bytes/{count}",
                                    context ->
                                            write(
                                                    context,
                                                    Integer.parseInt(context.pathParam("count"))));
                            config.routes.get(
                                    "/status/{status}",
                                    context ->
                                            context.status(
                                                            Integer.parseInt(
                                                                    context.pathParam("status")))
                                                    .result("refused"));
                            config.routes.get(
                                    "/token",
                                    context ->
                                            context.result("" + context.header("authorization")));
                            config.routes.get("/open", this::neverEnding);
                        });
        server.start();
    }

    @AfterEach
    void stop() {
        released.countDown();
        server.close();
    }

    private static void write(Context context, int bytes) throws IOException {
        OutputStream out = context.outputStream();
        byte[] part = new byte[100_000];
        for (int left = bytes; left > 0; left -= part.length) {
            out.write(part, 0, Math.min(left, part.length));
        }
    }

    private void neverEnding(Context context) throws Exception {
        OutputStream out = context.res().getOutputStream();
        out.write(0);
        out.flush();
        released.await();
    }

    private Target target(boolean http2, String token) {
        URI base = URI.create("https://127.0.0.1:" + server.port());
        return new Target("server", base, token, certificates.anonymous(), http2, 0);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void readsOneBodyAfterTheOther(boolean http2) throws IOException {
        try (Connections connections = new Connections(target(http2, null));
                Connection connection = connections.open(BUFFER)) {
            for (int bytes : new int[] {0, 1, LARGE, 5, 100_000}) {
                assertThat(connection.send(Request.of("/bytes/" + bytes)).isOk()).isTrue();
                assertThat(connection.readBody(BodySink.DISCARD)).isEqualTo(bytes);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 404, 410, 429, 500, 503, 504})
    void readsEveryStatus(int status) throws IOException {
        try (Connections connections = new Connections(target(true, null));
                Connection connection = connections.open(BUFFER)) {
            Request request = Request.of("/status/" + status);
            assertThat(connection.send(request).status()).isEqualTo(status);
            ResponseReader.Prefix body = new ResponseReader.Prefix(100);
            connection.readBody(body);
            assertThat(body.text()).contains("refused");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void sendsALongToken(boolean http2) throws IOException {
        String token = "t".repeat(1_000);
        try (Connections connections = new Connections(target(http2, token));
                Connection connection = connections.open(BUFFER)) {
            assertThat(connection.send(Request.of("/token")).isOk()).isTrue();
            ResponseReader.Prefix body = new ResponseReader.Prefix(2_000);
            connection.readBody(body);
            assertThat(body.text()).isEqualTo("Bearer " + token);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void manyClientsReadAtOnceBesideOpenAnswers(boolean http2) throws Exception {
        try (Connections connections = new Connections(target(http2, null));
                ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Connection> open = new ArrayList<>();
            List<Future<Long>> endless = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                Connection connection = connections.open(BUFFER);
                assertThat(connection.send(Request.of("/open")).isOk()).isTrue();
                endless.add(clients.submit(() -> connection.readBody(BodySink.DISCARD)));
                open.add(connection);
            }
            List<Future<Long>> read = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                Callable<Long> client =
                        () -> {
                            try (Connection connection = connections.open(BUFFER)) {
                                connection.send(Request.of("/bytes/" + LARGE / 4));
                                return connection.readBody(BodySink.DISCARD);
                            }
                        };
                read.add(clients.submit(client));
            }
            for (Future<Long> bytes : read) {
                assertThat(bytes.get()).isEqualTo(LARGE / 4);
            }
            // A reader is let go by the close of its connection, from another thread.
            open.forEach(Connection::close);
            for (Future<Long> reader : endless) {
                assertThatThrownBy(reader::get).hasCauseInstanceOf(IOException.class);
            }
        }
    }

    @Test
    void tellsEveryStreamThatItsConnectionHasEnded() throws Exception {
        try (Connections connections = new Connections(target(true, null));
                ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Long>> endless = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                Connection connection = connections.open(BUFFER);
                assertThat(connection.send(Request.of("/open")).isOk()).isTrue();
                endless.add(clients.submit(() -> connection.readBody(BodySink.DISCARD)));
            }
            Connection late = connections.open(BUFFER);
            connections.close();
            for (Future<Long> reader : endless) {
                assertThatThrownBy(reader::get).hasCauseInstanceOf(IOException.class);
            }
            assertThatThrownBy(() -> late.send(Request.of("/open")))
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void http2NeedsTls() {
        URI plain = URI.create("http://127.0.0.1:1");
        assertThatThrownBy(() -> new Target("s", plain, null, certificates.anonymous(), true, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("HTTP/2 needs https://");
    }
}
