package io.tidemark.query.wire;

import io.tidemark.view.StoredObject;
import java.util.Optional;

/**
 * How one watch's events are written, a line each. For the thread of one watch; what it writes may
 * be handed to other watches whose forms have an equal {@link #shareKey}.
 */
public interface EventForm {
    /**
     * Equal for forms whose next line would be the same bytes; empty when the next line is for this
     * watch alone.
     */
    Optional<Object> shareKey();

    /**
     * The line of an event, of an object that can be served in the watch's version.
     *
     * @param resourceVersion to show in place of the object's own
     */
    byte[] line(EventType type, StoredObject object, long resourceVersion);

    /**
     * @param initialEventsEnd whether it ends the objects that a watch begins with
     */
    byte[] bookmark(long resourceVersion, boolean initialEventsEnd);
}
