package io.tidemark.kubernetes.encode;

import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.format.SignStyle;
import java.time.temporal.ChronoField;

/**
 * Reads {@code 2026-01-31T23:59:59Z}, the form of nearly all times in Kubernetes' objects, of which
 * a pod has some twenty, and any other form. A general parser takes a microsecond for each.
 */
final class UtcTimes {
    private static final String FORM = "0000-00-00T00:00:00Z";

    /** As Go prints times: years above 9999 have no sign, which Java's own format demands. */
    private static final DateTimeFormatter ANY_YEAR =
            new DateTimeFormatterBuilder()
                    .appendValue(ChronoField.YEAR, 4, 10, SignStyle.NORMAL)
                    .appendPattern("-MM-dd'T'")
                    .append(DateTimeFormatter.ISO_LOCAL_TIME)
                    .appendOffsetId()
                    .toFormatter()
                    .withResolverStyle(ResolverStyle.STRICT);

    private UtcTimes() {}

    /** Whether {@code [from, to)} has this form; the fields may still be out of range. */
    static boolean isWholeSecond(byte[] text, int from, int to) {
        if (to - from != FORM.length()) {
            return false;
        }
        for (int i = 0; i < FORM.length(); i++) {
            char form = FORM.charAt(i);
            byte is = text[from + i];
            if (form == '0' ? is < '0' || is > '9' : is != form) {
                return false;
            }
        }
        return true;
    }

    /**
     * The seconds since 1970 of a text that has the form.
     *
     * @throws IllegalArgumentException when there is no such hour, minute or second
     * @throws java.time.DateTimeException when there is no such day
     */
    static long epochSecond(byte[] text, int from) {
        int hour = number(text, from + 11, 2);
        int minute = number(text, from + 14, 2);
        int second = number(text, from + 17, 2);
        if (hour > 23 || minute > 59 || second > 59) {
            throw new IllegalArgumentException("no time of a day");
        }
        LocalDate day =
                LocalDate.of(
                        number(text, from, 4),
                        number(text, from + 5, 2),
                        number(text, from + 8, 2));
        return day.toEpochDay() * 86_400 + hour * 3_600L + minute * 60L + second;
    }

    /**
     * A time in any form that an object may have.
     *
     * @throws java.time.DateTimeException when it is none
     */
    static Instant parse(String text) {
        return OffsetDateTime.parse(text, ANY_YEAR).toInstant();
    }

    private static int number(byte[] text, int from, int digits) {
        int value = 0;
        for (int i = from; i < from + digits; i++) {
            value = value * 10 + text[i] - '0';
        }
        return value;
    }
}
