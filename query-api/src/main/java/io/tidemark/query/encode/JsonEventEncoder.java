package io.tidemark.query.encode;

import io.tidemark.query.catalog.Resource;
import io.tidemark.query.catalog.ServedVersion;
import io.tidemark.query.representation.Renderer;
import io.tidemark.serving.watch.event.EventEncoder;
import io.tidemark.serving.watch.event.EventType;
import io.tidemark.view.object.StoredObject;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Encodes events with whole objects as JSON by copying stored bytes.
 *
 * @param renderer for bookmarks
 */
public record JsonEventEncoder(Resource resource, Supplier<Renderer> renderer)
        implements EventEncoder {
    @Override
    public Optional<Object> shareKey() {
        return lastingKey();
    }

    @Override
    public Optional<Object> lastingKey() {
        return Optional.of(resource.servedForm());
    }

    @Override
    public boolean isKept(StoredObject object) {
        return EncodedObjects.isKept(resource, object);
    }

    @Override
    public byte[] line(EventType type, StoredObject object, long resourceVersion) {
        return switch (ServedVersion.of(resource, object)) {
            case ServedVersion.AsStored _ -> Splice.line(type, object, resourceVersion, null);
            case ServedVersion.Renamed renamed ->
                    Splice.line(type, object, resourceVersion, renamed);
            case ServedVersion.Converted converted -> type.line(converted.json(resourceVersion));
            case ServedVersion.Unservable _ ->
                    type.line(renderer.get().eventObject(object, resourceVersion).orElseThrow());
        };
    }

    @Override
    public byte[] bookmark(long resourceVersion, boolean initialEventsEnd) {
        return EventType.BOOKMARK.line(renderer.get().bookmark(resourceVersion, initialEventsEnd));
    }
}
