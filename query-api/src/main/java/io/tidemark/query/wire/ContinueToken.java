package io.tidemark.query.wire;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.tidemark.query.status.JsonText;
import io.tidemark.query.status.Refusals;
import io.tidemark.query.status.StatusException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.Deque;
import java.util.Iterator;
import java.util.Locale;
import java.util.Map;

/**
 * Where a list goes on, and at which revision: base64url of a small JSON document that clients and
 * other servers of the protocol know.
 *
 * @param revision of the whole list; below 0 means "as it is now", the offer that is made when a
 *     list's revision has expired
 * @param start key to start from, relative to the prefix that is listed
 * @param remaining how many objects follow from {@code start}; {@link #NOT_COUNTED} or {@link
 *     #TOO_MANY}. Not part of the protocol, so other servers leave it out and ignore it: here it
 *     saves counting again.
 */
public record ContinueToken(long revision, String start, long remaining) {
    /** Nobody has counted what follows. */
    public static final long NOT_COUNTED = -1;

    /** Somebody began to count and gave up. */
    public static final long TOO_MANY = -2;

    private static final String VERSION = "meta.k8s.io/v1";
    private static final int MAX_LENGTH = 8192;
    private static final JsonMapper JSON =
            JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();

    public String encode() {
        StringBuilder out = new StringBuilder("{\"v\":\"" + VERSION + "\",\"rv\":");
        out.append(revision).append(",\"start\":");
        JsonText.quote(out, start);
        if (remaining != NOT_COUNTED) {
            out.append(",\"remaining\":").append(remaining);
        }
        byte[] json = out.append('}').toString().getBytes(StandardCharsets.UTF_8);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(json);
    }

    /**
     * @throws StatusException 400 when it is no token that a list of objects may go on with
     */
    public static ContinueToken decode(String token) {
        ContinueToken decoded = decodeAnyStart(token);
        String start = decoded.start();
        String relative = start.startsWith("/") ? start.substring(1) : start;
        if (!clean(relative).equals("/" + relative)) {
            throw invalid(start);
        }
        return new ContinueToken(decoded.revision(), relative, decoded.remaining());
    }

    /**
     * As {@link #decode}, for lists whose keys are no paths.
     *
     * @throws StatusException 400 when it is no token
     */
    public static ContinueToken decodeAnyStart(String token) {
        JsonNode document = parse(token);
        String version = member(document, "v").asText("");
        if (!version.equals(VERSION)) {
            throw invalid("server does not recognize this encoded version " + version);
        }
        JsonNode revision = member(document, "rv");
        if (!revision.isMissingNode() && !revision.canConvertToLong()
                || revision.isFloatingPointNumber()) {
            throw invalid(mismatch(revision, "rv", "int64"));
        }
        if (revision.asLong() == 0) {
            throw invalid("incorrect encoded start resourceVersion (version " + VERSION + ")");
        }
        JsonNode start = member(document, "start");
        if (!start.isMissingNode() && !start.isTextual()) {
            throw invalid(mismatch(start, "start", "string"));
        }
        if (start.asText("").isEmpty()) {
            throw invalid("encoded start key empty (version " + VERSION + ")");
        }
        return new ContinueToken(
                revision.asLong(),
                start.asText(),
                member(document, "remaining").asLong(NOT_COUNTED));
    }

    private static String mismatch(JsonNode node, String field, String type) {
        String found =
                node.getNodeType().toString().toLowerCase(Locale.ROOT)
                        + (node.isFloatingPointNumber() ? " " + node.asText() : "");
        return "json: cannot unmarshal %s into Go struct field continueToken.%s of type %s"
                .formatted(found, field, type);
    }

    private static JsonNode parse(String token) {
        if (token.length() > MAX_LENGTH || token.indexOf('=') >= 0) {
            throw invalid("illegal base64 data at input byte " + firstBad(token));
        }
        byte[] json;
        try {
            json = Base64.getUrlDecoder().decode(token);
        } catch (IllegalArgumentException _) {
            throw invalid("illegal base64 data at input byte " + firstBad(token));
        }
        try {
            JsonNode document = JSON.readTree(json);
            return document == null ? MissingNode.getInstance() : document;
        } catch (JsonProcessingException e) {
            throw invalid("invalid JSON: " + e.getOriginalMessage());
        } catch (IOException e) {
            throw invalid("unreadable: " + e.getMessage());
        }
    }

    /** As Go finds members: whatever their case. */
    private static JsonNode member(JsonNode document, String name) {
        Iterator<Map.Entry<String, JsonNode>> members = document.properties().iterator();
        while (members.hasNext()) {
            Map.Entry<String, JsonNode> member = members.next();
            if (member.getKey().equalsIgnoreCase(name)) {
                return member.getValue();
            }
        }
        return document.path(name);
    }

    /** The shortest path of the same meaning, so that a start cannot climb out of its prefix. */
    private static String clean(String path) {
        Deque<String> segments = new ArrayDeque<>();
        for (String segment : path.split("/")) {
            if (segment.equals("..")) {
                segments.pollLast();
            } else if (!segment.isEmpty() && !segment.equals(".")) {
                segments.addLast(segment);
            }
        }
        return "/" + String.join("/", segments);
    }

    private static int firstBad(String token) {
        for (int i = 0; i < token.length(); i++) {
            char c = token.charAt(i);
            boolean good =
                    (c >= 'a' && c <= 'z')
                            || (c >= 'A' && c <= 'Z')
                            || (c >= '0' && c <= '9')
                            || c == '-'
                            || c == '_';
            if (!good) {
                return i;
            }
        }
        return Math.max(0, token.length() - 1);
    }

    private static StatusException invalid(String why) {
        return Refusals.badRequest("invalid continue token: continue key is not valid: " + why);
    }
}
