package io.tidemark.serving.watch;

import io.tidemark.view.Projection;
import io.tidemark.view.StoredObject;
import java.util.Optional;

/**
 * How one watch's events are written, a line each. For the thread of one watch; what it writes may
 * be handed to other watches whose forms have an equal {@link #shareKey}.
 */
public interface EventEncoder {
    /**
     * Equal for forms whose next line would be the same bytes; empty when the next line is for this
     * watch alone.
     */
    Optional<Object> shareKey();

    /** How much of the objects it looks at: less need not be read. */
    default Projection projection() {
        return Projection.WHOLE;
    }

    /**
     * The line of an event, of an object that can be served in the watch's version.
     *
     * @param resourceVersion to show in place of the object's own
     */
    byte[] line(EventType type, StoredObject object, long resourceVersion);

    /**
     * False for a form that no event can be brought into: the watch ends, without a word, at its
     * first event or bookmark.
     */
    default boolean supportsEvents() {
        return true;
    }

    /**
     * @param initialEventsEnd whether it ends the objects that a watch begins with
     */
    byte[] bookmark(long resourceVersion, boolean initialEventsEnd);
}
