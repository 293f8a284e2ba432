package io.tidemark.client;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses durations such as {@code 500ms}, {@code 30s}, {@code 90m}, {@code 1h30m}, {@code 7d}. */
public final class Durations implements ITypeConverter<Duration> {
    private static final Pattern PART = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)");

    @Override
    public Duration convert(String text) {
        try {
            return parse(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(String.valueOf(e.getMessage()));
        }
    }

    /**
     * @throws IllegalArgumentException if the text is not a duration
     */
    public static Duration parse(String text) {
        if (text.strip().equals("0")) {
            return Duration.ZERO;
        }
        Matcher matcher = PART.matcher(text.strip());
        Duration total = Duration.ZERO;
        int end = 0;
        while (matcher.find() && matcher.start() == end) {
            total = total.plus(part(Long.parseLong(matcher.group(1)), matcher.group(2)));
            end = matcher.end();
        }
        if (end == 0 || end != text.strip().length()) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not a duration such as 30s, 90m, 6h or 1d");
        }
        return total;
    }

    private static Duration part(long amount, String unit) {
        return switch (unit) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            case "h" -> Duration.ofHours(amount);
            case "d" -> Duration.ofDays(amount);
            default -> throw new IllegalArgumentException("unknown unit " + unit);
        };
    }
}
