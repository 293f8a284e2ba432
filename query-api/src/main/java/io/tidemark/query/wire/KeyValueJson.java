package io.tidemark.query.wire;

import io.tidemark.json.JsonBuffer;
import io.tidemark.json.Utf8;
import io.tidemark.record.Bytes;
import io.tidemark.view.object.StoredObject;
import java.nio.charset.StandardCharsets;

/**
 * A key and its value as JSON, for users of etcd.
 *
 * <pre>
 * {"key":"/a/b","value":"text","createRevision":5,"modRevision":9,"version":2,"lease":"7587…"}
 * </pre>
 *
 * A key or value that is not UTF-8 becomes {@code keyBase64} or {@code valueBase64}. Of a Secret
 * that could not be decrypted it is {@code problem}, which says why. A lease is a hexadecimal
 * string as in etcdctl, because JSON numbers are not exact for 64 bits; it is left out when there
 * is none.
 */
public final class KeyValueJson {
    private KeyValueJson() {}

    /**
     * @param modRevision the object's own revision, or that of its deletion
     */
    public static byte[] of(StoredObject object, long modRevision) {
        int escapes = object.valueLength() / 3; // Of JSON with short names and values.
        JsonBuffer out = new JsonBuffer(object.valueLength() + escapes + 160, Integer.MAX_VALUE);
        out.put('{');
        text(out, "key", object.key().array(), 0, object.key().length());
        out.put(',');
        if (object.isUndecrypted()) {
            byte[] why = object.reason().getBytes(StandardCharsets.UTF_8);
            text(out, "problem", why, 0, why.length);
        } else {
            int from = object.valueOffset();
            text(out, "value", object.stored(), from, from + object.valueLength());
        }
        return finished(out, object, modRevision);
    }

    /** The same without {@code value}, of an object of which only the metadata were read. */
    public static byte[] withoutValue(StoredObject object) {
        JsonBuffer out = new JsonBuffer(160, Integer.MAX_VALUE);
        out.put('{');
        text(out, "key", object.key().array(), 0, object.key().length());
        return finished(out, object, object.revision());
    }

    private static byte[] finished(JsonBuffer out, StoredObject object, long modRevision) {
        out.put(",\"createRevision\":" + object.createRevision());
        out.put(",\"modRevision\":" + modRevision);
        out.put(",\"version\":" + object.version());
        if (object.lease() != 0) {
            out.put(",\"lease\":\"" + Long.toHexString(object.lease()) + '"');
        }
        out.put('}');
        return out.toByteArray();
    }

    /** Any bytes as text, one character each, for the start in a continue token. */
    public static String asToken(Bytes key) {
        return new String(key.array(), StandardCharsets.ISO_8859_1);
    }

    /** Undoes {@link #asToken}. */
    public static Bytes fromToken(String start) {
        return Bytes.wrap(start.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static void text(JsonBuffer out, String name, byte[] source, int from, int to) {
        boolean text = Utf8.isValid(source, from, to);
        out.put('"' + name + (text ? "\":" : "Base64\":"));
        if (text) {
            out.string(source, from, to);
        } else {
            out.base64(source, from, to);
        }
    }
}
