package io.tidemark.fuzz;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.github.luben.zstd.ZstdInputStream;
import io.tidemark.kubernetes.testing.ProtobufDocument;
import io.tidemark.kubernetes.wire.DecodeException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.BufferUnderflowException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.zip.GZIPInputStream;

/** Rules that every response must meet. */
final class ResponseRules {
    private static final ObjectMapper JSON =
            JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();
    private static final ObjectMapper YAML = new YAMLMapper();

    /** The text before every object in that format. */
    private static final String PROTOBUF = "k8s\u0000";

    private static final String NOT_FOUND = "404 page not found\n";

    private ResponseRules() {}

    /** The violated rule; empty for none. */
    static Optional<String> fault(FuzzRequest request, ParsedResponse answer) {
        try {
            return faultOf(request, answer, unpacked(answer));
        } catch (IOException e) {
            return Optional.of("cannot be read: " + e);
        }
    }

    /**
     * The protocol's own 504: the requested state, usually a future one, did not arrive in time.
     *
     * @param head whether there is no body to check
     */
    static boolean isWait(ParsedResponse answer, boolean head) {
        String body = new String(answer.body(), StandardCharsets.UTF_8);
        return answer.status() == 504 && (head || body.contains("Timeout: "));
    }

    private static Optional<String> faultOf(FuzzRequest request, ParsedResponse answer, byte[] body)
            throws IOException {
        int status = answer.status();
        if (answer.headers().containsKey("x-injected")) {
            return Optional.of("a header that the client made up");
        }
        Set<String> foreign = shownIn(answer, body);
        foreign.removeAll(request.mayShow());
        if (!foreign.isEmpty()) {
            return Optional.of("shows objects of " + foreign);
        }
        String text = new String(body, StandardCharsets.UTF_8);
        if (text.contains("Exception") || text.contains("\tat ") || text.contains("io.tidemark")) {
            return Optional.of("tells of its insides");
        }
        if (status == 500 && isWrongShard(request, text)) {
            return Optional.empty();
        }
        if (status >= 500 && !isWait(answer, request.head())) {
            return Optional.of("a failure of the server");
        }
        if (status >= 400) {
            return request.head() || isUnknownSchema(request, answer)
                    ? Optional.empty()
                    : faultOfRefusal(answer, text);
        }
        boolean fine = status < 300 || status == 304 || status == 101;
        if (!fine) {
            return Optional.of("a status that is never given");
        }
        return status == 200 && !request.head() ? faultOfContent(answer, text) : Optional.empty();
    }

    /** The tenants whose markers the headers, the body, or a continue token in it contain. */
    private static Set<String> shownIn(ParsedResponse answer, byte[] body) {
        Set<String> shown = new TreeSet<>(Tenants.shownIn(body));
        shown.addAll(
                Tenants.shownIn(answer.headers().toString().getBytes(StandardCharsets.ISO_8859_1)));
        for (String token : ContinueTokens.in(body)) {
            shown.addAll(Tenants.shownIn(ContinueTokens.decoded(token)));
        }
        return shown;
    }

    /** As in the API server, a wrong shard selector is a 500. */
    private static boolean isWrongShard(FuzzRequest request, String text) {
        return PathOracle.readable(request.wire()).contains("shardSelector")
                && (request.head() || text.contains("invalid shard selector: "));
    }

    /** The API server's empty response for unknown OpenAPI documents. */
    private static boolean isUnknownSchema(FuzzRequest request, ParsedResponse answer) {
        return answer.status() == 404
                && answer.body().length == 0
                && PathOracle.readable(request.wire()).contains("openapi");
    }

    private static Optional<String> faultOfRefusal(ParsedResponse answer, String text)
            throws IOException {
        if (answer.mediaType().equals("text/plain")) {
            return answer.status() == 404 && text.equals(NOT_FOUND)
                    ? Optional.empty()
                    : Optional.of("no Status");
        }
        if (answer.mediaType().equals("application/vnd.kubernetes.protobuf")) {
            boolean status =
                    text.startsWith(PROTOBUF)
                            && text.contains("v1\u0012\u0006Status")
                            && text.contains("Failure");
            return status ? Optional.empty() : Optional.of("no Status");
        }
        boolean yaml = answer.mediaType().equals("application/yaml");
        JsonNode status = (yaml ? YAML : JSON).readTree(text);
        boolean whole =
                status.path("kind").asText().equals("Status")
                        && status.path("apiVersion").asText().equals("v1")
                        && status.path("status").asText().equals("Failure")
                        && status.path("code").asInt() == answer.status()
                        && !status.path("reason").asText().isEmpty()
                        && !status.path("message").asText().isEmpty();
        return whole ? Optional.empty() : Optional.of("not a whole Status");
    }

    private static Optional<String> faultOfContent(ParsedResponse answer, String text)
            throws IOException {
        if (answer.mediaType().equals("application/vnd.kubernetes.protobuf")) {
            return answer.complete() ? faultOfProtobuf(answer, unpacked(answer)) : Optional.empty();
        }
        if (!answer.mediaType().equals("application/json")) {
            return Optional.empty();
        }
        for (String document : text.split("(?<=\\}\\n)(?=\\{)")) {
            if (document.endsWith("}\n") || answer.complete()) {
                JsonNode _ = JSON.readTree(document);
            }
        }
        return Optional.empty();
    }

    private static Optional<String> faultOfProtobuf(ParsedResponse answer, byte[] body) {
        try {
            if (answer.header("content-type").contains("stream=watch")) {
                List<ProtobufDocument.Event> _ = ProtobufDocument.events(body);
            } else {
                ProtobufDocument _ = ProtobufDocument.of(body);
            }
            return Optional.empty();
        } catch (DecodeException | BufferUnderflowException | IllegalArgumentException e) {
            return Optional.of("no protobuf: " + e);
        }
    }

    /** The body without its compression; of an incomplete one what can be read. */
    static byte[] unpacked(ParsedResponse answer) throws IOException {
        String coding = answer.header("content-encoding");
        if (coding.isEmpty() || answer.body().length == 0) {
            return answer.body();
        }
        ByteArrayOutputStream unpacked = new ByteArrayOutputStream();
        InputStream body = new ByteArrayInputStream(answer.body());
        try (InputStream in =
                coding.equals("zstd") ? new ZstdInputStream(body) : new GZIPInputStream(body)) {
            in.transferTo(unpacked);
        } catch (IOException e) {
            if (answer.complete()) {
                throw e;
            }
        }
        return unpacked.toByteArray();
    }
}
