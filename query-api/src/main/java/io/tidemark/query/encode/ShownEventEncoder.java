package io.tidemark.query.encode;

import io.tidemark.query.representation.Representation;
import io.tidemark.serving.status.StatusException.FailureStatus;
import io.tidemark.serving.watch.event.EventEncoder;
import io.tidemark.serving.watch.event.EventType;
import io.tidemark.view.object.Projection;
import io.tidemark.view.object.StoredObject;
import java.util.List;
import java.util.Optional;

/** Encodes events with what a form shows of each object, where that is less than the object. */
record ShownEventEncoder(Representation form, EventEncoder encoder) implements EventEncoder {
    @Override
    public Optional<Object> shareKey() {
        return encoder.shareKey().map(key -> List.of(form, key));
    }

    @Override
    public Projection projection() {
        return encoder.projection();
    }

    @Override
    public boolean supportsEvents() {
        return encoder.supportsEvents();
    }

    @Override
    public Optional<Object> lastingKey() {
        return encoder.lastingKey().map(key -> List.of(form, key));
    }

    @Override
    public boolean isKept(StoredObject object) {
        return encoder.isKept(object);
    }

    @Override
    public byte[] line(EventType type, StoredObject object, long resourceVersion) {
        return encoder.line(type, form.shown(object), resourceVersion);
    }

    @Override
    public byte[] bookmark(long resourceVersion, boolean initialEventsEnd) {
        return encoder.bookmark(resourceVersion, initialEventsEnd);
    }

    @Override
    public byte[] error(FailureStatus refusal) {
        return encoder.error(refusal);
    }
}
