package io.tidemark.kubernetes;

import io.tidemark.json.JsonBuffer;
import io.tidemark.kubernetes.wire.DecodeException;
import io.tidemark.kubernetes.wire.SmallMessage;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;

/**
 * Points in time (seconds since 1970 in field 1, nanoseconds in field 2) and durations
 * (nanoseconds) as Go prints them.
 */
final class Times {
    /** Go's zero time, the first second of the year 1. */
    private static final long ZERO_SECONDS = -62_135_596_800L;

    /** Far beyond four-digit years, and within {@link LocalDate}'s range. */
    private static final long MAX_SECONDS = 1L << 40;

    private static final int SECONDS_PER_DAY = 86_400;
    private static final long NANOS = 1_000_000_000;
    private static final byte[] NULL = "null".getBytes(StandardCharsets.US_ASCII);

    private Times() {}

    /** An empty message is also the zero time. */
    static boolean isZero(SmallMessage time) {
        boolean empty = !time.has(1) && !time.has(2);
        return empty || time.number(1) == ZERO_SECONDS && time.number(2) == 0;
    }

    static void seconds(SmallMessage time, JsonBuffer out) {
        if (isZero(time)) {
            out.put(NULL);
            return;
        }
        out.put('"');
        dateAndTime(time.number(1), out);
        out.put('Z');
        out.put('"');
    }

    static void microseconds(SmallMessage time, JsonBuffer out) {
        if (isZero(time)) {
            out.put(NULL);
            return;
        }
        int nanos = (int) time.number(2);
        long micros = nanos / 1000;
        out.put('"');
        dateAndTime(time.number(1) + Math.floorDiv(micros, 1_000_000L), out);
        out.put('.');
        out.padded(Math.floorMod(micros, 1_000_000L), 6);
        out.put('Z');
        out.put('"');
    }

    private static void dateAndTime(long epochSeconds, JsonBuffer out) {
        // Not by abs, which leaves the lowest number negative.
        if (epochSeconds > MAX_SECONDS || epochSeconds < -MAX_SECONDS) {
            throw DecodeException.malformed(
                    "invalid time: " + epochSeconds + " seconds since 1970");
        }
        LocalDate date = LocalDate.ofEpochDay(Math.floorDiv(epochSeconds, SECONDS_PER_DAY));
        int second = Math.floorMod(epochSeconds, SECONDS_PER_DAY);
        if (date.getYear() < 0) {
            out.put('-');
        }
        out.padded(Math.abs(date.getYear()), 4);
        out.put('-');
        out.padded(date.getMonthValue(), 2);
        out.put('-');
        out.padded(date.getDayOfMonth(), 2);
        out.put('T');
        out.padded(second / 3600, 2);
        out.put(':');
        out.padded(second / 60 % 60, 2);
        out.put(':');
        out.padded(second % 60, 2);
    }

    static void duration(long nanos, JsonBuffer out) {
        out.put('"');
        out.put(print(nanos).getBytes(StandardCharsets.UTF_8));
        out.put('"');
    }

    /** {@code 1h0m0.5s}, {@code 1.5ms}, {@code 0s}: hours, minutes and seconds from 1 s up. */
    private static String print(long nanos) {
        if (nanos == 0) {
            return "0s";
        }
        String sign = nanos < 0 ? "-" : "";
        // The lowest long has no positive counterpart; as unsigned it is right.
        long rest = Math.abs(nanos);
        if (Long.compareUnsigned(rest, NANOS) < 0) {
            return sign + belowOneSecond(rest);
        }
        long seconds = Long.divideUnsigned(rest, NANOS);
        String text = seconds % 60 + fraction(Long.remainderUnsigned(rest, NANOS), 9) + "s";
        if (seconds >= 60) {
            text = seconds / 60 % 60 + "m" + text;
        }
        if (seconds >= 3600) {
            text = seconds / 3600 + "h" + text;
        }
        return sign + text;
    }

    private static String belowOneSecond(long nanos) {
        if (nanos < 1_000) {
            return nanos + "ns";
        }
        if (nanos < 1_000_000) {
            return nanos / 1_000 + fraction(nanos % 1_000, 3) + "µs";
        }
        return nanos / 1_000_000 + fraction(nanos % 1_000_000, 6) + "ms";
    }

    private static String fraction(long value, int digits) {
        if (value == 0) {
            return "";
        }
        String text = Long.toString(value);
        String padded = "0".repeat(digits - text.length()) + text;
        int end = padded.length();
        while (padded.charAt(end - 1) == '0') {
            end--;
        }
        return "." + padded.substring(0, end);
    }
}
