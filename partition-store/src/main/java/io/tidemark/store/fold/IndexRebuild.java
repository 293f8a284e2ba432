package io.tidemark.store.fold;

import io.tidemark.record.Bytes;
import io.tidemark.store.engine.KeyValueEngine;
import io.tidemark.store.engine.KeyValueEngine.Cursor;
import io.tidemark.store.engine.KeyValueEngine.Family;
import io.tidemark.store.engine.KeyValueEngine.Snapshot;
import io.tidemark.store.engine.WriteBatch;
import io.tidemark.store.layout.IndexEntries;
import io.tidemark.store.layout.IndexSettings;
import io.tidemark.store.layout.IndexSettings.Field;
import io.tidemark.store.layout.KeyLayout;
import io.tidemark.view.object.Selection.Source;
import io.tidemark.view.object.StoredObject;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rebuilds the index of an existing store when it is to hold other fields, or was written by a
 * release that did not index every label. The store keeps a description beside the index, and drops
 * it before the first entry changes: an interrupted rebuild starts over at the next open.
 *
 * <p>Only the index is written. Objects keep the attributes they were stored with; a field that is
 * not among them is read from the value, here and by every reader.
 */
final class IndexRebuild {
    private static final Logger LOG = LoggerFactory.getLogger(IndexRebuild.class);
    private static final int MAX_BATCH_ENTRIES = 10_000;

    private final KeyValueEngine engine;
    private final IndexSettings settings;
    private final List<Field> fields;
    private WriteBatch batch = new WriteBatch();

    private IndexRebuild(KeyValueEngine engine, IndexSettings settings) {
        this.engine = engine;
        this.settings = settings;
        this.fields = settings.ordered();
    }

    /** What the index holds, as the store keeps it. */
    static Bytes describe(IndexSettings settings) {
        return Bytes.utf8("every label, shards, " + settings.ordered());
    }

    /**
     * @return whether anything had to be built
     */
    static boolean rebuildIfChanged(KeyValueEngine engine, IndexSettings settings) {
        byte @Nullable [] found = engine.get(Family.META, KeyLayout.INDEXES);
        if (found != null && Bytes.wrap(found).equals(describe(settings))) {
            return false;
        }
        new IndexRebuild(engine, settings).run();
        return true;
    }

    private void run() {
        LOG.info(
                "rebuilding the index, of every label and of the fields {}",
                fields.stream().map(Field::label).toList());
        batch.delete(Family.META, KeyLayout.INDEXES);
        write();
        try (Snapshot snapshot = engine.snapshot()) {
            for (Source source : Source.values()) {
                Bytes marker = KeyLayout.indexesOf(source);
                try (Cursor old = snapshot.scan(Family.INDEX, marker, marker.prefixEnd())) {
                    for (; old.isValid(); old.next()) {
                        batch.delete(Family.INDEX, old.key());
                        writeWhenFull();
                    }
                }
            }
            write();
            try (Cursor objects = snapshot.scan(Family.METADATA, Bytes.EMPTY, Bytes.EMPTY)) {
                for (; objects.isValid(); objects.next()) {
                    add(snapshot, new StoredObject(objects.key(), objects.value()));
                    writeWhenFull();
                }
            }
        }
        batch.put(Family.META, KeyLayout.INDEXES, describe(settings));
        write();
    }

    private void add(Snapshot snapshot, StoredObject metadata) {
        StoredObject object = metadata;
        for (Field field : fields) {
            boolean undecided =
                    field.covers(object.key())
                            && object.isKubernetes()
                            && object.isMetadataOnly()
                            && object.extractedField(field.path()) == null;
            if (undecided) {
                byte @Nullable [] whole = snapshot.get(Family.OBJECTS, object.key());
                if (whole == null) {
                    return;
                }
                object = new StoredObject(object.key(), whole);
            }
        }
        IndexEntries.replace(batch, fields, object.key(), null, object);
    }

    private void writeWhenFull() {
        if (batch.entries() >= MAX_BATCH_ENTRIES) {
            write();
        }
    }

    private void write() {
        engine.write(batch);
        batch = new WriteBatch();
    }
}
