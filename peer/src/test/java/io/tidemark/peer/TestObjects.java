package io.tidemark.peer;

import io.tidemark.record.Bytes;
import io.tidemark.record.ContentType;
import io.tidemark.view.object.StoredObject;
import io.tidemark.view.request.ObjectChange;
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

    /** A key that was created with a value of this size. */
    public static ObjectChange change(long revision, int index, String key, int size) {
        Bytes at = Bytes.utf8(key);
        return new ObjectChange(revision, index, at, of(at, "x".repeat(size), revision), null);
    }
}
