package io.tidemark.query.watch;

import io.tidemark.query.wire.EventForm;
import io.tidemark.view.ObjectChange;
import io.tidemark.view.StoredObject;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A change on its way to any number of watchers. Its line is written once for each form that they
 * want, by the first who wants it.
 */
public final class EncodedEvent {
    private final ObjectChange change;
    private volatile @Nullable Map<LineKey, byte[]> lines;

    EncodedEvent(ObjectChange change) {
        this.change = change;
    }

    public ObjectChange change() {
        return change;
    }

    public long revision() {
        return change.revision();
    }

    /** About what it holds in memory: both sides, and one line. */
    int bytes() {
        int current = length(change.current());
        return length(change.previous()) + 2 * current + 256;
    }

    /** The event's line. Shared between watchers: for reading only. */
    byte[] line(EventForm form, Transition transition) {
        Optional<Object> shareKey = form.shareKey();
        if (shareKey.isEmpty()) {
            return write(form, transition);
        }
        return lines().computeIfAbsent(
                        new LineKey(shareKey.get(), transition), _ -> write(form, transition));
    }

    private byte[] write(EventForm form, Transition transition) {
        StoredObject shown = transition == Transition.LEFT ? change.previous() : change.current();
        if (shown == null) {
            throw new IllegalStateException(
                    "%s without an object: %s".formatted(transition, change));
        }
        return form.line(transition.type(), shown, change.revision());
    }

    private Map<LineKey, byte[]> lines() {
        Map<LineKey, byte[]> existing = lines;
        if (existing != null) {
            return existing;
        }
        synchronized (this) {
            Map<LineKey, byte[]> made = lines;
            if (made == null) {
                made = new ConcurrentHashMap<>(2);
                lines = made;
            }
            return made;
        }
    }

    private static int length(@Nullable StoredObject object) {
        return object == null ? 0 : object.stored().length;
    }

    private record LineKey(Object form, Transition transition) {}
}
