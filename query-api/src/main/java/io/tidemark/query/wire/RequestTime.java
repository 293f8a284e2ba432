package io.tidemark.query.wire;

import io.tidemark.json.GoQuote;
import io.tidemark.serving.status.StatusErrors;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;

/** Parses the times of requests. */
public final class RequestTime {
    private RequestTime() {}

    /**
     * Parses RFC 3339. An unescaped plus sign arrives as a blank, and people write a blank between
     * date and time; both are unambiguous.
     *
     * @param name of the parameter, for the error
     * @throws io.tidemark.serving.status.StatusException 400 when it is invalid
     */
    public static Instant parse(String name, String text) {
        StringBuilder time = new StringBuilder(text);
        if (time.length() > 10 && time.charAt(10) == ' ') {
            time.setCharAt(10, 'T');
        }
        int sign = time.length() - "+00:00".length();
        if (sign > 0 && time.charAt(sign) == ' ') {
            time.setCharAt(sign, '+');
        }
        try {
            OffsetDateTime parsed =
                    OffsetDateTime.parse(time, DateTimeFormatter.ISO_OFFSET_DATE_TIME);
            return Instant.ofEpochMilli(parsed.toInstant().toEpochMilli());
        } catch (DateTimeParseException | ArithmeticException _) {
            throw StatusErrors.badRequest(
                    ("invalid %s: %s is not an RFC 3339 time, such as 2026-11-21T14:03:00Z or"
                                    + " 2026-11-21T15:03:00.5+01:00")
                            .formatted(name, GoQuote.string(text)));
        }
    }
}
