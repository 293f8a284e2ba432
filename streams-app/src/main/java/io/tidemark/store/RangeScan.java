package io.tidemark.store;

import io.tidemark.record.Bytes;
import io.tidemark.view.ScanPage;
import io.tidemark.view.ScanRequest;
import io.tidemark.view.StoredObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads one page of a range as of a revision. It walks the keys that may count in order: those that
 * exist now (all of the range, or those an index names), merged with those that changed after the
 * revision (which may have been deleted since, or have been indexed otherwise); and takes each
 * key's version of that revision.
 */
final class RangeScan implements AutoCloseable {
    private final RevisionReader reader;
    private final ScanRequest request;
    private final int maxLookedAt;
    private final KeyStream existing;
    private final KeyStream changed;

    RangeScan(
            RevisionReader reader,
            ScanRequest request,
            List<IndexSettings.Declared> indexes,
            ScanLimits limits) {
        this.reader = reader;
        this.request = request;
        this.maxLookedAt = limits.maxKeys();
        Bytes from =
                request.fromKeyInclusive().compareTo(request.prefix()) > 0
                        ? request.fromKeyInclusive()
                        : request.prefix();
        KeyRange range = new KeyRange(from, request.prefix().prefixEnd());
        this.existing =
                IndexChoice.of(request.selection(), indexes)
                        .<KeyStream>map(choice -> new IndexedKeys(reader.snapshot(), choice, range))
                        .orElseGet(() -> new ObjectKeys(reader.snapshot(), range));
        this.changed =
                ChangedKeys.after(reader, request.atRevision(), range, limits.maxLaterChanges());
    }

    ScanPage page() {
        List<StoredObject> objects = new ArrayList<>();
        long bytes = 0;
        int lookedAt = 0;
        for (Bytes key = nextKey(); key != null; key = nextKey()) {
            if (objects.size() >= request.maxObjects()
                    || bytes >= request.maxBytes()
                    || lookedAt >= maxLookedAt) {
                return new ScanPage(objects, Optional.of(key));
            }
            lookedAt++;
            @Nullable StoredObject object = take(key);
            if (object != null && request.selection().matches(object)) {
                objects.add(object);
                bytes += object.stored().length;
            }
        }
        return new ScanPage(objects, Optional.empty());
    }

    private @Nullable Bytes nextKey() {
        @Nullable Bytes a = existing.key();
        @Nullable Bytes b = changed.key();
        if (a == null) {
            return b;
        }
        return b == null || a.compareTo(b) <= 0 ? a : b;
    }

    private @Nullable StoredObject take(Bytes key) {
        @Nullable StoredObject newest = null;
        boolean known = false;
        if (Objects.equals(key, existing.key())) {
            newest = existing.object();
            known = newest != null;
            existing.next();
        }
        if (Objects.equals(key, changed.key())) {
            changed.next();
        }
        return reader.resolve(key, known ? newest : reader.newest(key), request.atRevision());
    }

    @Override
    public void close() {
        existing.close();
        changed.close();
    }
}
