package io.tidemark.serving.watch;

import java.util.Optional;

/** What a change means to a watcher who wants some objects and not others. */
public enum Transition {
    /** It did not match, or did not exist, and now does. */
    ENTERED(EventType.ADDED),
    /** It matched and still does. */
    CHANGED(EventType.MODIFIED),
    /** It matched and does no more, or exists no more. */
    LEFT(EventType.DELETED);

    private final EventType type;

    Transition(EventType type) {
        this.type = type;
    }

    public EventType type() {
        return type;
    }

    /** Empty when the change is none of the watcher's business. */
    static Optional<Transition> of(boolean matchedBefore, boolean matchesNow) {
        if (matchesNow) {
            return Optional.of(matchedBefore ? CHANGED : ENTERED);
        }
        return matchedBefore ? Optional.of(LEFT) : Optional.empty();
    }
}
