package io.tidemark.serving.watch.event;

import io.tidemark.serving.status.StatusException.FailureStatus;
import io.tidemark.serving.status.StatusWriter;
import io.tidemark.view.object.Projection;
import io.tidemark.view.object.StoredObject;
import java.util.Optional;

/**
 * Encodes one watch's events, a line each; a line is a frame in a binary form. For one thread at a
 * time; its lines may be sent to other watches whose encoders have an equal {@link #shareKey}.
 */
public interface EventEncoder {
    /**
     * Equal for encoders whose next line would be the same bytes; empty when the next line cannot
     * be shared.
     */
    Optional<Object> shareKey();

    /** The part of each object that it needs. */
    default Projection projection() {
        return Projection.WHOLE;
    }

    /**
     * Encodes an event of an object that can be served in the watch's version.
     *
     * @param resourceVersion to show in place of the object's own
     */
    byte[] line(EventType type, StoredObject object, long resourceVersion);

    /**
     * Equal for encoders that make the same lines of objects with which watches begin, as long as
     * it is equal; to be taken before the lines are made. Empty when such lines are not shared.
     */
    default Optional<Object> lastingKey() {
        return Optional.empty();
    }

    /** Whether the line of an object may be kept in memory. */
    default boolean isKept(StoredObject object) {
        return false;
    }

    /**
     * False for a form that cannot represent events: the watch ends silently at its first event or
     * bookmark.
     */
    default boolean supportsEvents() {
        return true;
    }

    /**
     * @param initialEventsEnd whether it marks the end of the watch's initial objects
     */
    byte[] bookmark(long resourceVersion, boolean initialEventsEnd);

    /** The line that ends a watch with an error. */
    default byte[] error(FailureStatus refusal) {
        return EventType.ERROR.line(StatusWriter.write(refusal));
    }
}
