package io.tidemark.store.read;

import io.tidemark.record.Bytes;
import io.tidemark.view.object.StoredObject;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The keys that any of some streams has. */
final class MergedKeys extends KeyStream {
    private final List<? extends KeyStream> sources;

    MergedKeys(List<? extends KeyStream> sources) {
        this.sources = sources;
        key = smallest();
    }

    private @Nullable Bytes smallest() {
        @Nullable Bytes smallest = null;
        for (KeyStream source : sources) {
            @Nullable Bytes candidate = source.key;
            if (candidate != null && (smallest == null || candidate.compareTo(smallest) < 0)) {
                smallest = candidate;
            }
        }
        return smallest;
    }

    @Override
    @Nullable StoredObject object() {
        for (KeyStream source : sources) {
            @Nullable StoredObject object = isAt(source) ? source.object() : null;
            if (object != null) {
                return object;
            }
        }
        return null;
    }

    private boolean isAt(KeyStream source) {
        return key != null && Objects.equals(key, source.key);
    }

    @Override
    void next() {
        for (KeyStream source : sources) {
            if (isAt(source)) {
                source.next();
            }
        }
        key = smallest();
    }

    @Override
    void advance(Bytes from) {
        for (KeyStream source : sources) {
            source.advance(from);
        }
        key = smallest();
    }

    @Override
    public void close() {
        sources.forEach(KeyStream::close);
    }
}
