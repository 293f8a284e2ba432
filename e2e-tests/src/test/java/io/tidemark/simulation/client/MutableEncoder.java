package io.tidemark.simulation.client;

import io.tidemark.serving.status.StatusException.FailureStatus;
import io.tidemark.serving.watch.event.EventEncoder;
import io.tidemark.serving.watch.event.EventType;
import io.tidemark.view.object.Projection;
import io.tidemark.view.object.StoredObject;
import java.util.Optional;

/**
 * Production's encoder of one watch, with bookmarks that a mutation may change.
 *
 * @param onBookmark is called for each bookmark
 */
record MutableEncoder(EventEncoder encoder, World world, Runnable onBookmark)
        implements EventEncoder {
    @Override
    public boolean supportsEvents() {
        return encoder.supportsEvents();
    }

    @Override
    public Projection projection() {
        return encoder.projection();
    }

    @Override
    public Optional<Object> shareKey() {
        return encoder.shareKey();
    }

    @Override
    public Optional<Object> lastingKey() {
        return encoder.lastingKey();
    }

    @Override
    public boolean isKept(StoredObject object) {
        return encoder.isKept(object);
    }

    @Override
    public byte[] line(EventType type, StoredObject object, long resourceVersion) {
        return encoder.line(type, object, resourceVersion);
    }

    @Override
    public byte[] bookmark(long resourceVersion, boolean initialEventsEnd) {
        long revision =
                initialEventsEnd
                        ? world.mutation().initialEventsEnd(resourceVersion)
                        : world.mutation().bookmark(resourceVersion, world.etcd().revision());
        onBookmark.run();
        return encoder.bookmark(revision, initialEventsEnd);
    }

    @Override
    public byte[] error(FailureStatus refusal) {
        return encoder.error(refusal);
    }
}
