package io.tidemark.query.encode;

import io.tidemark.query.representation.Renderer;
import io.tidemark.serving.watch.event.EventEncoder;
import io.tidemark.serving.watch.event.EventType;
import io.tidemark.view.object.Projection;
import io.tidemark.view.object.StoredObject;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Encodes events in any other form, such as Table rows. The first line of a Table watch holds the
 * columns, so each watch encodes its first line itself and shares later ones.
 */
public final class RenderedEventEncoder implements EventEncoder {
    private final Supplier<Object> key;
    private final Renderer renderer;
    private final boolean supportsEvents;
    private boolean begun;

    /**
     * @param key gives what is equal for renderers whose output is equal after the first line
     * @param supportsEvents false for a form of lists only
     */
    public RenderedEventEncoder(Supplier<Object> key, Renderer renderer, boolean supportsEvents) {
        this.key = key;
        this.renderer = renderer;
        this.supportsEvents = supportsEvents;
    }

    @Override
    public boolean supportsEvents() {
        return supportsEvents;
    }

    @Override
    public Optional<Object> shareKey() {
        return begun ? Optional.of(key.get()) : Optional.empty();
    }

    @Override
    public Projection projection() {
        return renderer.projection();
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
