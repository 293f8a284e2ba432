package io.tidemark.query.wire;

import io.tidemark.json.GoQuote;
import io.tidemark.serving.status.StatusErrors;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses Go durations such as {@code 1m30s}, the form of the {@code timeout} parameter. */
public final class GoDuration {
    private static final Pattern PART =
            Pattern.compile("(\\d{1,9}(?:\\.\\d{1,9})?)(ns|us|µs|ms|s|m|h)");
    private static final Map<String, Double> SECONDS =
            Map.of(
                    "ns", 1e-9, "us", 1e-6, "µs", 1e-6, "ms", 1e-3, "s", 1.0, "m", 60.0, "h",
                    3600.0);

    private GoDuration() {}

    /**
     * @throws io.tidemark.serving.status.StatusException 400 when it is invalid
     */
    public static Duration parse(String text) {
        if (text.equals("0")) {
            return Duration.ZERO;
        }
        String positive = text.startsWith("+") || text.startsWith("-") ? text.substring(1) : text;
        Matcher part = PART.matcher(positive);
        double seconds = 0;
        int at = 0;
        while (at < positive.length() && part.find(at) && part.start() == at) {
            seconds += Double.parseDouble(part.group(1)) * SECONDS.getOrDefault(part.group(2), 0.0);
            at = part.end();
        }
        if (at < positive.length() || positive.isEmpty()) {
            throw StatusErrors.badRequest(
                    "invalid timeout specified in the request URL - time: %s duration %s"
                            .formatted(
                                    positive.matches("\\d+") ? "missing unit in" : "invalid",
                                    GoQuote.string(text)));
        }
        return Duration.ofNanos((long) (seconds * 1e9) * (text.startsWith("-") ? -1 : 1));
    }
}
