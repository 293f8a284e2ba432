package io.tidemark.query.follow;

import io.tidemark.record.Bytes;
import io.tidemark.view.object.StoredObject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The keys of all objects that are kept, with their sizes, within the limits. For one thread. */
final class FollowedKeys {
    private final FollowLimits limits;
    private final FollowedContent content;

    /** By lane. */
    private final Map<FollowedLane, Map<Bytes, Integer>> sizes = new HashMap<>();

    private int objects;
    private long bytes;

    /** More objects than the limits allow. */
    static final class TooMuchException extends RuntimeException {
        private static final long serialVersionUID = 1;

        private TooMuchException(String message) {
            super(message, null, false, false);
        }
    }

    FollowedKeys(FollowLimits limits, FollowedContent content) {
        this.limits = limits;
        this.content = content;
    }

    /**
     * @throws TooMuchException instead of keeping it
     */
    void put(FollowedLane lane, StoredObject object) {
        forget(lane, object.key());
        int size = object.stored().length + object.key().length();
        if (objects >= limits.objects()) {
            throw new TooMuchException("more than %d objects".formatted(limits.objects()));
        }
        if (bytes + size > limits.bytes()) {
            throw new TooMuchException("more than %d bytes".formatted(limits.bytes()));
        }
        Integer _ = of(lane).put(object.key(), size);
        objects++;
        bytes += size;
        content.put(object);
    }

    void delete(FollowedLane lane, Bytes key) {
        if (forget(lane, key)) {
            content.delete(key);
        }
    }

    /** Deletes all objects of a lane but some. */
    void retain(FollowedLane lane, Set<Bytes> keys) {
        List<Bytes> gone = of(lane).keySet().stream().filter(key -> !keys.contains(key)).toList();
        gone.forEach(key -> delete(lane, key));
    }

    void clear() {
        sizes.clear();
        objects = 0;
        bytes = 0;
        content.clear();
    }

    private boolean forget(FollowedLane lane, Bytes key) {
        @Nullable Integer size = of(lane).remove(key);
        if (size == null) {
            return false;
        }
        objects--;
        bytes -= size;
        return true;
    }

    private Map<Bytes, Integer> of(FollowedLane lane) {
        return sizes.computeIfAbsent(lane, _ -> new HashMap<>());
    }
}
