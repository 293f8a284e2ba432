package io.tidemark.serving.testing;

import io.tidemark.record.Bytes;
import io.tidemark.record.ContentType;
import io.tidemark.view.object.StoredObject;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Stored objects for tests. */
public final class StoredObjects {
    private static final String RESOURCE_VERSION = "\"resourceVersion\":\"";

    private StoredObjects() {}

    /** From JSON whose first resourceVersion is that of metadata. */
    public static StoredObject of(String key, long revision, String json) {
        int place = json.indexOf(RESOURCE_VERSION) + RESOURCE_VERSION.length();
        return StoredObject.encode(
                Bytes.utf8(key),
                Bytes.utf8(json),
                ContentType.KUBERNETES_JSON,
                revision,
                1,
                1,
                0,
                "",
                Map.of(),
                Map.of(),
                json.substring(0, place).getBytes(StandardCharsets.UTF_8).length);
    }

    /**
     * A value that is no Kubernetes object.
     *
     * @param unreadable why it should be one and is not; empty when it should not
     */
    public static StoredObject raw(String key, long revision, String value, String unreadable) {
        return StoredObject.encode(
                Bytes.utf8(key),
                Bytes.utf8(value),
                ContentType.RAW,
                revision,
                1,
                1,
                0,
                unreadable,
                Map.of(),
                Map.of(),
                0);
    }
}
