package io.tidemark.kubernetes.json;

import io.tidemark.json.GoQuote;
import java.math.BigDecimal;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads durations as Go's {@code time.ParseDuration}: {@code 1m30s}, {@code -1.5h}, {@code 0}. */
public final class GoDurations {
    private static final Pattern PART =
            Pattern.compile("(\\d{1,19}(?:\\.\\d{0,19})?|\\.\\d{1,19})([^.\\d]*)");

    /** With both characters that are written as a micro sign. */
    private static final Map<String, Long> NANOS =
            Map.of(
                    "ns", 1L,
                    "us", 1_000L,
                    "\u00b5s", 1_000L,
                    "\u03bcs", 1_000L,
                    "ms", 1_000_000L,
                    "s", 1_000_000_000L,
                    "m", 60_000_000_000L,
                    "h", 3_600_000_000_000L);

    private GoDurations() {}

    /**
     * The duration in nanoseconds.
     *
     * @throws IllegalArgumentException with Go's text, when it is none or exceeds 292 years
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
            BigDecimal unit = BigDecimal.valueOf(unit(part.group(2), text));
            nanos = nanos.add(new BigDecimal(part.group(1)).multiply(unit));
            at = part.end();
        }
        boolean isTooLong = nanos.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0;
        if (at < positive.length() || positive.isEmpty() || isTooLong) {
            throw invalid("invalid", text);
        }
        return text.startsWith("-") ? -nanos.longValue() : nanos.longValue();
    }

    private static long unit(String unit, String text) {
        if (unit.isEmpty()) {
            throw invalid("missing unit in", text);
        }
        Long nanos = NANOS.get(unit);
        if (nanos == null) {
            throw invalid("unknown unit " + GoQuote.string(unit) + " in", text);
        }
        return nanos;
    }

    private static IllegalArgumentException invalid(String what, String text) {
        return new IllegalArgumentException(
                "time: %s duration %s".formatted(what, GoQuote.string(text)));
    }
}
