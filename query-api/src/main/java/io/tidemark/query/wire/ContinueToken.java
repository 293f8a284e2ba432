package io.tidemark.query.wire;

import io.tidemark.json.JsonBuffer;
import io.tidemark.json.MalformedJsonException;
import io.tidemark.serving.status.StatusErrors;
import io.tidemark.serving.status.StatusException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.Deque;

/**
 * The key and revision where a list continues: base64url of a small JSON document that clients and
 * other API servers understand. The document names the epoch of the revision if that is not the
 * first; other API servers ignore it.
 *
 * @param revision revision of the whole list; below 0 means the newest, which the server offers
 *     when a list's revision has expired
 * @param start key to start from, relative to the listed prefix
 * @param epoch of the revision; a token that names none is of the first
 */
public record ContinueToken(long revision, String start, long epoch) {
    private static final long FIRST_EPOCH = 1;
    private static final String VERSION = "meta.k8s.io/v1";

    /** A longer token is refused. */
    public static final int MAX_LENGTH = 8192;

    /** A token of the first epoch, or of none if the revision is below 0. */
    public ContinueToken(long revision, String start) {
        this(revision, start, FIRST_EPOCH);
    }

    public String encode() {
        StringBuilder out = new StringBuilder("{\"v\":\"" + VERSION + "\",\"rv\":");
        out.append(revision).append(",\"start\":").append(JsonBuffer.quoted(start));
        if (epoch != FIRST_EPOCH) {
            out.append(",\"epoch\":").append(epoch);
        }
        byte[] json = out.append('}').toString().getBytes(StandardCharsets.UTF_8);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(json);
    }

    /**
     * @throws StatusException 400 when it is not a token of a list of objects
     */
    public static ContinueToken decode(String token) {
        ContinueToken decoded = decodeAnyStart(token);
        String start = decoded.start();
        String relative = start.startsWith("/") ? start.substring(1) : start;
        if (!clean(relative).equals("/" + relative)) {
            throw invalid(start);
        }
        return new ContinueToken(decoded.revision(), relative, decoded.epoch());
    }

    /**
     * As {@link #decode}, for lists whose keys are not paths.
     *
     * @throws StatusException 400 when it is not a token
     */
    public static ContinueToken decodeAnyStart(String token) {
        TokenDocument document;
        try {
            document = TokenDocument.read(bytesOf(token));
        } catch (MalformedJsonException e) {
            throw invalid(e.problem());
        }
        if (!document.version().equals(VERSION)) {
            throw invalid("server does not recognize this encoded version " + document.version());
        }
        if (document.revision() == 0) {
            throw invalid("incorrect encoded start resourceVersion (version " + VERSION + ")");
        }
        if (document.start().isEmpty()) {
            throw invalid("encoded start key empty (version " + VERSION + ")");
        }
        long epoch = document.epoch() == 0 ? FIRST_EPOCH : document.epoch();
        return new ContinueToken(document.revision(), document.start(), epoch);
    }

    private static byte[] bytesOf(String token) {
        if (token.length() > MAX_LENGTH || token.indexOf('=') >= 0) {
            throw illegal(token);
        }
        try {
            // Go's decoder skips line breaks.
            return Base64.getUrlDecoder().decode(token.replace("\r", "").replace("\n", ""));
        } catch (IllegalArgumentException _) {
            throw illegal(token);
        }
    }

    /** The normalized path, so that a start cannot escape its prefix. */
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
                            || "-_\r\n".indexOf(c) >= 0;
            if (!good) {
                return i;
            }
        }
        return Math.max(0, token.length() - 1);
    }

    private static StatusException illegal(String token) {
        return invalid("illegal base64 data at input byte " + firstBad(token));
    }

    private static StatusException invalid(String why) {
        return StatusErrors.badRequest("invalid continue token: continue key is not valid: " + why);
    }
}
