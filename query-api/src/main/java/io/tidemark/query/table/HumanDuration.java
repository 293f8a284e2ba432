package io.tidemark.query.table;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.DateTimeParseException;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoField;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Spans of time as {@code kubectl} shows them: two units at most, the finer one only while it
 * matters.
 */
final class HumanDuration {
    private static final String UNKNOWN = "<unknown>";
    private static final long MINUTE = 60;
    private static final long HOUR = 60 * MINUTE;
    private static final long DAY = 24;
    private static final long YEAR = 365 * DAY;

    /** Go's time that is not set. */
    private static final Instant ZERO = Instant.parse("0001-01-01T00:00:00Z");

    /** RFC 3339 as Go reads it: with seconds. */
    private static final DateTimeFormatter TIMESTAMP =
            new DateTimeFormatterBuilder()
                    .appendPattern("uuuu-MM-dd'T'HH:mm:ss")
                    .appendFraction(ChronoField.NANO_OF_SECOND, 0, 9, true)
                    .appendOffset("+HH:MM", "Z")
                    .toFormatter(Locale.ROOT)
                    .withResolverStyle(ResolverStyle.STRICT);

    private HumanDuration() {}

    /** Clocks may differ by a second; anything further in the future is invalid. */
    static String of(Duration duration) {
        long seconds = truncatedSeconds(duration);
        if (seconds < -1) {
            return "<invalid>";
        }
        if (seconds < 0) {
            return "0s";
        }
        if (seconds < 2 * MINUTE) {
            return seconds + "s";
        }
        long minutes = seconds / MINUTE;
        if (minutes < 10) {
            return twoUnits(minutes, "m", seconds % MINUTE, "s");
        }
        if (minutes < 180) {
            return minutes + "m";
        }
        return ofHours(seconds / HOUR, minutes);
    }

    private static String ofHours(long hours, long minutes) {
        if (hours < 8) {
            return twoUnits(hours, "h", minutes % 60, "m");
        }
        if (hours < 2 * DAY) {
            return hours + "h";
        }
        if (hours < 8 * DAY) {
            return twoUnits(hours / DAY, "d", hours % DAY, "h");
        }
        if (hours < 2 * YEAR) {
            return hours / DAY + "d";
        }
        if (hours < 8 * YEAR) {
            return twoUnits(hours / YEAR, "y", hours / DAY % 365, "d");
        }
        return hours / YEAR + "y";
    }

    private static String twoUnits(long coarse, String coarseUnit, long fine, String fineUnit) {
        return coarse + coarseUnit + (fine == 0 ? "" : fine + fineUnit);
    }

    /** Towards zero, as the reference does: half a second in the future is now. */
    private static long truncatedSeconds(Duration duration) {
        long floor = duration.toSeconds();
        return floor < 0 && duration.getNano() > 0 ? floor + 1 : floor;
    }

    /**
     * The time since a timestamp.
     *
     * @param timestamp as in objects; empty, and Go's time that is not set, read as unknown
     */
    public static String since(String timestamp, Instant now) {
        if (timestamp.isEmpty()) {
            return UNKNOWN;
        }
        Instant time = parse(timestamp);
        return time == null || time.equals(ZERO) ? UNKNOWN : of(Duration.between(time, now));
    }

    /** Null when it is not a timestamp. */
    static @Nullable Instant parse(String timestamp) {
        if (timestamp.isEmpty()) {
            return null; // As most containers have never ended; the exception would be slow.
        }
        try {
            return OffsetDateTime.parse(timestamp, TIMESTAMP).toInstant();
        } catch (DateTimeParseException _) {
            return null;
        }
    }
}
