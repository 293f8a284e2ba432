package io.tidemark.store;

import io.tidemark.record.Bytes;
import io.tidemark.store.KeyValueEngine.Cursor;
import io.tidemark.store.KeyValueEngine.Family;
import io.tidemark.store.KeyValueEngine.Snapshot;
import io.tidemark.view.StoredObject;
import org.jspecify.annotations.Nullable;

/** Finds the version of a key that was current at a revision, in one snapshot. */
final class RevisionReader implements AutoCloseable {
    private final Snapshot snapshot;
    private final FoldState state;
    private @Nullable Cursor versions;

    RevisionReader(Snapshot snapshot, FoldState state) {
        this.snapshot = snapshot;
        this.state = state;
    }

    Snapshot snapshot() {
        return snapshot;
    }

    /** The watermark of the snapshot. */
    long watermark() {
        return state.watermark;
    }

    /** Whether anything changed after {@code revision}, shown or not. */
    boolean isNewest(long revision) {
        return revision >= state.lastRevision;
    }

    @Nullable StoredObject get(Bytes key, long atRevision) {
        return resolve(key, newest(key), atRevision);
    }

    /** What the key holds after every change that was applied. */
    @Nullable StoredObject newest(Bytes key) {
        byte @Nullable [] stored = snapshot.get(Family.OBJECTS, key);
        return stored == null ? null : new StoredObject(key, stored);
    }

    /**
     * The version at a revision.
     *
     * @param newest what {@link #newest} says of the key
     */
    @Nullable StoredObject resolve(Bytes key, @Nullable StoredObject newest, long atRevision) {
        if (newest != null && newest.revision() <= atRevision) {
            return newest;
        }
        if (isNewest(atRevision)) {
            return null;
        }
        Cursor cursor = versions(KeyLayout.version(key, atRevision + 1));
        if (!cursor.isValid() || cursor.key().compareTo(KeyLayout.versionsEnd(key)) >= 0) {
            return null;
        }
        StoredObject version = new StoredObject(key, cursor.value());
        return version.revision() <= atRevision ? version : null;
    }

    /** What the change at {@code revision} replaced; null when there was nothing. */
    @Nullable StoredObject replacedAt(Bytes key, long revision) {
        byte @Nullable [] stored = snapshot.get(Family.VERSIONS, KeyLayout.version(key, revision));
        return stored == null ? null : new StoredObject(key, stored);
    }

    private Cursor versions(Bytes from) {
        if (versions == null) {
            versions = snapshot.scan(Family.VERSIONS, from, Bytes.EMPTY);
        } else {
            versions.seek(from);
        }
        return versions;
    }

    @Override
    public void close() {
        if (versions != null) {
            versions.close();
        }
    }
}
