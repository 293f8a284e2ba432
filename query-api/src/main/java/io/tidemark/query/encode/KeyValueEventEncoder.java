package io.tidemark.query.encode;

import io.tidemark.query.wire.KeyValueJson;
import io.tidemark.serving.watch.EventEncoder;
import io.tidemark.serving.watch.EventType;
import io.tidemark.view.object.StoredObject;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Events whose objects are keys and values; a deleted one shows the revision of its deletion. */
public final class KeyValueEventEncoder implements EventEncoder {
    private static final Object SHARED = KeyValueEventEncoder.class;

    @Override
    public Optional<Object> shareKey() {
        return Optional.of(SHARED);
    }

    @Override
    public byte[] line(EventType type, StoredObject object, long resourceVersion) {
        return type.line(KeyValueJson.of(object, resourceVersion));
    }

    @Override
    public byte[] bookmark(long resourceVersion, boolean initialEventsEnd) {
        String annotations =
                initialEventsEnd ? ",\"annotations\":{\"k8s.io/initial-events-end\":\"true\"}" : "";
        String object =
                "{\"metadata\":{\"resourceVersion\":\"%d\"%s}}"
                        .formatted(resourceVersion, annotations);
        return EventType.BOOKMARK.line(object.getBytes(StandardCharsets.UTF_8));
    }
}
