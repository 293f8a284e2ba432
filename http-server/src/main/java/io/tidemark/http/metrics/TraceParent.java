package io.tidemark.http.metrics;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The sampled trace that a request belongs to, from its header {@code traceparent} (W3C Trace
 * Context, level 1).
 *
 * @param traceId 32 hexadecimal digits
 * @param spanId 16 hexadecimal digits, of the caller's span
 */
public record TraceParent(String traceId, String spanId) {
    private static final Pattern FORM =
            Pattern.compile(
                    "(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]([0-9a-f])");

    /** Reads the header; empty for none, an invalid one, and a trace that is not sampled. */
    public static Optional<TraceParent> parse(String header) {
        Matcher matcher = FORM.matcher(header);
        if (!matcher.matches() || Character.digit(matcher.group(3).charAt(0), 16) % 2 == 0) {
            return Optional.empty();
        }
        return Optional.of(new TraceParent(matcher.group(1), matcher.group(2)));
    }
}
