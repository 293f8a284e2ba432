package io.tidemark.store.read;

import io.tidemark.store.engine.KeyValueEngine.Cursor;
import io.tidemark.store.engine.KeyValueEngine.Family;
import io.tidemark.store.layout.KeyLayout;
import io.tidemark.store.layout.TimeSamples.RevisionTimes;
import io.tidemark.view.object.Projection;
import io.tidemark.view.object.StoredObject;
import io.tidemark.view.request.KeyVersion;
import io.tidemark.view.request.KeyVersion.Step;
import io.tidemark.view.request.VersionPage;
import io.tidemark.view.request.VersionsRequest;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the versions of one key, in order. They lie together: superseded ones under the revision
 * that ended each, and the newest one. So a read costs little more than what it returns, however
 * long the history is.
 *
 * <p>A version that ended where the next one begins was replaced; one that ended before that, or
 * that nothing follows, was deleted.
 */
final class VersionScan {
    private final RevisionReader reader;
    private final VersionsRequest request;
    private final RevisionTimes dating;
    private final long floor;
    private final long through;
    private final List<KeyVersion> versions = new ArrayList<>();
    private long bytes;

    private VersionScan(RevisionReader reader, VersionsRequest request, RevisionTimes dating) {
        this.reader = reader;
        this.request = request;
        this.dating = dating;
        this.floor = Math.min(reader.floor(), reader.watermark());
        this.through = Math.max(request.afterRevision(), request.throughRevision());
    }

    /** Reads the page that a request asks for. */
    static VersionPage page(RevisionReader reader, VersionsRequest request, long slotMillis) {
        try (RevisionTimes dating =
                new RevisionTimes(reader.snapshot(), reader.state(), slotMillis)) {
            return new VersionScan(reader, request, dating).page();
        }
    }

    private VersionPage page() {
        // Trimming goes in steps: versions that ended at or below the floor may still exist.
        long endedAfter = Math.max(request.afterRevision(), floor);
        try (Cursor cursor =
                reader.snapshot()
                        .scan(
                                Family.VERSIONS,
                                KeyLayout.version(request.key(), endedAfter + 1),
                                KeyLayout.versionsEnd(request.key()))) {
            return read(cursor);
        }
    }

    private VersionPage read(Cursor cursor) {
        long endOfLast = -1;
        @Nullable StoredObject last = null;
        while (true) {
            @Nullable StoredObject next;
            long end = -1;
            if (cursor.isValid()) {
                next = new StoredObject(request.key(), cursor.value());
                end = KeyLayout.untilOfVersion(cursor.key());
                cursor.next();
            } else {
                next = reader.newest(request.key(), Projection.WHOLE);
            }
            boolean replaced = next != null && next.revision() == endOfLast;
            if (last != null && !replaced && !add(endOfLast, Step.DELETED, last)) {
                return page(lastRevision());
            }
            if (next != null && next.revision() > through) {
                return page(through);
            }
            if (next == null || !add(next.revision(), beginning(next, replaced), next)) {
                return page(next == null ? through : lastRevision());
            }
            if (end < 0) {
                return page(through);
            }
            last = next;
            endOfLast = end;
        }
    }

    /** Below the floor there is no history, only the version's create revision. */
    private Step beginning(StoredObject version, boolean replaced) {
        boolean known = version.revision() > floor;
        boolean first = known ? !replaced : version.createRevision() == version.revision();
        return first ? Step.ADDED : Step.MODIFIED;
    }

    /** False when the page is already full. */
    private boolean add(long revision, Step step, StoredObject object) {
        if (revision <= request.afterRevision() || revision > through) {
            return true;
        }
        if (versions.size() >= request.maxVersions() || bytes >= request.maxBytes()) {
            return false;
        }
        versions.add(new KeyVersion(revision, dating.timeOf(revision), step, object));
        bytes += object.stored().length;
        return true;
    }

    private long lastRevision() {
        return versions.getLast().revision();
    }

    private VersionPage page(long throughRevision) {
        return new VersionPage(versions, throughRevision, floor);
    }
}
