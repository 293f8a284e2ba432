package io.tidemark.peer;

import io.tidemark.record.Bytes;
import io.tidemark.record.ContentType;
import io.tidemark.view.object.StoredObject;
import java.util.Map;

/** Stored objects for tests: plain values. */
public final class TestObjects {
    private TestObjects() {}

    public static StoredObject of(Bytes key, String value, long revision) {
        return StoredObject.encode(
                key,
                Bytes.utf8(value),
                ContentType.RAW,
                revision,
                1,
                1,
                0,
                "",
                Map.of(),
                Map.of(),
                0);
    }
}
