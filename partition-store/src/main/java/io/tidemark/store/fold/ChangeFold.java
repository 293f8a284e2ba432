package io.tidemark.store.fold;

import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import io.tidemark.store.engine.KeyValueEngine;
import io.tidemark.store.engine.KeyValueEngine.Family;
import io.tidemark.store.engine.WriteBatch;
import io.tidemark.store.layout.FoldState;
import io.tidemark.store.layout.HistoryEntry;
import io.tidemark.store.layout.IndexEntries;
import io.tidemark.store.layout.IndexSettings;
import io.tidemark.store.layout.KeyLayout;
import io.tidemark.store.layout.UnreadableKeys;
import io.tidemark.view.object.ChecksumForm;
import io.tidemark.view.object.StoredObject;
import io.tidemark.view.request.ObjectChange;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Applies a put or a delete of the mirror topic to a store's families: {@code objects}, {@code
 * metadata} and {@code checksums} hold the newest version of each key, {@code versions} what later
 * changes replaced, {@code history} one entry per change, {@code index} the keys by labels and
 * indexed fields.
 *
 * <p>The topic repeats changes, when a connector resumes or a batch is read again. So each method
 * first compares revisions with the stored version, and a change that is not newer has no effect.
 * Writes go to a batch, and reads go through it, so that they see earlier changes of that batch.
 */
final class ChangeFold {
    private final KeyValueEngine engine;
    private final AttributeExtractor attributes;
    private final List<IndexSettings.Field> indexed;
    private final ProtobufFamily forms;

    /** What history got since the last {@link #takeChanges}, in the topic's order. */
    private List<ObjectChange> made = new ArrayList<>();

    ChangeFold(
            KeyValueEngine engine,
            AttributeExtractor attributes,
            List<IndexSettings.Field> indexed,
            ProtobufFamily forms) {
        this.engine = engine;
        this.attributes = attributes;
        this.indexed = indexed;
        this.forms = forms;
    }

    /**
     * Applies an object of a list, which holds each key at its own, old revision: state only, no
     * history. The newest version of a key wins.
     */
    void putListed(WriteBatch batch, FoldState state, Change.Put put) {
        @Nullable StoredObject previous = current(batch, put.key());
        if (previous == null || previous.revision() < put.revision()) {
            replace(batch, state, put.key(), previous, stored(batch, put));
        }
    }

    /**
     * Applies a change after the list. A key changes at most once in a revision, so a key that
     * holds this revision has had this change applied, whether or not history has it.
     *
     * @param withHistory false when the floor, the oldest readable revision, rises to this change
     *     anyway
     * @return whether it was new
     */
    boolean put(WriteBatch batch, FoldState state, Change.Put put, boolean withHistory) {
        @Nullable StoredObject previous = current(batch, put.key());
        if (previous != null && previous.revision() >= put.revision()) {
            return false;
        }
        StoredObject current = stored(batch, put);
        replace(batch, state, put.key(), previous, current);
        if (withHistory) {
            int index = freeIndex(batch, put.revision(), put.index());
            addHistory(batch, state, put.revision(), index, put.key(), current, previous);
        }
        return true;
    }

    private StoredObject stored(WriteBatch batch, Change.Put put) {
        StoredObject stored = attributes.store(put);
        if (put.isEncrypted() && !stored.isSecret()) {
            MissingKeys.note(batch, engine, put.encryptedWith());
        }
        return stored;
    }

    /** As {@link #put}; a delete of a key that does not exist changes nothing. */
    boolean delete(WriteBatch batch, FoldState state, Change.Delete delete, boolean withHistory) {
        @Nullable StoredObject previous = current(batch, delete.key());
        if (previous == null || previous.revision() >= delete.revision()) {
            return false;
        }
        replace(batch, state, delete.key(), previous, null);
        if (withHistory) {
            int index = freeIndex(batch, delete.revision(), delete.index());
            addHistory(batch, state, delete.revision(), index, delete.key(), null, previous);
        }
        return true;
    }

