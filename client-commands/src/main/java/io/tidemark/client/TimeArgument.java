package io.tidemark.client;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The state to read: the newest, as of a revision, or as of a time. */
public sealed interface TimeArgument {
    /** The newest state. */
    record Now() implements TimeArgument {
        @Override
        public String query() {
            return "";
        }

        @Override
        public String base() {
            return "";
        }
    }

    /** The state at exactly one revision. */
    record Revision(long number) implements TimeArgument {
        @Override
        public String query() {
            return "resourceVersion=" + number + "&resourceVersionMatch=Exact";
        }

        @Override
        public String base() {
            return "/at/" + number;
        }
    }

    /** The state at the last revision at or before a time. */
    record Time(Instant instant) implements TimeArgument {
        @Override
        public String query() {
            return "at=" + instant;
        }

        @Override
        public String base() {
            return "/at/" + instant;
        }
    }

    /** The query parameters; empty for the newest state. */
    String query();

    /** The same in front of a path, which is then of the resource types of that moment, too. */
    String base();

    /** {@code -15m} and {@code 1h30m ago}. */
    Pattern AGO = Pattern.compile("-((?:\\d+[a-z]+)+)|((?:\\d+[a-z]+ *)+) ago");

    /** All forms of a time, for help texts and errors. */
    String TIMES =
            "2026-11-21T14:03:00Z, '2026-11-21 14:03' or 14:03 (local), -15m, '1h30m ago', now";

    /**
     * Reads a revision or a time.
     *
     * @param now the base of relative times; its zone applies to times without one
     * @throws UsageException naming the option when it is neither
     */
    static TimeArgument parse(String option, String text, ZonedDateTime now) {
        String stripped = text.strip();
        if (stripped.matches("\\d{1,18}")) {
            return new Revision(Long.parseLong(stripped));
        }
        return parseTime(option, text, now);
    }

    /**
     * Reads a time.
     *
     * @throws UsageException naming the option when it is not a time
     */
    static TimeArgument parseTime(String option, String text, ZonedDateTime now) {
        String stripped = text.strip();
        if (stripped.equals("now")) {
            return new Now();
        }
        Optional<Duration> ago = ago(stripped);
        if (ago.isPresent()) {
            return new Time(now.toInstant().minus(ago.get()));
        }
        try {
            return new Time(absolute(stripped, now));
        } catch (DateTimeException _) {
            throw new UsageException(
                    "%s: '%s' is not a time; write %s".formatted(option, text, TIMES));
        }
    }

    private static Instant absolute(String text, ZonedDateTime now) {
        if (text.matches("\\d{1,2}:\\d{2}(:\\d{2})?")) {
            LocalTime time = LocalTime.parse(text.length() % 3 == 1 ? "0" + text : text);
            ZonedDateTime today = now.with(time);
            return (today.isAfter(now) ? today.minusDays(1) : today).toInstant();
        }
        if (text.matches("\\d{4}-\\d{2}-\\d{2}")) {
            return LocalDate.parse(text).atStartOfDay(now.getZone()).toInstant();
        }
        String time = text.replaceFirst("^(\\d{4}-\\d{2}-\\d{2}) +", "$1T");
        return time.matches(".*([zZ]|[+-]\\d{2}:\\d{2})")
                ? OffsetDateTime.parse(time).toInstant()
                : LocalDateTime.parse(time).atZone(now.getZone()).toInstant();
    }

    private static Optional<Duration> ago(String text) {
        Matcher form = AGO.matcher(text);
        if (!form.matches()) {
            return Optional.empty();
        }
        String span = form.group(1) == null ? form.group(2).replace(" ", "") : form.group(1);
        try {
            return Optional.of(Durations.parse(span));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }
}
