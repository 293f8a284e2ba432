package io.tidemark.serving.watch.event;

import java.util.Optional;

/** How a change looks through a watch's filter. */
public enum Transition {
    /** It did not match, or did not exist, and now does. */
    ENTERED(EventType.ADDED),
    /** It matched and still does. */
    CHANGED(EventType.MODIFIED),
    /** It matched, and does not any more or was deleted. */
    LEFT(EventType.DELETED);

    private final EventType type;

    Transition(EventType type) {
        this.type = type;
    }

    public EventType type() {
        return type;
    }

    /** Empty when it matched neither before nor now. */
    public static Optional<Transition> of(boolean matchedBefore, boolean matchesNow) {
        if (matchesNow) {
            return Optional.of(matchedBefore ? CHANGED : ENTERED);
        }
        return matchedBefore ? Optional.of(LEFT) : Optional.empty();
    }
}
