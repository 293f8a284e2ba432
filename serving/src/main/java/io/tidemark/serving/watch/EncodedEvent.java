package io.tidemark.serving.watch;

import io.tidemark.view.ObjectChange;
import io.tidemark.view.StoredObject;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A change on its way to any number of watchers. Its line is written once for each form that they
 * want, by the first who wants it.
 */
public final class EncodedEvent {
    /** Where it is kept for those who come later. */
    interface Window {
        /** It holds so much more; quick. */
        void grew(long bytes);

        /** Lets events go when they are too many by now; called with nothing locked. */
        void trim();
    }

    private static final int OVERHEAD = 256;

    private final ObjectChange change;

    /** Null when it is in no window. Guarded by this. */
    private @Nullable Window window;

    /** Of the lines that were written. Guarded by this. */
    private long lineBytes;

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

    /** What it holds in memory now: both sides, and the lines that were written. */
    synchronized long bytes() {
        return change.bytes() + lineBytes + OVERHEAD;
    }

    /**
     * It stands in a window, which hears of what it grows by.
     *
     * @return what it holds now
     */
    synchronized long enter(Window newWindow) {
        window = newWindow;
        return bytes();
    }

    /** It stands in no window any more; returns what it held to the last. */
    synchronized long leave() {
        window = null;
        return bytes();
    }

    private synchronized Optional<Window> grow(long bytes) {
        lineBytes += bytes;
        Optional<Window> told = Optional.ofNullable(window);
        told.ifPresent(each -> each.grew(bytes));
        return told;
    }

    /** The event's line. Shared between watchers: for reading only. */
    byte[] line(EventEncoder form, Transition transition) {
        Optional<Object> shareKey = form.shareKey();
        if (shareKey.isEmpty()) {
            return write(form, transition);
        }
        LineKey key = new LineKey(shareKey.get(), transition);
        byte[] known = lines().get(key);
        if (known != null) {
            return known;
        }
        AtomicReference<Optional<Window>> told = new AtomicReference<>(Optional.empty());
        byte[] line =
                lines().computeIfAbsent(
                                key,
                                _ -> {
                                    byte[] written = write(form, transition);
                                    told.set(grow(written.length));
                                    return written;
                                });
        told.get().ifPresent(Window::trim);
        return line;
    }

    private byte[] write(EventEncoder form, Transition transition) {
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

    private record LineKey(Object form, Transition transition) {}
}
