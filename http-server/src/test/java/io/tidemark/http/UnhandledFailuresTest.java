package io.tidemark.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.javalin.http.Context;
import io.tidemark.http.testing.TestHttpClient;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class UnhandledFailuresTest {
    private static final String REQUEST = "GET /later HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";

    private final BlockingQueue<Context> begun = new LinkedBlockingQueue<>();
    private final CompletableFuture<Void> over = new CompletableFuture<>();

    private HttpServer started() {
        HttpServer server =
                new HttpServer(
                        new HttpServerSettings("127.0.0.1", 0, 32 << 10, Duration.ofMinutes(1)),
                        ErrorBody.TEXT,
                        config -> {
                            config.routes.get(
                                    "/later",
                                    context -> {
                                        context.future(() -> over);
                                        begun.add(context);
                                    });
                            config.routes.get(
                                    "/wrong",
                                    _ -> {
                                        throw new IllegalStateException("made so by the test");
                                    });
                        });
        server.start();
        return server;
    }

    @Test
    void answersAnUnexpectedFailure() throws Exception {
        try (HttpServer server = started()) {
            TestHttpClient client = new TestHttpClient("http://127.0.0.1:" + server.port());
            assertThat(client.get("/wrong").status()).isEqualTo(500);
        }
    }

    /** Javalin handled each failure by another one, a hundred thousand times a second. */
    @Test
    @Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void theEndOfAReleasedResponseIsTheEnd() throws Exception {
        try (HttpServer server = started();
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.getOutputStream().write(REQUEST.getBytes(StandardCharsets.US_ASCII));
            Context context = begun.poll(3, TimeUnit.MINUTES);
            Awaitility.await().until(() -> context.req().isAsyncStarted());
            // As Jetty does when the connection breaks.
            context.req().getAsyncContext().complete();
            Awaitility.await().until(() -> isReleased(context));

            assertThat(over.complete(null)).isTrue();
        }
    }

    private static boolean isReleased(Context context) {
        try {
            return context.res().getStatus() < 0;
        } catch (IllegalStateException _) {
            return true;
        }
    }
}
