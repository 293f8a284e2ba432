package io.tidemark.store;

import io.tidemark.record.Bytes;
import io.tidemark.store.KeyValueEngine.Family;
import org.jspecify.annotations.Nullable;

/** What the content of an engine was built for: a layout, a topic, and the indexes declared. */
final class StoreFormat {
    /** Of keys, values and attributes; another one makes stores rebuild themselves. */
    private static final int LAYOUT = 5;

    private StoreFormat() {}

    /** See {@link PartitionStore#prepare}. */
    static boolean prepare(KeyValueEngine engine, StoreSettings settings, String source) {
        Bytes wanted =
                Bytes.utf8(
                        "%d %s %s"
                                .formatted(
                                        LAYOUT, source, SelectableFields.builtIn().fingerprint()));
        byte @Nullable [] found = engine.get(Family.META, KeyLayout.FINGERPRINT);
        if (found != null && Bytes.wrap(found).equals(wanted)) {
            IndexRebuild.rebuildIfChanged(engine, settings.indexes());
            return false;
        }
        WriteBatch voiding = new WriteBatch();
        voiding.clearEverything();
        voiding.put(Family.META, KeyLayout.FINGERPRINT, wanted);
        voiding.put(
                Family.META,
                KeyLayout.INDEXES,
                IndexRebuild.describe(settings.indexes().declared()));
        engine.write(voiding);
        return found != null;
    }

    /** What is filled again after this was built for the same. */
    static void clearContents(WriteBatch batch, KeyValueEngine engine) {
        byte @Nullable [] fingerprint = batch.get(engine, Family.META, KeyLayout.FINGERPRINT);
        byte @Nullable [] indexes = batch.get(engine, Family.META, KeyLayout.INDEXES);
        batch.clearEverything();
        if (fingerprint != null) {
            batch.put(Family.META, KeyLayout.FINGERPRINT, Bytes.wrap(fingerprint));
        }
        if (indexes != null) {
            batch.put(Family.META, KeyLayout.INDEXES, Bytes.wrap(indexes));
        }
    }
}
