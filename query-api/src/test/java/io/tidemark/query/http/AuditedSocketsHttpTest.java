package io.tidemark.query.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.authorization.Authorizer;
import io.tidemark.authorization.Caller;
import io.tidemark.authorization.Decision;
import io.tidemark.authorization.RequestAttributes;
import io.tidemark.http.testing.RawHttp;
import io.tidemark.query.QueryNodeFixture;
import io.tidemark.query.access.AccessSettings;
import io.tidemark.query.access.AccessSettings.Authorization;
import io.tidemark.query.access.AccessSettings.Authorization.Given;
import io.tidemark.query.access.AccessSettings.Authorization.Mirrored;
import io.tidemark.query.audit.AuditPolicy;
import io.tidemark.query.testing.AuditEvents;
import io.tidemark.query.testing.FakeCallers;
import io.tidemark.query.testing.RawSocket;
import io.tidemark.query.testing.Rights;
import io.tidemark.query.testing.SocketForTests;
import io.tidemark.serving.testing.MirroredCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The audit log of watches over WebSockets: each begins once, and ends once, when it does. */
class AuditedSocketsHttpTest {
    private static final String PODS = "/api/v1/namespaces/blue/pods?";
    private static final String VERBS = "get,list,watch";
    private static final String TOKEN = "Authorization: Bearer ann";
    private static final String STARTED = "ResponseStarted";
    private static final String COMPLETE = "ResponseComplete";

    @TempDir private Path folder;

    private final MirroredCluster cluster = new MirroredCluster(4, 100);
    private final Rights rights = new Rights(cluster);
    private AuditEvents events;
    private QueryNodeFixture node;

    @BeforeEach
    void start() {
        events = new AuditEvents(folder.resolve("audit.log"));
        cluster.pod("blue", "mine", Map.of());
        rights.grant("ann", "blue", VERBS, "pods");
        start(new Mirrored(Duration.ofMinutes(5)));
        node.awaitReady();
    }

    private void start(Authorization authorization) {
        AccessSettings access =
                new AccessSettings(Optional.of(new FakeCallers().with("ann")), authorization);
        node =
                new QueryNodeFixture(
                        cluster,
                        config ->
                                config.withAccess(access)
                                        .withAudit(events.settings(AuditPolicy.ALL)));
    }

    @AfterEach
    void stop() {
        node.close();
    }

    private SocketForTests watch(String more) throws Exception {
        return new SocketForTests(
                node.url, PODS + "watch=1&" + more, List.of(), "Authorization", "Bearer ann");
    }

    /** After all requests: no line comes later. */
    private JsonNode onlyEnd() throws IOException {
        events.complete("watch=1");
        node.close();
        assertThat(events.of(STARTED, "watch=1"))
                .extracting(AuditedSocketsHttpTest::code)
                .containsExactly(101);
        List<JsonNode> ends = events.of(COMPLETE, "watch=1");
        assertThat(ends).extracting(AuditedSocketsHttpTest::code).containsExactly(101);
        return ends.getFirst();
    }

    private static int code(JsonNode event) {
        return event.path("responseStatus").path("code").asInt();
    }

    @Test
    void aWatchIsCompleteWhenItsClientLeaves() throws Exception {
        try (SocketForTests socket = watch("")) {
            assertThat(socket.next(1)).containsExactly("ADDED mine@101");
            node.client.get(PODS + "later", "Authorization", "Bearer ann");
            events.complete("later");
            assertThat(events.of(STARTED, "watch=1")).hasSize(1);
            assertThat(events.of(COMPLETE, "watch=1")).isEmpty();
            socket.bye();
            onlyEnd();
        }
    }

    @Test
    void aWatchIsCompleteAtItsTimeout() throws Exception {
        try (SocketForTests socket = watch("timeoutSeconds=1")) {
            assertThat(socket.rest()).containsExactly("ADDED mine@101");
        }
        onlyEnd();
    }

    @Test
    void aWatchIsCompleteWhenItsRightIsRevoked() throws Exception {
        try (SocketForTests socket = watch("")) {
            assertThat(socket.next(1)).containsExactly("ADDED mine@101");
            rights.revoke("ann", "blue", VERBS, "pods");
            assertThat(socket.rest()).containsExactly("ERROR 403");
        }
        assertThat(onlyEnd().path("annotations").path("authorization.k8s.io/decision").asText())
                .isEqualTo("forbid");
    }

    @Test
    void aWatchIsCompleteWhenTheNodeStops() throws Exception {
        try (SocketForTests socket = watch("")) {
            assertThat(socket.next(1)).containsExactly("ADDED mine@101");
            node.node.close();
            onlyEnd();
        }
    }

    @Test
    void aFailureOfTheServerIsAPanicBeforeTheEnd() throws Exception {
        node.close();
        start(new Given(new AllowsOnce()));
        try (SocketForTests socket = watch("")) {
            assertThat(socket.rest()).isEmpty();
            assertThat(socket.closedWith()).isEqualTo(1011);
        }
        onlyEnd();
        assertThat(events.of("Panic", "watch=1")).hasSize(1);
    }

    /** Allows the first request, and fails when that is judged again. */
    private static final class AllowsOnce implements Authorizer {
        private final AtomicInteger decisions = new AtomicInteger();

        @Override
        public Decision decide(Caller caller, RequestAttributes request) {
            if (decisions.getAndIncrement() > 0) {
                throw new IllegalStateException("made so by the test");
            }
            return Decision.allowed(() -> "");
        }

        @Override
        public Standing standing() {
            return new Standing(decisions.get(), Standing.ANY_EPOCH, Long.MAX_VALUE);
        }

        @Override
        public Runnable onChange(Runnable listener) {
            return () -> {};
        }
    }

    @Test
    void aRefusedHandshakeIsCompleteAtOnce() throws Exception {
        String path = PODS + "watch=1";
        List<String[]> wrong =
                List.of(
                        new String[] {TOKEN, "Sec-WebSocket-Version: 13"},
                        RawSocket.handshake(TOKEN, "Origin: https://evil.example"));
        for (String[] headers : wrong) {
            RawSocket.open(node.url, path, headers).close();
        }
        node.close();
        assertThat(events.of(COMPLETE, "watch=1"))
                .extracting(AuditedSocketsHttpTest::code)
                .as("of two connections")
                .containsExactlyInAnyOrder(400, 403);
        assertThat(events.of(STARTED, "watch=1")).isEmpty();
    }

    @Test
    void clientsThatLeaveAtOnceAreCompleteOnce() throws Exception {
        int clients = 50;
        for (int i = 0; i < clients; i++) {
            try (RawHttp connection = RawHttp.connect(node.url)) {
                connection.send(
                        "GET %swatch=1&n=%d- HTTP/1.1\r\nHost: localhost\r\n".formatted(PODS, i)
                                + "Connection: Upgrade\r\nUpgrade: websocket\r\n"
                                + String.join("\r\n", RawSocket.handshake(TOKEN))
                                + "\r\n\r\n");
            }
        }
        for (int i = 0; i < clients; i++) {
            events.complete("n=" + i + "-");
        }
        node.close();
        assertThat(events.of(COMPLETE, "watch=1")).hasSize(clients);
    }
}