    /**
     * Where a new change goes in the history of its revision. An unfinished gap may already have
     * taken the index of a change of this one: then it takes the next one that is free.
     */
    private int freeIndex(WriteBatch batch, long revision, int wanted) {
        int index = wanted;
        while (index >= Change.GAP_INDEX && hasHistory(batch, revision, index)) {
            index++;
        }
        return index;
    }

    /**
     * Whether a change below the last applied one may never have been applied. Above the floor
     * every change has history; at and below it there is only the state, which proves a change
     * applied only if the key still holds its revision.
     */
    boolean mayBeMissing(WriteBatch batch, FoldState state, Change.Put put) {
        @Nullable StoredObject now = current(batch, put.key());
        boolean holdsIt = now != null && now.revision() == put.revision();
        return !holdsIt && isMissingFromHistory(batch, state, put.revision(), put.index());
    }

    /** The same; above the floor a delete of a key that does not exist has no history. */
    boolean mayBeMissing(WriteBatch batch, FoldState state, Change.Delete delete) {
        boolean changesNothing =
                delete.revision() > state.floor && current(batch, delete.key()) == null;
        return !changesNothing
                && isMissingFromHistory(batch, state, delete.revision(), delete.index());
    }

    private boolean isMissingFromHistory(
            WriteBatch batch, FoldState state, long revision, int index) {
        return revision <= state.floor || !hasHistory(batch, revision, index);
    }

    private boolean hasHistory(WriteBatch batch, long revision, int index) {
        return batch.get(engine, Family.HISTORY, KeyLayout.history(revision, index)) != null;
    }

    /** Keeps the previous version under the revision that ended it, for reads of the past. */
    private void addHistory(
            WriteBatch batch,
            FoldState state,
            long revision,
            int index,
            Bytes key,
            @Nullable StoredObject current,
            @Nullable StoredObject previous) {
        if (previous != null) {
            batch.put(
                    Family.VERSIONS,
                    KeyLayout.version(key, revision),
                    Bytes.wrap(previous.stored()));
        }
        HistoryEntry entry =
                new HistoryEntry(
                        current != null,
                        previous == null ? 0 : previous.revision(),
                        previous == null ? 0 : previous.stored().length,
                        key);
        batch.put(Family.HISTORY, KeyLayout.history(revision, index), entry.encode());
        state.historyBytes += entry.cost();
        made.add(new ObjectChange(revision, index, key, current, previous));
    }

    /**
     * Removes and returns the changes that history got since the last call; a batch bounds them.
     */
    List<ObjectChange> takeChanges() {
        List<ObjectChange> taken = made;
        made = new ArrayList<>();
        return taken;
    }

    private void replace(
            WriteBatch batch,
            FoldState state,
            Bytes key,
            @Nullable StoredObject previous,
            @Nullable StoredObject next) {
        if (next == null) {
            batch.delete(Family.OBJECTS, key);
            batch.delete(Family.METADATA, key);
            batch.delete(Family.CHECKSUMS, key);
            forms.remove(batch, key);
        } else {
            // Made before the first one is put: a batch never gets half a change.
            Bytes metadata = Bytes.wrap(next.metadataOnly().stored());
            Bytes checksum = Bytes.wrap(ChecksumForm.of(next).stored());
            batch.put(Family.OBJECTS, key, Bytes.wrap(next.stored()));
            batch.put(Family.METADATA, key, metadata);
            batch.put(Family.CHECKSUMS, key, checksum);
            forms.put(batch, next);
        }
        UnreadableKeys.replace(batch, state, key, previous, next);
        IndexEntries.replace(batch, indexed, key, previous, next);
    }

    private @Nullable StoredObject current(WriteBatch batch, Bytes key) {
        byte @Nullable [] stored = batch.get(engine, Family.OBJECTS, key);
        return stored == null ? null : new StoredObject(key, stored);
    }
}
