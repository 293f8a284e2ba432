package io.tidemark.serving.testing;

import io.tidemark.record.Bytes;
import io.tidemark.record.ContentType;
import io.tidemark.view.object.StoredObject;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Stored objects for tests, from JSON whose first resourceVersion is that of metadata. */
public final class StoredObjects {
    private static final String RESOURCE_VERSION = "\"resourceVersion\":\"";

    private StoredObjects() {}

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
}
