package io.tidemark.store.read;

import io.tidemark.record.Bytes;
import io.tidemark.store.layout.IndexSettings;
import io.tidemark.view.object.Projection;
import io.tidemark.view.object.Selection;
import io.tidemark.view.object.StoredObject;
import io.tidemark.view.request.ScanPage;
import io.tidemark.view.request.ScanRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads one page of a range as of a revision. It merges the candidate keys in order: those that
 * exist now (all of the range, or those of an index) with those that changed after the revision
 * (which may have been deleted since, or have had other indexed values); and takes each key's
 * version of that revision, to which the selection applies: so an index may name too many keys, but
 * must not lack one. A metadata projection reads whole objects only for changed keys, and for
 * selections that metadata and attributes cannot decide.
 */
final class RangeScan implements AutoCloseable {
    private final RevisionReader reader;
    private final ScanRequest request;
    private final ScanLimits limits;
    private final long began = System.nanoTime();
    private long bytesScanned;
    private final KeyStream candidates;
    private final AscendingReads reads;
    private final String index;

    RangeScan(
            RevisionReader reader,
            ScanRequest request,
            List<IndexSettings.Field> indexed,
            ScanLimits limits) {
        this.reader = reader;
        this.request = request;
        this.limits = limits;
        Bytes from =
                request.fromKeyInclusive().compareTo(request.prefix()) > 0
                        ? request.fromKeyInclusive()
                        : request.prefix();
        KeyRange range = new KeyRange(from, request.prefix().prefixEnd());
        Optional<IndexedKeys> chosen =
                IndexedKeys.of(request.prefix(), request.selection(), indexed);
        this.index = chosen.map(IndexedKeys::name).orElse("");
        this.reads = new AscendingReads(reader, request.projection(), range.toExclusive());
        KeyStream existing =
                chosen.map(indexedKeys -> indexedKeys.keys(reader.snapshot(), range))
                        .orElseGet(() -> reader.newestIn(range, request.projection()));
        KeyStream changed =
                ChangedKeys.after(reader, request.atRevision(), range, limits.maxLaterChanges());
        this.candidates = new MergedKeys(List.of(existing, changed));
    }

    ScanPage page() {
        List<StoredObject> objects = new ArrayList<>();
        long bytes = 0;
        int keysScanned = 0;
        for (Bytes key = candidates.key; key != null; key = candidates.key) {
            if (objects.size() >= request.maxObjects()
                    || bytes >= request.maxBytes()
                    || keysScanned >= limits.maxKeys()
                    || bytesScanned >= limits.maxBytes()
                    || (keysScanned > 0 && isOverTime())) {
                return new ScanPage(objects, Optional.of(key), keysScanned, index);
            }
            keysScanned++;
            @Nullable StoredObject object = take(key);
            bytesScanned += object == null ? 0 : object.stored().length;
            @Nullable StoredObject shown =
                    object != null && matches(object)
                            ? reader.shown(object, request.atRevision(), request.projection())
                            : null;
            if (shown != null) {
                objects.add(shown);
                bytes += shown.stored().length;
            }
        }
        return new ScanPage(objects, Optional.empty(), keysScanned, index);
    }

    /** The page ends early then; the caller may continue after it. */
    private boolean isOverTime() {
        return System.nanoTime() - began >= limits.longest().toNanos();
    }

    private boolean matches(StoredObject object) {
        Selection selection = request.selection();
        if (selection.isDecidedBy(object)) {
            return selection.matches(object);
        }
        @Nullable StoredObject whole =
                reader.get(object.key(), request.atRevision(), Projection.WHOLE);
        bytesScanned += whole == null ? 0 : whole.stored().length;
        return selection.matches(whole);
    }

    private @Nullable StoredObject take(Bytes key) {
        @Nullable StoredObject newest = candidates.object();
        candidates.next();
        return reader.resolve(
                key, newest == null ? reads.newest(key) : newest, request.atRevision());
    }

    @Override
    public void close() {
        candidates.close();
        reads.close();
    }
}
