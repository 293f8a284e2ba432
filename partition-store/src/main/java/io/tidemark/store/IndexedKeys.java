package io.tidemark.store;

import io.tidemark.record.Bytes;
import io.tidemark.store.KeyValueEngine.Cursor;
import io.tidemark.store.KeyValueEngine.Family;
import io.tidemark.store.KeyValueEngine.Snapshot;
import io.tidemark.view.StoredObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The keys that an index has under any of some values, merged. */
final class IndexedKeys implements KeyStream {
    /** One value's entries. {@code keyAt} is where the etcd key begins in them. */
    private record Entries(Cursor cursor, int keyAt) {
        @Nullable Bytes key() {
            if (!cursor.isValid()) {
                return null;
            }
            Bytes entry = cursor.key();
            return entry.slice(keyAt, entry.length());
        }
    }

    private final List<Entries> sources = new ArrayList<>();
    private @Nullable Bytes key;

    IndexedKeys(Snapshot snapshot, IndexChoice choice, KeyRange range) {
        for (String value : choice.values()) {
            Bytes before = KeyLayout.indexValue(choice.declared(), value);
            Bytes end =
                    range.toExclusive().length() == 0
                            ? before.prefixEnd()
                            : before.concat(range.toExclusive());
            Cursor cursor = snapshot.scan(Family.INDEX, before.concat(range.fromInclusive()), end);
            sources.add(new Entries(cursor, before.length()));
        }
        key = smallest();
    }

    private @Nullable Bytes smallest() {
        @Nullable Bytes smallest = null;
        for (Entries source : sources) {
            @Nullable Bytes candidate = source.key();
            if (candidate != null && (smallest == null || candidate.compareTo(smallest) < 0)) {
                smallest = candidate;
            }
        }
        return smallest;
    }

    @Override
    public @Nullable Bytes key() {
        return key;
    }

    @Override
    public @Nullable StoredObject object() {
        return null;
    }

    @Override
    public void next() {
        // A key has one value per name, so only one source has it.
        for (Entries source : sources) {
            if (source.cursor().isValid() && Objects.equals(source.key(), key)) {
                source.cursor().next();
            }
        }
        key = smallest();
    }

    @Override
    public void close() {
        sources.forEach(source -> source.cursor().close());
    }
}
