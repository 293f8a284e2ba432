package io.tidemark.query.wire;

import io.tidemark.json.GoQuote;
import io.tidemark.kubernetes.json.GoDurations;
import io.tidemark.serving.status.StatusErrors;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The query parameters of a list or watch, as the client sent them. {@link ListOptionsRules} checks
 * their combination.
 *
 * @param labelSelector and {@code fieldSelector}, {@code shardSelector}: empty for none
 * @param bookmarkFrequency how often the client asks for bookmarks, 0 for one after each batch of
 *     events too; empty for the server's interval
 * @param resourceVersion empty when not given, which is not the same as {@code 0}
 * @param match resourceVersionMatch, empty when not given
 * @param timeoutSeconds timeout of a watch; empty for the server's default; may be negative
 * @param limit 0 for none
 * @param continueToken empty for none
 * @param sendInitialEvents null when not given
 */
public record ListOptions(
        String labelSelector,
        String fieldSelector,
        String shardSelector,
        boolean watch,
        boolean longPoll,
        boolean allowWatchBookmarks,
        Optional<Duration> bookmarkFrequency,
        String resourceVersion,
        String match,
        OptionalLong timeoutSeconds,
        long limit,
        String continueToken,
        @Nullable Boolean sendInitialEvents) {
    private static final String BOOKMARK_FREQUENCY = "watchBookmarkFrequency";

    /** At the revision or any later one. */
    public static final String NOT_OLDER_THAN = "NotOlderThan";

    /** At exactly that revision. */
    public static final String EXACT = "Exact";

    /**
     * @throws io.tidemark.serving.status.StatusException 400 for an invalid number or duration
     */
    public static ListOptions parse(Parameters parameters) {
        long timeoutSeconds = number(parameters, "timeoutSeconds");
        return new ListOptions(
                parameters.text("labelSelector"),
                parameters.text("fieldSelector"),
                parameters.text("shardSelector"),
                parameters.flag("watch"),
                parameters.flag("longPoll"),
                parameters.flag("allowWatchBookmarks"),
                bookmarkFrequency(parameters),
                parameters.text("resourceVersion"),
                parameters.text("resourceVersionMatch"),
                timeoutSeconds == 0 ? OptionalLong.empty() : OptionalLong.of(timeoutSeconds),
                Math.max(0, number(parameters, "limit")),
                parameters.text("continue"),
                parameters.has("sendInitialEvents")
                        ? Boolean.valueOf(parameters.flag("sendInitialEvents"))
                        : null);
    }

    /** Whether a resourceVersion other than 0 was given. */
    public boolean wantsRevision() {
        return !resourceVersion.isEmpty() && !resourceVersion.equals("0");
    }

    /**
     * The requested revision; 0 when there is none. Values above the greatest long count as the
     * greatest long, which no history reaches.
     *
     * @throws io.tidemark.serving.status.StatusException 400 when it is not a number
     */
    public long revision() {
        return revisionOf(resourceVersion);
    }

    /** As {@link #revision}, of any resourceVersion. */
    public static long revisionOf(String resourceVersion) {
        if (resourceVersion.isEmpty()) {
            return 0;
        }
        String wrong = Numbers.whyNotUnsigned(resourceVersion);
        if (!wrong.isEmpty()) {
            throw StatusErrors.badRequest(
                    "invalid resource version: resourceVersion: Invalid value: %s: %s"
                            .formatted(GoQuote.string(resourceVersion), wrong));
        }
        long revision = Long.parseUnsignedLong(resourceVersion);
        return revision < 0 ? Long.MAX_VALUE : revision;
    }

    /** Whether a bookmark ends the initial events of a watch. */
    public boolean wantsInitialEventsEnd() {
        return allowWatchBookmarks && Boolean.TRUE.equals(sendInitialEvents);
    }

    /** Whether a watch with these options begins with the changes after its revision. */
    public boolean startsAtRevision() {
        return longPoll || !Boolean.TRUE.equals(sendInitialEvents);
    }

    /** The same options as a watch, for {@code /watch/} paths. */
    public ListOptions asWatch() {
        return with(match, sendInitialEvents);
    }

    /**
     * Sets the default that a watch without resourceVersion, or with 0, begins with the current
     * objects and a bookmark that ends them. Like the API server, by the parameter {@code watch}
     * and before {@link #asWatch}: a {@code /watch/} path alone has no such bookmark.
     */
    public ListOptions withWatchDefaults() {
        boolean plain = watch && !wantsRevision() && sendInitialEvents == null && match.isEmpty();
        return plain ? with(NOT_OLDER_THAN, true) : this;
    }

    private ListOptions with(String newMatch, @Nullable Boolean newSendInitialEvents) {
        return new ListOptions(
                labelSelector,
                fieldSelector,
                shardSelector,
                true,
                longPoll,
                allowWatchBookmarks,
                bookmarkFrequency,
                resourceVersion,
                newMatch,
                timeoutSeconds,
                limit,
                continueToken,
                newSendInitialEvents);
    }

    /** An extension, so a wrong one is named. */
    private static Optional<Duration> bookmarkFrequency(Parameters parameters) {
        String text = parameters.text(BOOKMARK_FREQUENCY);
        if (text.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(Duration.ofNanos(GoDurations.nanos(text)));
        } catch (IllegalArgumentException _) {
            throw StatusErrors.badRequest(
                    "%s: %s is no duration such as 500ms or 5s"
                            .formatted(BOOKMARK_FREQUENCY, GoQuote.string(text)));
        }
    }

    private static long number(Parameters parameters, String name) {
        return parameters.has(name) ? Numbers.parseSigned(parameters.text(name)) : 0;
    }
}
