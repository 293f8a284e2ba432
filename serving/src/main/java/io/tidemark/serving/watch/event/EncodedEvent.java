package io.tidemark.serving.watch.event;

import io.tidemark.view.object.StoredObject;
import io.tidemark.view.request.ObjectChange;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A change that any number of watches share. Its line is encoded once per form, and compressed once
 * per form and coding, by the first watch that needs it.
 */
public final class EncodedEvent {
    /** The window of recent events that keeps it for watches that join later. */
    public interface Window {
        /** An event in it grew by this many bytes. Must be quick. */
        void grew(long bytes);

        /** Drops the oldest events above the limit; called with nothing locked. */
        void trim();
    }

    private static final int OVERHEAD = 256;

    private final ObjectChange change;

    /** Null when it is in no window. Guarded by this. */
    private @Nullable Window window;

    /** Bytes of the encoded lines. Guarded by this. */
    private long lineBytes;

    private volatile @Nullable Map<LineKey, CodedLine> lines;

    public EncodedEvent(ObjectChange change) {
        this.change = change;
    }

    public ObjectChange change() {
        return change;
    }

    public long revision() {
        return change.revision();
    }

    /** Its size in memory: the object before and after, and the encoded lines. */
    public synchronized long bytes() {
        return change.bytes() + lineBytes + OVERHEAD;
    }

    /**
     * Adds it to a window, which is notified as it grows.
     *
     * @return its size now
     */
    public synchronized long enter(Window newWindow) {
        window = newWindow;
        return bytes();
    }

    /** Removes it from its window; returns its last size. */
    public synchronized long leave() {
        window = null;
        return bytes();
    }

    private synchronized Optional<Window> grow(long bytes) {
        lineBytes += bytes;
        Optional<Window> keeper = Optional.ofNullable(window);
        keeper.ifPresent(each -> each.grew(bytes));
        return keeper;
    }

    /** The event's line in a coding. Shared between watchers: for reading only. */
    public <L extends CodedLine> L line(
            EventEncoder form, Transition transition, LineCoding<L> coding) {
        Optional<Object> shareKey = form.shareKey();
        if (shareKey.isEmpty()) {
            return coding.encode(write(form, transition));
        }
        LineKey key = new LineKey(shareKey.get(), transition, coding);
        CodedLine known = lines().get(key);
        if (known != null) {
            return coding.type().cast(known);
        }
        CodedLine plain = lines().get(key.plain());
        AtomicReference<Optional<Window>> grown = new AtomicReference<>(Optional.empty());
        CodedLine line =
                lines().computeIfAbsent(
                                key,
                                _ -> {
                                    L made =
                                            coding.encode(
                                                    plain == null
                                                            ? write(form, transition)
                                                            : plain.bytes());
                                    grown.set(grow(made.bytes().length));
                                    return made;
                                });
        grown.get().ifPresent(Window::trim);
        return coding.type().cast(line);
    }

    private byte[] write(EventEncoder form, Transition transition) {
        StoredObject shown = transition == Transition.LEFT ? change.previous() : change.current();
        if (shown == null) {
            throw new IllegalStateException(
                    "%s without an object: %s".formatted(transition, change));
        }
        return form.line(transition.type(), shown, change.revision());
    }

    private Map<LineKey, CodedLine> lines() {
        Map<LineKey, CodedLine> existing = lines;
        if (existing != null) {
            return existing;
        }
        synchronized (this) {
            Map<LineKey, CodedLine> made = lines;
            if (made == null) {
                made = new ConcurrentHashMap<>(2);
                lines = made;
            }
            return made;
        }
    }

    private record LineKey(Object form, Transition transition, LineCoding<?> coding) {
        LineKey plain() {
            return new LineKey(form, transition, LineCoding.PLAIN);
        }
    }
}
