package io.tidemark.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.http.testing.RawHttp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT) // The tests mostly wait.
class BoundedConnectorTest {
    private static final String GET = "GET /quick HTTP/1.1\r\nHost: localhost\r\n\r\n";
    private static final String SLOW = "GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n";

    private final CountDownLatch slow = new CountDownLatch(1);
    private final List<RawHttp> clients = new ArrayList<>();
    private final AtomicInteger inFlight = new AtomicInteger();
    private HttpServer server;

    private void start(ConnectionLimits limits) {
        HttpServerSettings settings =
                new HttpServerSettings("127.0.0.1", 0, 32 << 10, Duration.ofMinutes(1))
                        .withConnections(limits);
        server =
                new HttpServer(
                        settings,
                        ErrorBody.TEXT,
                        config -> {
                            config.routes.get("/quick", context -> context.result("quick"));
                            config.routes.get(
                                    "/slow",
                                    context -> {
                                        inFlight.incrementAndGet();
                                        slow.await();
                                        context.result("slow");
                                    });
                        });
        server.start();
    }

    @AfterEach
    void stop() throws Exception {
        slow.countDown();
        for (RawHttp client : clients) {
            client.close();
        }
        server.close();
    }

    private RawHttp client(String from) throws Exception {
        RawHttp client =
                RawHttp.connect(
                        "http://127.0.0.1:" + server.port(),
                        RawHttp.Options.DEFAULT.withFrom(from));
        clients.add(client);
        return client;
    }

    private void awaitInFlight(int count) {
        await().until(() -> inFlight.get() == count);
    }

    private void awaitOpen(int count) {
        await().until(() -> server.connections().open() == count);
    }

    @Test
    void idleConnectionsAboveTheLimitBlockNoClient() throws Exception {
        start(ConnectionLimits.of(20, 10));
        for (int i = 0; i < 60; i++) {
            client("127.0.0.1");
        }

        assertThat(client("127.0.0.2").ask(GET)).endsWith("quick");
        assertThat(client("127.0.0.1").ask(GET)).endsWith("quick");
        awaitOpen(11);
        assertThat(server.connections().refused()).isZero();
    }

    @Test
    void incompleteRequestsAboveTheLimitBlockNoClient() throws Exception {
        start(ConnectionLimits.of(20, 10));
        for (int i = 0; i < 50; i++) {
            try {
                client("127.0.0.1").send("GET /quick HTTP/1.1\r\nHost: localhost\r\nX: ");
            } catch (java.net.SocketException _) {
                // Evicted by the next connection.
            }
        }
        assertThat(client("127.0.0.2").ask(GET)).endsWith("quick");
    }

    @Test
    void slowsDownOnlyTheClientThatOpensConnectionsTooFast() throws Exception {
        start(ConnectionLimits.of(200, 100)); // Ten connections a second after the first hundred.
        for (int i = 0; i < 400; i++) {
            client("127.0.0.1").close();
        }
        await().until(() -> server.connections().refused() > 0);
        assertThat(client("127.0.0.2").ask(GET)).endsWith("quick");
    }

    @Test
    void refusesAClientAboveItsLimitOfBusyConnections() throws Exception {
        start(ConnectionLimits.of(20, 2));
        RawHttp first = client("127.0.0.1");
        first.send(SLOW);
        client("127.0.0.1").send(SLOW);
        awaitInFlight(2);

        // A refused connection without a request within 2 s is closed without an answer.
        await().ignoreExceptions()
                .untilAsserted(() -> {
                    RawHttp third = client("127.0.0.1");
                    assertThat(third.ask(GET))
                            .startsWith("HTTP/1.1 429 ")
                            .contains("Retry-After: 1")
                            .contains("too many connections of this client");
                    assertThat(third.isClosedByServer()).isTrue();
                });
        assertThat(client("127.0.0.2").ask(GET)).endsWith("quick");
        assertThat(server.connections().refused()).isPositive();

        slow.countDown();
        assertThat(first.response().text()).endsWith("slow");
        // The first connection may be closed for another only some time after its response.
        await().ignoreExceptions().until(() -> client("127.0.0.1").ask(GET).endsWith("quick"));
    }

    @Test
    void refusesAllClientsWhenAllConnectionsAreBusy() throws Exception {
        start(ConnectionLimits.of(2, 1));
        client("127.0.0.1").send(SLOW);
        client("127.0.0.2").send(SLOW);
        awaitInFlight(2);

        await().ignoreExceptions()
                .untilAsserted(() ->
                        assertThat(client("127.0.0.3").ask(GET))
                                .startsWith("HTTP/1.1 503 ")
                                .contains("too many connections"));
    }

    @Test
    void disconnectsWithoutAnAnswerWhenManyAreRefusedAtOnce() throws Exception {
        start(ConnectionLimits.of(10, 1));
        client("127.0.0.1").send(SLOW);
        awaitInFlight(1);
        List<RawHttp> refused = new ArrayList<>();
        for (int i = 0; i < 80; i++) {
            refused.add(client("127.0.0.1"));
        }
        // Connections that send nothing are closed too.
        for (RawHttp each : refused) {
            assertThat(each.isClosedByServer()).isTrue();
        }
        assertThat(server.connections().refused()).isEqualTo(80);
        assertThat(server.connections().open()).isEqualTo(1);
    }

    @Test
    void closesOnlyIdleConnections() throws Exception {
        start(new ConnectionLimits(10, 10, Duration.ofSeconds(5)));
        RawHttp busy = client("127.0.0.1");
        busy.send(SLOW);
        RawHttp unused = client("127.0.0.1");
        RawHttp used = client("127.0.0.1");
        assertThat(used.ask(GET)).endsWith("quick");

        assertThat(unused.isClosedByServer()).isTrue();
        assertThat(used.isClosedByServer()).isTrue();
        slow.countDown();
        assertThat(busy.response().text()).endsWith("slow");
    }
}
