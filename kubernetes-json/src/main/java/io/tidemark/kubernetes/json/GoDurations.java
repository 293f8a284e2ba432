package io.tidemark.kubernetes.json;

import java.math.BigDecimal;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads durations as Go prints them: {@code 1m30s}, {@code -1.5h}, {@code 0}. */
public final class GoDurations {
    private static final Pattern PART =
            Pattern.compile("(\\d{1,19}(?:\\.\\d{1,19})?)(ns|us|µs|ms|s|m|h)");
    private static final Map<String, Long> NANOS =
            Map.of(
                    "ns", 1L,
                    "us", 1_000L,
                    "µs", 1_000L,
                    "ms", 1_000_000L,
                    "s", 1_000_000_000L,
                    "m", 60_000_000_000L,
                    "h", 3_600_000_000_000L);

    private GoDurations() {}

    /**
     * The duration in nanoseconds.
     *
     * @throws IllegalArgumentException when it is none, or exceeds 292 years
     */
    public static long nanos(String text) {
        boolean signed = text.startsWith("+") || text.startsWith("-");
        String positive = signed ? text.substring(1) : text;
        if (positive.equals("0")) {
            return 0;
        }
        BigDecimal nanos = BigDecimal.ZERO;
        Matcher part = PART.matcher(positive);
        int at = 0;
        while (at < positive.length() && part.find(at) && part.start() == at) {
            BigDecimal unit = BigDecimal.valueOf(NANOS.getOrDefault(part.group(2), 0L));
            nanos = nanos.add(new BigDecimal(part.group(1)).multiply(unit));
            at = part.end();
        }
        if (at < positive.length() || positive.isEmpty()) {
            throw new IllegalArgumentException("invalid duration " + text);
        }
        BigDecimal signedNanos = text.startsWith("-") ? nanos.negate() : nanos;
        if (signedNanos.abs().compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
            throw new IllegalArgumentException("invalid duration " + text);
        }
        return signedNanos.longValue();
    }
}
