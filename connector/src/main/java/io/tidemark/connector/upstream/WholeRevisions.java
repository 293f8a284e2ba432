package io.tidemark.connector.upstream;

import io.tidemark.connector.upstream.KeyValueDocuments.Bookmark;
import io.tidemark.etcd.KeyChange;
import io.tidemark.etcd.WatchEvent;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Collects a watch's changes until it is known which revisions are whole: a change shows that the
 * revisions below its own are, a bookmark shows it of all. Not thread-safe.
 */
final class WholeRevisions {
    /** What is passed on together. */
    private final long maxBytes;

    private final List<KeyChange> pending = new ArrayList<>();
    private long pendingBytes;

    /** Every change through it was passed on. */
    private long through;

    /**
     * @param through the revision that the watch begins after
     * @param maxBytes changes of more than this are passed on before a bookmark
     */
    WholeRevisions(long through, long maxBytes) {
        this.through = through;
        this.maxBytes = maxBytes;
    }

    /**
     * Takes a change; returns what to pass on by now.
     *
     * @throws IOException when the changes are out of order, so that one might be lost
     */
    List<WatchEvent> take(KeyChange change) throws IOException {
        long last = pending.isEmpty() ? through : pending.getLast().revision();
        boolean first = pending.isEmpty() && change.revision() <= through;
        if (first || change.revision() < last) {
            throw new IOException(
                    "a change at revision %d after revision %d".formatted(change.revision(), last));
        }
        List<WatchEvent> passed = pendingBytes >= maxBytes ? flushBefore(change) : List.of();
        pending.add(change);
        pendingBytes += change.size();
        return passed;
    }

    /**
     * Takes a bookmark; returns all changes before it.
     *
     * @throws IOException when a change above the bookmark was sent before it
     */
    List<WatchEvent> take(Bookmark bookmark) throws IOException {
        long last = pending.isEmpty() ? through : pending.getLast().revision();
        if (bookmark.revision() < last) {
            throw new IOException(
                    "a bookmark at revision %d after revision %d"
                            .formatted(bookmark.revision(), last));
        }
        List<WatchEvent> passed = new ArrayList<>();
        if (!pending.isEmpty()) {
            passed.add(changes(pending, last));
            clear();
        }
        passed.add(new WatchEvent.Progress(bookmark.revision()));
        through = bookmark.revision();
        return passed;
    }

    /** All that is pending but the last revision, or a part of that one if it is the only one. */
    private List<WatchEvent> flushBefore(KeyChange next) {
        long last = pending.getLast().revision();
        boolean whole = next.revision() > last;
        through = whole ? last : last - 1;
        WatchEvent passed = changes(pending, through);
        clear();
        return List.of(passed);
    }

    private static WatchEvent changes(List<KeyChange> changes, long through) {
        return new WatchEvent.Changes(changes, through, through);
    }

    private void clear() {
        pending.clear();
        pendingBytes = 0;
    }
}
