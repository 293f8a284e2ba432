package io.tidemark.query.wire;

import io.tidemark.kubernetes.json.GoDurations;
import io.tidemark.serving.status.StatusErrors;
import java.time.Duration;

/** Parses Go durations such as {@code 1m30s}, the form of the {@code timeout} parameter. */
public final class GoDuration {
    private GoDuration() {}

    /**
     * @throws io.tidemark.serving.status.StatusException 400 when it is invalid
     */
    public static Duration parse(String text) {
        try {
            return Duration.ofNanos(GoDurations.nanos(text));
        } catch (IllegalArgumentException e) {
            throw StatusErrors.badRequest(
                    "invalid timeout specified in the request URL - " + e.getMessage());
        }
    }
}
