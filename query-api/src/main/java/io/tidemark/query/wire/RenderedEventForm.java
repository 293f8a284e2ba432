package io.tidemark.query.wire;

import io.tidemark.query.table.Renderer;
import io.tidemark.view.Projection;
import io.tidemark.view.StoredObject;
import java.util.Optional;

/**
 * Events in any other form, such as Table rows. The first line of a Table watch holds the columns,
 * so a watch writes its first line for itself and shares from then on.
 */
public final class RenderedEventForm implements EventForm {
    private final Object key;
    private final Renderer renderer;
    private final boolean holdsEvents;
    private boolean begun;

    /**
     * @param key equal for renderers that write the same after their first line
     * @param holdsEvents false for a form of lists only
     */
    public RenderedEventForm(Object key, Renderer renderer, boolean holdsEvents) {
        this.key = key;
        this.renderer = renderer;
        this.holdsEvents = holdsEvents;
    }

    @Override
    public boolean holdsEvents() {
        return holdsEvents;
    }

    @Override
    public Optional<Object> shareKey() {
        return begun ? Optional.of(key) : Optional.empty();
    }

    @Override
    public Projection needs() {
        return renderer.needs();
    }

    @Override
    public byte[] line(EventType type, StoredObject object, long resourceVersion) {
        begun = true;
        return type.line(renderer.eventObject(object, resourceVersion).orElseThrow());
    }

    @Override
    public byte[] bookmark(long resourceVersion, boolean initialEventsEnd) {
        return EventType.BOOKMARK.line(renderer.bookmark(resourceVersion, initialEventsEnd));
    }
}
