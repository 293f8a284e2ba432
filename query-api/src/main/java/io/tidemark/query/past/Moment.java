package io.tidemark.query.past;

import io.tidemark.json.GoQuote;
import io.tidemark.query.wire.GoDuration;
import io.tidemark.query.wire.RequestTime;
import io.tidemark.serving.status.StatusErrors;
import java.time.Instant;
import java.util.regex.Pattern;

/** A point of the history: {@code 4711}, {@code 2026-11-21T14:03:00Z}, or {@code -10m}. */
public sealed interface Moment {
    /** The state as of a time. */
    record Time(Instant instant) implements Moment {}

    /** The state at exactly one revision. */
    record Revision(long number) implements Moment {}

    /** A revision has at most 18 digits, so that it always fits. */
    Pattern REVISION = Pattern.compile("[1-9]\\d{0,17}");

    /** A duration before now. */
    Pattern AGO = Pattern.compile("-[0-9].*");

    /**
     * @param name of what holds the text, for the error
     * @param now the base of relative times
     * @throws io.tidemark.serving.status.StatusException 400 for anything else
     */
    static Moment parse(String name, String text, Instant now) {
        if (REVISION.matcher(text).matches()) {
            return new Revision(Long.parseLong(text));
        }
        try {
            return new Time(
                    AGO.matcher(text).matches()
                            ? now.plus(GoDuration.parse(text))
                            : RequestTime.parse(name, text));
        } catch (RuntimeException _) {
            throw StatusErrors.badRequest(
                    ("invalid %s: %s is neither a revision, nor an RFC 3339 time such as"
                                    + " 2026-11-21T14:03:00Z, nor a time before now such as -10m")
                            .formatted(name, GoQuote.string(text)));
        }
    }
}
