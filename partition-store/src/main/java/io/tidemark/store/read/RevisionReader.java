package io.tidemark.store.read;

import io.tidemark.record.Bytes;
import io.tidemark.store.engine.KeyValueEngine.Cursor;
import io.tidemark.store.engine.KeyValueEngine.Family;
import io.tidemark.store.engine.KeyValueEngine.Snapshot;
import io.tidemark.store.layout.FoldState;
import io.tidemark.store.layout.KeyLayout;
import io.tidemark.store.layout.TimeSamples;
import io.tidemark.view.object.Projection;
import io.tidemark.view.object.StoredObject;
import io.tidemark.view.request.RevisionAtTime;
import org.jspecify.annotations.Nullable;

/** Finds the version of a key that was current at a revision, in one snapshot. */
final class RevisionReader implements AutoCloseable {
    private final Snapshot snapshot;
    private final FoldState state;
    private @Nullable Cursor versions;

    RevisionReader(Snapshot snapshot) {
        this.snapshot = snapshot;
        this.state = FoldState.decode(snapshot.get(Family.META, KeyLayout.STATE));
    }

    Snapshot snapshot() {
        return snapshot;
    }

    /** The state of the snapshot. */
    FoldState state() {
        return state;
    }

    /** The watermark of the snapshot. */
    long watermark() {
        return state.watermark;
    }

    /** The floor of the snapshot; above the watermark while nothing is readable. */
    long floor() {
        return state.floor;
    }

    /** Whether nothing changed after {@code revision}, published or not. */
    boolean isNewest(long revision) {
        return revision >= state.lastRevision;
    }

    /** The newest revision at a time. */
    RevisionAtTime revisionAt(long timeMillis, long slotMillis) {
        return TimeSamples.at(snapshot, state, timeMillis, slotMillis);
    }

    /** The version of a key at a revision. */
    @Nullable StoredObject get(Bytes key, long atRevision, Projection projection) {
        @Nullable StoredObject found = resolve(key, newest(key, projection), atRevision);
        return found == null ? null : shown(found, atRevision, projection);
    }

    /**
     * What a projection shows of a version.
     *
     * @param version the one at a revision, in the form of the projection's family or whole
     */
    @Nullable StoredObject shown(StoredObject version, long atRevision, Projection projection) {
        return projection.accepts(version)
                ? projection.of(version)
                : get(version.key(), atRevision, Projection.WHOLE);
    }

    /** The keys of a range that exist now, published or not, with their newest versions. */
    CursorKeys newestIn(KeyRange range, Projection projection) {
        return new CursorKeys(
                snapshot.scan(familyOf(projection), range.fromInclusive(), range.toExclusive()),
                Bytes.EMPTY);
    }

    /** The key's newest version, published or not. */
    @Nullable StoredObject newest(Bytes key, Projection projection) {
        byte @Nullable [] stored = snapshot.get(familyOf(projection), key);
        return stored == null ? null : new StoredObject(key, stored);
    }

    /** The family with the newest versions in a projection. */
    private static Family familyOf(Projection projection) {
        return switch (projection) {
            case Projection.Whole _ -> Family.OBJECTS;
            case Projection.Metadata _ -> Family.METADATA;
            case Projection.Checksum _ -> Family.CHECKSUMS;
            case Projection.Protobuf _ -> Family.PROTOBUF;
            case Projection.ProtobufLength _ -> Family.PROTOBUF_LENGTH;
        };
    }

    /**
     * The version at a revision; a superseded one is always whole.
     *
     * @param newest the key's version from {@link #newest}, in any projection
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

    /** The version that the change at {@code revision} replaced; null for none. */
    @Nullable StoredObject replacedAt(Bytes key, long revision, Projection projection) {
        byte @Nullable [] stored = snapshot.get(Family.VERSIONS, KeyLayout.version(key, revision));
        return stored == null ? null : projection.of(new StoredObject(key, stored));
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
