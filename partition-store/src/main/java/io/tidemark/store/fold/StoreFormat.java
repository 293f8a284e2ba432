package io.tidemark.store.fold;

import io.tidemark.record.Bytes;
import io.tidemark.store.engine.KeyValueEngine;
import io.tidemark.store.engine.KeyValueEngine.Family;
import io.tidemark.store.engine.WriteBatch;
import io.tidemark.store.layout.KeyLayout;
import io.tidemark.store.layout.StoreSettings;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Records what an engine's content was built for: layout, topic, and indexes. Releases with other
 * layouts read this record too, so its place and its form never change: the number of the layout
 * and a blank come first.
 */
public final class StoreFormat {
    /** The version of keys, values and attributes; when it changes, stores rebuild themselves. */
    private static final int LAYOUT = 9;

    /**
     * The same with Secrets encrypted. A release that does not know it rebuilds such a store, and
     * so does a node that gets or loses its keys.
     */
    private static final int SEALED_LAYOUT = 10;

    private StoreFormat() {}

    /** See {@code PartitionStore.prepare}. */
    public static Optional<String> prepare(
            KeyValueEngine engine, StoreSettings settings, String source) {
        int layout = settings.secretKeys().isPresent() ? SEALED_LAYOUT : LAYOUT;
        Bytes expected =
                Bytes.utf8(
                        "%d %s %s"
                                .formatted(
                                        layout, source, SelectableFields.builtIn().fingerprint()));
        byte @Nullable [] found = engine.get(Family.META, KeyLayout.FINGERPRINT);
        String gained = MissingKeys.gained(engine, settings.secretKeys());
        String lost = MissingKeys.lost(engine, settings.secretKeys());
        boolean hasItsKeys = gained.isEmpty() && lost.isEmpty();
        if (found != null && Bytes.wrap(found).equals(expected) && hasItsKeys) {
            IndexRebuild.rebuildIfChanged(engine, settings.indexes());
            ProtobufFamily.rebuildIfChanged(engine, settings.protobuf());
            return Optional.empty();
        }
        WriteBatch clearing = new WriteBatch();
        clearing.clearEverything();
        clearing.put(Family.META, KeyLayout.FINGERPRINT, expected);
        clearing.put(Family.META, KeyLayout.INDEXES, IndexRebuild.describe(settings.indexes()));
        ProtobufFamily.describe(clearing, settings.protobuf());
        engine.write(clearing);
        if (found == null) {
            return Optional.empty();
        }
        return Optional.of(
                hasItsKeys
                        ? difference(Bytes.wrap(found).utf8(), layout)
                        : lost.isEmpty()
                                ? "a key file without key " + gained
                                : "a key file with key " + lost);
    }

    private static String difference(String found, int expected) {
        int blank = found.indexOf(' ');
        String layout = blank < 0 ? found : found.substring(0, blank);
        return layout.equals(Integer.toString(expected))
                ? "another topic or other selectable fields"
                : "layout %s, this release has layout %d".formatted(layout, expected);
    }

    /** Clears everything except the record of what the content was built for. */
    static void clearContents(WriteBatch batch, KeyValueEngine engine) {
        Map<Bytes, Bytes> kept = new LinkedHashMap<>();
        for (Bytes key :
                List.of(KeyLayout.FINGERPRINT, KeyLayout.INDEXES, KeyValueEngine.PROTOBUF_MAKER)) {
            byte @Nullable [] value = batch.get(engine, Family.META, key);
            if (value != null) {
                kept.put(key, Bytes.wrap(value));
            }
        }
        batch.clearEverything();
        kept.forEach((key, value) -> batch.put(Family.META, key, value));
    }
}
