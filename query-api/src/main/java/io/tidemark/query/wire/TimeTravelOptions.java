package io.tidemark.query.wire;

import io.tidemark.serving.status.StatusErrors;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Parameters for reading the past, an extension of the Kubernetes API: {@code at=TIME} for the
 * state as of a time, {@code history=true} for the versions of one object. Kubernetes clients send
 * neither.
 *
 * @param at the requested time
 * @param objects false to leave the objects out of a history
 */
public record TimeTravelOptions(Optional<Instant> at, boolean history, boolean objects) {
    private static final String AT = "at";
    private static final String HISTORY = "history";

    /** Parameters that determine the revision themselves. */
    private static final List<String> NOT_WITH_AT =
            List.of("resourceVersion", "resourceVersionMatch", "continue", HISTORY);

    private static final List<String> NOT_WITH_HISTORY =
            List.of("resourceVersionMatch", "labelSelector", "fieldSelector");

    /**
     * For GET of one object.
     *
     * @throws io.tidemark.serving.status.StatusException 400 for an invalid time and for options
     *     that contradict each other
     */
    public static TimeTravelOptions forGet(Parameters parameters) {
        Optional<Instant> at = at(parameters);
        boolean history = asksForHistory(parameters);
        if (history) {
            requireNone(parameters, NOT_WITH_HISTORY, "history");
        }
        return new TimeTravelOptions(
                at, history, !parameters.has("objects") || parameters.flag("objects"));
    }

    /** Whether a GET asks for all versions of the object. */
    public static boolean asksForHistory(Parameters parameters) {
        return parameters.flag(HISTORY);
    }

    /**
     * For LIST.
     *
     * @throws io.tidemark.serving.status.StatusException 400, as above, and for a history
     */
    public static TimeTravelOptions forList(Parameters parameters) {
        Optional<Instant> at = at(parameters);
        if (parameters.flag(HISTORY)) {
            throw StatusErrors.badRequest(
                    "history is only available for a single object: request it by name");
        }
        return new TimeTravelOptions(at, false, true);
    }

    /**
     * For WATCH, which supports revisions only.
     *
     * @throws io.tidemark.serving.status.StatusException 400 when either is requested
     */
    public static void rejectForWatch(Parameters parameters) {
        if (parameters.has(AT)) {
            throw StatusErrors.badRequest(
                    "a watch does not support at: list with it, then watch its resourceVersion");
        }
        if (parameters.flag(HISTORY)) {
            throw StatusErrors.badRequest("a watch does not support history");
        }
    }

    private static Optional<Instant> at(Parameters parameters) {
        if (!parameters.has(AT)) {
            return Optional.empty();
        }
        Instant at = RequestTime.parse(AT, parameters.text(AT));
        requireNone(parameters, NOT_WITH_AT, AT);
        return Optional.of(at);
    }

    private static void requireNone(Parameters parameters, List<String> others, String with) {
        for (String other : others) {
            if (other.equals(HISTORY) ? parameters.flag(other) : parameters.has(other)) {
                String hint =
                        with.equals(AT) && other.equals("continue")
                                ? ": the token determines the revision"
                                : "";
                throw StatusErrors.badRequest(
                        "%s may not be given together with %s%s".formatted(other, with, hint));
            }
        }
    }
}
