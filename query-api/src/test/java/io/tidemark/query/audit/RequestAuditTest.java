package io.tidemark.query.audit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.authorization.Caller;
import io.tidemark.authorization.RequestAttributes.NonResourceRequest;
import io.tidemark.authorization.RequestAttributes.ResourceRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RequestAuditTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05.000678Z");
    private static final Caller JANE =
            new Caller("jane", "7", List.of("a", "b"), Map.of("scopes", List.of("x", "y")));
    private static final ResourceRequest SCALE =
            new ResourceRequest("get", "apps", "v1", "deployments", "scale", "prod", "web");

    @TempDir Path folder;
    private AuditLog log;
    private Auditor auditor;

    @BeforeEach
    void open() throws IOException {
        log = new AuditLog(folder.resolve("audit.log"), AuditLog.DEFAULT_MAX_BYTES);
        log.start();
        auditor = auditor(new AuditPolicy(AuditPolicy.ALL.rules(), Set.of()));
    }

    @Test
    void recordsTheStagesOfARequest() throws IOException {
        RequestAudit audit = auditor.begin(request("/apis/apps/v1?x=1", "kubectl/v1"));
        audit.asks(SCALE);
        audit.authenticated(JANE);
        audit.received(new Caller("joe", List.of()));
        audit.decided(true, () -> "by a role");
        audit.started(200);
        audit.complete(200, "");
        List<JsonNode> events = events();
        assertThat(events)
                .extracting(event -> event.path("stage").asText())
                .containsExactly("RequestReceived", "ResponseStarted", "ResponseComplete");
        assertThat(events.getLast())
                .isEqualTo(
                        JSON.readTree(
                                """
                                {"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata",
                                 "auditID":"%s","stage":"ResponseComplete",
                                 "requestURI":"/apis/apps/v1?x=1","verb":"get",
                                 "user":{"username":"jane","uid":"7","groups":["a","b"],
                                         "extra":{"scopes":["x","y"]}},
                                 "impersonatedUser":{"username":"joe"},
                                 "sourceIPs":["10.1.2.3"],"userAgent":"kubectl/v1",
                                 "objectRef":{"resource":"deployments","namespace":"prod",
                                   "name":"web","apiGroup":"apps","apiVersion":"v1",
                                   "subresource":"scale"},
                                 "responseStatus":{"metadata":{},"code":200},
                                 "requestReceivedTimestamp":"2026-01-02T03:04:05.000678Z",
                                 "stageTimestamp":"2026-01-02T03:04:05.000678Z",
                                 "annotations":{"authorization.k8s.io/decision":"allow",
                                   "authorization.k8s.io/reason":"by a role"}}
                                """
                                        .formatted(audit.id())));
    }

    @Test
    void recordsARequestThatFailedToAuthenticate() throws IOException {
        RequestAudit audit = auditor.begin(request("/metrics", ""));
        audit.asks(new NonResourceRequest("get", "/metrics"));
        audit.complete(401, "Unauthorized");
        assertThat(events()).hasSize(1);
        JsonNode event = events().getFirst();
        assertThat(event.path("user")).isEmpty();
        assertThat(event.path("responseStatus").path("code").asInt()).isEqualTo(401);
        assertThat(event.path("responseStatus").path("message").asText()).isEqualTo("Unauthorized");
        assertThat(event.has("objectRef")).isFalse();
    }

    @Test
    void completesOnceWhoeverIsFirst() throws Exception {
        for (int round = 0; round < 200; round++) {
            RequestAudit audit = auditor.begin(request("/x", ""));
            List<Thread> ends = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                int status = 200 + i;
                ends.add(Thread.ofVirtual().start(() -> audit.complete(status, "")));
            }
            for (Thread end : ends) {
                end.join();
            }
        }
        assertThat(events()).hasSize(200);
        assertThat(events().stream().map(event -> event.path("auditID").asText()))
                .doesNotHaveDuplicates();
    }

    @Test
    void aHostileClientMakesNoSecondLine() throws IOException {
        String hostile = "a\n{\"kind\":\"Event\"}\r\u2028\u0085\u0000\"\\\ud800 é";
        RequestAudit audit = auditor.begin(request("/" + hostile, hostile + "x".repeat(5_000)));
        audit.asks(new ResourceRequest(hostile, hostile, hostile, hostile, hostile, hostile, ""));
        audit.authenticated(
                new Caller(hostile, hostile, List.of(hostile), Map.of("a", List.of(hostile))));
        audit.received(new Caller(hostile, List.of()));
        audit.decided(false, () -> hostile);
        audit.complete(403, hostile);
        assertThat(events()).hasSize(2);
        assertThat(Files.readString(folder.resolve("audit.log")).split("\\R")).hasSize(2);
        assertThat(events().getLast().path("userAgent").asText())
                .hasSizeLessThan(1_100)
                .endsWith("...TRUNCATED");
        assertThat(events().getLast().path("responseStatus").path("message").asText())
                .startsWith("a\n{\"kind\":\"Event\"}\r\u2028\u0085\u0000\"\\");
    }

    @Test
    void recordsNothingThatThePolicyOmits() throws IOException {
        auditor = auditor(new AuditPolicy(List.of(), Set.of()));
        RequestAudit audit = auditor.begin(request("/x", ""));
        audit.authenticated(JANE);
        audit.received(JANE);
        audit.complete(200, "");
        assertThat(events()).isEmpty();
    }

    private Auditor auditor(AuditPolicy policy) {
        return new Auditor(() -> policy, log, InstantSource.fixed(NOW));
    }

    private static AuditedRequest request(String uri, String agent) {
        return new AuditedRequest(uri, List.of("10.1.2.3"), agent, NOW);
    }

    private List<JsonNode> events() throws IOException {
        log.close();
        List<JsonNode> events = new ArrayList<>();
        for (String line : Files.readString(folder.resolve("audit.log")).split("\n")) {
            if (!line.isEmpty()) {
                events.add(JSON.readTree(line));
            }
        }
        return events;
    }
}
