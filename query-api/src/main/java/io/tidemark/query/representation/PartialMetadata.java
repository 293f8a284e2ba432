package io.tidemark.query.representation;

import io.tidemark.query.json.GoJson;
import io.tidemark.view.object.StoredObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
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
        StoredObject object = ordered(whole);
        ByteArrayOutputStream out =
                new ByteArrayOutputStream(head.length + object.metadataLength() + 24);
        try {
            copy(object, resourceVersion, out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    /** Writes the same, with one copy less. */
    void write(StoredObject whole, long resourceVersion, OutputStream out) throws IOException {
        copy(ordered(whole), resourceVersion, out);
    }

    private static StoredObject ordered(StoredObject whole) {
        return whole.isMetadataOrdered() ? whole : whole.metadataOnly();
    }

    private void copy(StoredObject object, long resourceVersion, OutputStream out)
            throws IOException {
        byte[] stored = object.stored();
        int from = object.metadataOffset();
        int to = from + object.metadataLength();
        int revisionFrom = object.resourceVersionOffset();
        int revisionTo = revisionFrom + Long.toString(object.revision()).length();
        out.write(head);
        out.write(stored, from, revisionFrom - from);
        out.write(Long.toString(resourceVersion).getBytes(StandardCharsets.US_ASCII));
        out.write(stored, revisionTo, to - revisionTo);
        out.write('}');
    }
}
