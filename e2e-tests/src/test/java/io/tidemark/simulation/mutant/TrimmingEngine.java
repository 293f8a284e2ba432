package io.tidemark.simulation.mutant;

import io.tidemark.record.Bytes;
import io.tidemark.store.engine.ForwardingEngine;
import io.tidemark.store.engine.KeyValueEngine;
import io.tidemark.store.engine.WriteBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Drops, with each trimmed superseded version, the one behind it. */
final class TrimmingEngine extends ForwardingEngine {
    TrimmingEngine(KeyValueEngine engine) {
        super(engine);
    }

    @Override
    public void write(WriteBatch batch) {
        List<Bytes> tooMuch = new ArrayList<>();
        for (Map.Entry<Bytes, @Nullable Bytes> write : batch.writesOf(Family.VERSIONS).entrySet()) {
            if (write.getValue() == null) {
                nextOf(write.getKey(), tooMuch);
            }
        }
        tooMuch.forEach(key -> batch.delete(Family.VERSIONS, key));
        super.write(batch);
    }

    private void nextOf(Bytes key, List<Bytes> into) {
        try (Snapshot snapshot = snapshot();
                Cursor cursor = snapshot.scan(Family.VERSIONS, key.successor(), Bytes.EMPTY)) {
            if (cursor.isValid()) {
                into.add(cursor.key());
            }
        }
    }
}
