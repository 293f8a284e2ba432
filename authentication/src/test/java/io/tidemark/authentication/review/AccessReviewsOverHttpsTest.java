package io.tidemark.authentication.review;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.tidemark.authentication.remote.OriginServer;
import io.tidemark.authorization.AuthorizerUnavailableException;
import io.tidemark.authorization.Caller;
import io.tidemark.authorization.RequestAttributes;
import io.tidemark.authorization.RequestAttributes.NonResourceRequest;
import io.tidemark.credentials.testing.TestCertificates;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A server that answers over real HTTPS: well, wrongly, at great length, late or never. */
class AccessReviewsOverHttpsTest {
    private static final Caller JANE = new Caller("jane", List.of("dev"));
    private static final RequestAttributes METRICS = new NonResourceRequest("get", "/metrics");
    private static final String ALLOW =
            "{\"kind\":\"SubjectAccessReview\",\"status\":{\"allowed\":true}}";

    @TempDir private Path folder;

    private final AtomicInteger requests = new AtomicInteger();
    private final CountDownLatch end = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private volatile Handler handler = exchange -> send(exchange, 201, ALLOW);
    private HttpsServer server;
    private OriginServer origin;
    private AccessReviewer reviewer;

    private interface Handler {
        void handle(HttpExchange exchange) throws IOException, InterruptedException;
    }

    @BeforeEach
    void start() throws Exception {
        TestCertificates certificates = new TestCertificates(folder);
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(certificates.server().context()));
        server.setExecutor(threads);
        server.createContext(
                "/apis/authorization.k8s.io/v1/subjectaccessreviews",
                exchange -> {
                    requests.incrementAndGet();
                    exchange.getRequestBody().readAllBytes();
                    try {
                        handler.handle(exchange);
                    } catch (InterruptedException _) {
                        Thread.currentThread().interrupt();
                    }
                });
        server.start();
        Path token = Files.writeString(folder.resolve("token"), "sekret\n");
        Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
        origin =
                new OriginServer(
                        "https://127.0.0.1:" + server.getAddress().getPort(),
                        Optional.of(certificates.authorityFile()),
                        token);
        // With time it would stop to repeat a question after 2 s: busy machines take longer.
        reviewer = new AccessReviewer(origin::create, Thread::sleep, () -> 0);
        // The first handshake of a JVM may take longer than the time-out on a busy machine.
        Awaitility.await()
                .ignoreExceptions()
                .until(() ->
                        reviewer.decide(JANE, new NonResourceRequest("get", "/warm")).isAllowed());
        requests.set(0);
    }

    @AfterEach
    void stop() {
        end.countDown();
        server.stop(0);
        threads.close();
    }

    private static void send(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private void isUnavailable() {
        assertThatThrownBy(() -> reviewer.decide(JANE, METRICS))
                .isInstanceOf(AuthorizerUnavailableException.class)
                .hasMessageNotContaining("sekret")
                .hasMessageNotContaining("jane");
    }

    @Test
    void allowsWhatTheServerAllows() throws Exception {
        assertThat(reviewer.decide(JANE, METRICS).isAllowed()).isTrue();
        assertThat(reviewer.decide(JANE, METRICS).isAllowed()).isTrue();
        assertThat(requests).hasValue(1);
    }

    @ParameterizedTest
    @CsvSource({"400, 1", "401, 1", "403, 1", "404, 1", "302, 1", "429, 3", "500, 3", "503, 3"})
    void repeatsOnlyWhatMaySucceed(int status, int attempts) {
        handler = exchange -> send(exchange, status, ALLOW);
        isUnavailable();
        assertThat(requests).hasValue(attempts);
    }

    @Test
    void survivesAFailureInBetween() throws Exception {
        handler = exchange -> send(exchange, requests.get() < 3 ? 503 : 201, ALLOW);
        assertThat(reviewer.decide(JANE, METRICS).isAllowed()).isTrue();
        assertThat(requests).hasValue(3);
    }

    @Test
    void readsNoHugeAnswer() {
        handler =
                exchange ->
                        send(
                                exchange,
                                201,
                                ALLOW.replace(
                                        "\"allowed\"",
                                        "\"reason\":\"" + "x".repeat(2 << 20) + "\",\"allowed\""));
        isUnavailable();
    }

    @Test
    void givesUpOnAServerThatNeverAnswers() {
        handler = _ -> end.await();
        reviewer = new AccessReviewer(origin);
        isUnavailable();
        assertThat(requests).hasValue(1);
    }

    @Test
    void isUnavailableWithoutAServer() {
        server.stop(0);
        isUnavailable();
    }
}
