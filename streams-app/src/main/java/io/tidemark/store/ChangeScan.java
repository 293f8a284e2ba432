package io.tidemark.store;

import io.tidemark.record.Bytes;
import io.tidemark.store.KeyValueEngine.Cursor;
import io.tidemark.store.KeyValueEngine.Family;
import io.tidemark.view.ChangePage;
import io.tidemark.view.ChangesRequest;
import io.tidemark.view.ObjectChange;
import io.tidemark.view.StoredObject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads one page of changes from the history. A page ends between revisions only. */
final class ChangeScan {
    private final RevisionReader reader;
    private final ChangesRequest request;
    private final int maxLookedAt;
    private final List<ObjectChange> changes = new ArrayList<>();
    private long bytes;
    private int lookedAt;

    /**
     * @param maxLookedAt no further revision is begun after looking at this many changes, of
     *     whatever prefix
     */
    ChangeScan(RevisionReader reader, ChangesRequest request, int maxLookedAt) {
        this.reader = reader;
        this.request = request;
        this.maxLookedAt = maxLookedAt;
    }

    ChangePage page() {
        long through =
                Math.max(
                        request.afterRevision(),
                        Math.min(request.throughRevision(), reader.watermark()));
        if (through == request.afterRevision()) {
            return new ChangePage(List.of(), through);
        }
        try (Cursor cursor =
                reader.snapshot()
                        .scan(
                                Family.HISTORY,
                                KeyLayout.historyAfter(request.afterRevision()),
                                KeyLayout.historyAfter(through))) {
            long revision = request.afterRevision();
            for (; cursor.isValid(); cursor.next()) {
                long next = KeyLayout.revisionOfHistory(cursor.key());
                if (next != revision && isFull()) {
                    return new ChangePage(changes, revision);
                }
                revision = next;
                lookedAt++;
                HistoryEntry entry = HistoryEntry.decode(cursor.value());
                if (entry.key().startsWith(request.prefix())) {
                    add(revision, KeyLayout.indexOfHistory(cursor.key()), entry);
                }
            }
        }
        return new ChangePage(changes, through);
    }

    private boolean isFull() {
        return changes.size() >= request.maxChanges()
                || bytes >= request.maxBytes()
                || lookedAt >= maxLookedAt;
    }

    private void add(long revision, int index, HistoryEntry entry) {
        Bytes key = entry.key();
        @Nullable StoredObject current =
                entry.put() ? reader.get(key, revision, request.projection()) : null;
        @Nullable StoredObject previous =
                entry.hasPrevious() ? reader.replacedAt(key, revision, request.projection()) : null;
        ObjectChange change = new ObjectChange(revision, index, key, current, previous);
        changes.add(change);
        bytes += change.bytes();
    }
}
