package io.tidemark.query.representation;

import io.tidemark.query.json.GoJson;
import io.tidemark.view.object.StoredObject;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Writes the metadata of stored objects as PartialObjectMetadata, by copying bytes. */
final class PartialMetadata {
    private final byte[] head;

    /**
     * @param apiVersion of PartialObjectMetadata, not of the objects
     */
    PartialMetadata(String apiVersion) {
        this.head =
                GoJson.utf8(
                        "{\"kind\":\"PartialObjectMetadata\",\"apiVersion\":\"%s\",\"metadata\":"
                                .formatted(apiVersion));
    }

    /**
     * @param resourceVersion to show in place of the object's own
     */
    byte[] of(StoredObject whole, long resourceVersion) {
        StoredObject object = whole.isMetadataOrdered() ? whole : whole.metadataOnly();
        byte[] stored = object.stored();
        int from = object.metadataOffset();
        int to = from + object.metadataLength();
        int revisionFrom = object.resourceVersionOffset();
        int revisionTo = revisionFrom + Long.toString(object.revision()).length();
        byte[] revision = Long.toString(resourceVersion).getBytes(StandardCharsets.US_ASCII);
        int shared = to - from - (revisionTo - revisionFrom);
        ByteBuffer out = ByteBuffer.allocate(head.length + shared + revision.length + 1);
        out.put(head);
        out.put(stored, from, revisionFrom - from);
        out.put(revision);
        out.put(stored, revisionTo, to - revisionTo);
        out.put((byte) '}');
        return out.array();
    }
}
