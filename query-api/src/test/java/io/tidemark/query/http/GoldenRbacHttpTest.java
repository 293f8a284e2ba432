package io.tidemark.query.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.authentication.AuthenticatorChain;
import io.tidemark.authentication.TokenFile;
import io.tidemark.kubernetes.KubernetesDecoder;
import io.tidemark.kubernetes.wire.DecodeResult;
import io.tidemark.query.QueryConfig;
import io.tidemark.query.QueryNodeFixture;
import io.tidemark.query.access.AccessSettings;
import io.tidemark.query.access.AccessSettings.Authorization.Mirrored;
import io.tidemark.query.golden.EtcdSnapshot;
import io.tidemark.query.golden.Golden;
import io.tidemark.record.Bytes;
import io.tidemark.serving.testing.MirroredCluster;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a real API server answered to 64 users, sent again over HTTP to a node whose mirror holds
 * the same RBAC objects and whose token file is the same. Whether a request is allowed, 401 and 403
 * bodies, reviews, and 404 or 405 for what is not served are the same but for {@link #DEVIATIONS}.
 */
class GoldenRbacHttpTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String PREFIX = "/registry/";
    private static final String RBAC = "(cluster)?role(binding)?s/.*";

    /** URIs that are judged differently, as patterns, with the reason. */
    private static final Map<String, String> DEVIATIONS =
            Map.of(
                    "/api/v1/proxy/.*", "no verb proxy: objects of a resource of that name",
                    "/apis/apps/v1/proxy", "the API server fails before it decides",
                    "/api/v1/watch/?", "the API server fails before it decides",
                    ".*\\?watch=true;.*", "a semicolon is a part of the value",
                    "/kv.*", "keys need the right to their objects too",
                    ".*=%zz", "an invalid escape is an error");

    /** Categories of paths that are unknown to the API server, or whose object is missing. */
    private static final Set<String> UNSERVED = Set.of("odd", "unknown", "sub", "discovery");

    @TempDir private Path folder;
    private final TreeSet<String> differences = new TreeSet<>();
    private int compared;

    @Test
    void answersAsTheRecordedApiServer() throws Exception {
        MirroredCluster cluster = cluster();
        Map<String, String> tokens = tokens();
        AccessSettings access =
                new AccessSettings(
                        Optional.of(
                                new AuthenticatorChain(
                                        List.of(), List.of(new TokenFile(tokenFile())), true)),
                        new Mirrored(Duration.ofMinutes(5)));
        try (QueryNodeFixture fixture =
                new QueryNodeFixture(cluster, (QueryConfig config) -> config.withAccess(access))) {
            fixture.awaitReady();
            for (JsonNode row : rows()) {
                replay(row, fixture.url, tokens);
            }
        }
        assertThat(differences).as("%d of %d differ", differences.size(), compared).isEmpty();
        assertThat(compared).isGreaterThan(2_500);
    }

    private void replay(JsonNode row, String url, Map<String, String> tokens) throws IOException {
        JsonNode request = row.path("request");
        String uri = request.path("path").asText();
        if (DEVIATIONS.keySet().stream().anyMatch(uri::matches)) {
            return;
        }
        JsonNode expected = row.path("response");
        int status = expected.path("status").asInt();
        Reply reply = send(url, row, tokens);
        boolean refused = status == 401 || status == 403;
        boolean health = uri.matches("/(livez|readyz|healthz)(\\?.*)?") && reply.status() == 200;
        if (health && !refusesImpersonation(row)) {
            return; // The result is open to everyone.
        }
        compare(row, "status", refused ? status : 0, isRefusal(reply) ? reply.status() : 0);
        if ((status == 404 || status == 405) && UNSERVED.contains(row.path("category").asText())) {
            compare(row, "unserved", status, reply.status());
        }
        if (!refused && status != 201 && status != 422) {
            return;
        }
        JsonNode body = expected.path("body");
        if (refused && isRefusal(reply) && body.isObject()) {
            if (row.path("category").asText().equals("impersonate.later")) {
                return; // Which mode is named depends on earlier requests.
            }
            compare(row, "body", inOrder(body), inOrder(reply.json()));
        } else if (status == 201) {
            compareReview(row, body, reply.json());
        } else if (status == 422) {
            compare(row, "body", body, reply.json());
        }
    }

    private static boolean refusesImpersonation(JsonNode row) {
        return row.path("request").path("headers").has("Impersonate-User");
    }

    private void compareReview(JsonNode row, JsonNode expected, JsonNode actual) {
        JsonNode status = expected.path("status");
        compare(row, "kind", expected.path("kind"), actual.path("kind"));
        if (status.has("allowed")) {
            compare(row, "allowed", status.path("allowed"), actual.path("status").path("allowed"));
        } else if (status.has("userInfo")) {
            compare(row, "userInfo", status, actual.path("status"));
        } else {
            for (String rules : new String[] {"resourceRules", "nonResourceRules"}) {
                compare(
                        row,
                        rules,
                        sorted(status.path(rules)),
                        sorted(actual.path("status").path(rules)));
            }
        }
    }

    private static List<String> sorted(JsonNode array) {
        List<String> texts = new ArrayList<>();
        array.forEach(each -> texts.add(each.toString()));
        texts.sort(null);
        return texts;
    }

    /** Several errors in brackets come in any order. */
    private static String inOrder(JsonNode body) {
        String message = body.path("message").asText();
        int from = message.indexOf('[');
        if (from >= 0 && message.endsWith("]")) {
            String[] errors = message.substring(from + 1, message.length() - 1).split(", ");
            Arrays.sort(errors);
            message = message.substring(0, from) + Arrays.toString(errors);
        }
        return message + " " + body.path("reason") + body.path("details") + body.path("code");
    }

    private void compare(JsonNode row, String what, Object expected, Object actual) {
        compared++;
        if (!expected.equals(actual)) {
            differences.add(
                    "%s %s %s %s %s: %s: expected %s, was %s"
                            .formatted(
                                    row.path("id").asText(),
                                    row.path("category").asText(),
                                    row.path("user").path("name").asText(),
                                    row.path("authorization").asText(),
                                    row.path("request"),
                                    what,
                                    expected,
                                    actual));
        }
    }

    private record Reply(int status, String text) {
        JsonNode json() {
            try {
                return JSON.readTree(text);
            } catch (IOException e) {
                return JSON.getNodeFactory().textNode(text);
            }
        }
    }

    private static boolean isRefusal(Reply reply) {
        return reply.status() == 401 || reply.status() == 403;
    }

    /** Bytes as they were recorded: no client sends some of these paths and headers. */
    private static Reply send(String url, JsonNode row, Map<String, String> tokens)
            throws IOException {
        JsonNode request = row.path("request");
        StringBuilder head = new StringBuilder();
        head.append(request.path("method").asText()).append(' ');
        head.append(request.path("path").asText()).append(" HTTP/1.1\r\nHost: localhost\r\n");
        head.append("Connection: close\r\n");
        if (row.path("authorization").isTextual()) {
            String token = tokens.getOrDefault(row.path("user").path("name").asText(), "");
            String header = row.path("authorization").asText().replace("{token}", token);
            head.append("Authorization: ").append(header).append("\r\n");
        }
        request.path("headers")
                .properties()
                .forEach(header -> {
                    List<JsonNode> values = new ArrayList<>();
                    if (header.getValue().isArray()) {
                        header.getValue().forEach(values::add);
                    } else {
                        values.add(header.getValue());
                    }
                    values.forEach(value ->
                            head.append(header.getKey())
                                    .append(": ")
                                    .append(value.asText())
                                    .append("\r\n"));
                });
        byte[] body = request.path("body").asText("").getBytes(StandardCharsets.UTF_8);
        head.append("Content-Length: ").append(body.length).append("\r\n\r\n");
        URI server = URI.create(url);
        try (Socket socket = new Socket(server.getHost(), server.getPort())) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream().write(head.toString().getBytes(StandardCharsets.UTF_8));
            socket.getOutputStream().write(body);
            socket.getOutputStream().flush();
            return reply(socket.getInputStream());
        }
    }

    /** The status, and the body of a refusal or a review; a watch is closed after its status. */
    private static Reply reply(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) {
            line.write(c);
        }
        int status = Integer.parseInt(line.toString(StandardCharsets.US_ASCII).split(" ")[1]);
        if (status == 200) {
            return new Reply(status, "");
        }
        String rest = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        int body = rest.indexOf("\r\n\r\n") + 4;
        String text = rest.substring(body);
        boolean chunked = rest.substring(0, body).toLowerCase().contains("chunked");
        return new Reply(status, chunked ? text.substring(text.indexOf('\n') + 1) : text);
    }

    private MirroredCluster cluster() throws IOException {
        MirroredCluster cluster = new MirroredCluster(4, 4191);
        KubernetesDecoder decoder = new KubernetesDecoder();
        Map<String, byte[]> rbac = new HashMap<>();
        EtcdSnapshot.read(file("rbac-snapshot.db.xz"))
                .tailMap(PREFIX)
                .forEach((key, value) -> {
                    if (key.startsWith(PREFIX) && key.substring(PREFIX.length()).matches(RBAC)) {
                        rbac.put(key, value);
                    }
                });
        assertThat(rbac.size()).isGreaterThan(250);
        List<MirroredCluster.Op> ops = new ArrayList<>();
        rbac.forEach((key, value) -> {
            String json =
                    decoder.decode(value) instanceof DecodeResult.Json decoded
                            ? new String(decoded.json().array(), StandardCharsets.UTF_8)
                            : new String(value, StandardCharsets.UTF_8);
            ops.add(
                    new MirroredCluster.Op(
                            Bytes.utf8(key), revision -> withRevision(json, revision)));
        });
        cluster.txn(ops);
        return cluster;
    }

    private static String withRevision(String json, long revision) {
        try {
            com.fasterxml.jackson.databind.node.ObjectNode tree =
                    (com.fasterxml.jackson.databind.node.ObjectNode) JSON.readTree(json);
            tree.withObject("/metadata").put("resourceVersion", Long.toString(revision));
            return tree.toString();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<JsonNode> rows() throws IOException {
        List<JsonNode> rows = Golden.lines(file("rbac.jsonl.gz"));
        return rows.subList(1, rows.size());
    }

    private Path tokenFile() throws IOException {
        Path copy = folder.resolve("tokens.csv");
        Files.copy(file("rbac-users.csv"), copy, StandardCopyOption.REPLACE_EXISTING);
        Files.setPosixFilePermissions(copy, PosixFilePermissions.fromString("rw-------"));
        return copy;
    }

    private static Map<String, String> tokens() throws IOException {
        Map<String, String> tokens = new HashMap<>();
        for (String line : Files.readAllLines(file("rbac-users.csv"))) {
            List<String> columns = csv(line);
            tokens.put(columns.get(1), columns.get(0));
        }
        return tokens;
    }

    private static List<String> csv(String line) {
        List<String> columns = new ArrayList<>();
        StringBuilder column = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (c == '"' && quoted && i + 1 < line.length() && line.charAt(i + 1) == '"') {
                column.append('"');
                i++;
            } else if (c == '"') {
                quoted = !quoted;
            } else if (c == ',' && !quoted) {
                columns.add(column.toString());
                column.setLength(0);
            } else {
                column.append(c);
            }
        }
        columns.add(column.toString());
        return columns;
    }

    private static Path file(String name) {
        Path file = Golden.shared().resolve("golden").resolve(name);
        Assumptions.assumeTrue(
                Files.exists(file), "no recorded decisions of an API server at " + file);
        return file;
    }
}
