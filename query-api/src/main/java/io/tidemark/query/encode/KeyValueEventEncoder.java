package io.tidemark.query.encode;

import io.tidemark.query.wire.KeyValueJson;
import io.tidemark.serving.watch.event.EventEncoder;
import io.tidemark.serving.watch.event.EventType;
import io.tidemark.view.object.StoredObject;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import java.util.function.LongFunction;

/**
 * Events whose objects are keys and values; a deleted one shows the revision of its deletion. A
 * bookmark names the time as of which its revision is etcd's state, where that is known.
 */
public final class KeyValueEventEncoder implements EventEncoder {
    private static final Object SHARED = KeyValueEventEncoder.class;

    private final LongFunction<Optional<Instant>> asOf;

    /** For watches whose bookmarks name no time. */
    public KeyValueEventEncoder() {
        this(_ -> Optional.empty());
    }

    /**
     * @param asOf a time at which no change above the given revision existed; empty if not known
     */
    public KeyValueEventEncoder(LongFunction<Optional<Instant>> asOf) {
        this.asOf = asOf;
    }

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
        String time =
                asOf.apply(resourceVersion)
                        .map(instant -> ",\"asOf\":\"" + instant + '"')
                        .orElse("");
        String object =
                "{\"metadata\":{\"resourceVersion\":\"%d\"%s}%s}"
                        .formatted(resourceVersion, annotations, time);
        return EventType.BOOKMARK.line(object.getBytes(StandardCharsets.UTF_8));
    }
}
