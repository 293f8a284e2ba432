package io.tidemark.store.read;

import io.tidemark.record.Bytes;
import io.tidemark.store.engine.KeyValueEngine.Cursor;
import io.tidemark.store.engine.KeyValueEngine.Family;
import io.tidemark.store.layout.HistoryEntry;
import io.tidemark.store.layout.KeyLayout;
import io.tidemark.view.object.StoredObject;
import io.tidemark.view.request.ChangePage;
import io.tidemark.view.request.ChangePosition;
import io.tidemark.view.request.ChangesRequest;
import io.tidemark.view.request.ObjectChange;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads one page of changes from the history. */
final class ChangeScan {
    private final RevisionReader reader;
    private final ChangesRequest request;
    private final ScanLimits limits;
    private final List<ObjectChange> changes = new ArrayList<>();
    private long bytes;
    private int keysScanned;
    private final long began = System.nanoTime();

    /**
     * @param limits bound the changes visited, of all prefixes, and the time taken
     */
    ChangeScan(RevisionReader reader, ChangesRequest request, ScanLimits limits) {
        this.reader = reader;
        this.request = request;
        this.limits = limits;
    }

    ChangePage page() {
        long through =
                Math.max(
                        request.afterRevision(),
                        Math.min(request.throughRevision(), reader.watermark()));
        if (through == request.afterRevision()) {
            return new ChangePage(List.of(), request.after());
        }
        try (Cursor cursor =
                reader.snapshot()
                        .scan(
                                Family.HISTORY,
                                KeyLayout.historyAfter(request.after()),
                                KeyLayout.historyAfter(through))) {
            ChangePosition position = request.after();
            for (; cursor.isValid(); cursor.next()) {
                long revision = KeyLayout.revisionOfHistory(cursor.key());
                if (isFull()) {
                    return new ChangePage(changes, position.endedBy(revision));
                }
                int index = KeyLayout.indexOfHistory(cursor.key());
                position = new ChangePosition(revision, index);
                keysScanned++;
                HistoryEntry entry = HistoryEntry.decode(cursor.value());
                if (request.covers(entry.key())) {
                    add(revision, index, entry);
                }
            }
        }
        return new ChangePage(changes, through);
    }

    private boolean isFull() {
        return changes.size() >= request.maxChanges()
                || bytes >= request.maxBytes()
                || keysScanned >= limits.maxHistory()
                || (keysScanned > 0 && isLong());
    }

    /** On a slow disk the caller would time out, and ask for the same page again. */
    private boolean isLong() {
        return System.nanoTime() - began >= limits.longest().toNanos();
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
