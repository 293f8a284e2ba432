package io.tidemark.store.read;

import io.tidemark.digest.KeyRevision;
import io.tidemark.record.Bytes;
import io.tidemark.view.object.StoredObject;
import io.tidemark.view.request.KeysPage;
import io.tidemark.view.request.KeysRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads keys and revisions as of a revision for the self-check. It visits every object in the
 * engine, so that lost and unreadable ones show, but copies only the head of each value.
 */
final class KeyScan implements AutoCloseable {
    private final RevisionReader reader;
    private final KeysRequest request;
    private final CursorKeys existing;
    private final KeyStream candidates;
    private final byte[] head = new byte[StoredObject.REVISION_END];

    KeyScan(RevisionReader reader, KeysRequest request, ScanLimits limits) {
        this.reader = reader;
        this.request = request;
        KeyRange range = new KeyRange(request.fromKeyInclusive(), Bytes.EMPTY);
        this.existing = reader.newestIn(range, request.family());
        KeyStream changed =
                ChangedKeys.after(reader, request.atRevision(), range, limits.maxLaterChanges());
        this.candidates = new MergedKeys(List.of(existing, changed));
    }

    KeysPage page() {
        List<KeyRevision> keys = new ArrayList<>();
        for (int scanned = 0; ; scanned++) {
            @Nullable Bytes key = candidates.key;
            if (key == null) {
                return new KeysPage(keys, Optional.empty());
            }
            if (scanned == request.maxKeys()) {
                return new KeysPage(keys, Optional.of(key));
            }
            long revision = take(key);
            if (revision > 0) {
                keys.add(new KeyRevision(key, revision));
            }
        }
    }

    /** The key's revision at the requested revision; 0 when it did not exist then. */
    private long take(Bytes key) {
        long newest = 0;
        if (Objects.equals(key, existing.key)) {
            newest = StoredObject.revisionIn(head, existing.cursor.readValue(head));
        }
        candidates.next();
        if (newest > 0 && newest <= request.atRevision()) {
            return newest;
        }
        @Nullable StoredObject then = reader.resolve(key, null, request.atRevision());
        return then == null ? 0 : then.revision();
    }

    @Override
    public void close() {
        candidates.close();
    }
}
