package io.tidemark.query.wire;

import io.tidemark.record.Bytes;
import io.tidemark.serving.status.JsonText;
import io.tidemark.view.StoredObject;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * A key and its value as JSON, for users of etcd.
 *
 * <pre>
 * {"key":"/a/b","value":"text","createRevision":5,"modRevision":9,"version":2,"lease":"7587…"}
 * </pre>
 *
 * A key or value that is not UTF-8 becomes {@code keyBase64} or {@code valueBase64}. A lease is a
 * hexadecimal string as in etcdctl, because JSON numbers are not exact for 64 bits; it is left out
 * when there is none.
 */
public final class KeyValueJson {
    private KeyValueJson() {}

    /**
     * @param modRevision the object's own revision, or that of its deletion
     */
    public static byte[] of(StoredObject object, long modRevision) {
        StringBuilder out = new StringBuilder(object.valueLength() + 160).append('{');
        text(out, "key", ByteBuffer.wrap(object.key().array()));
        out.append(',');
        text(
                out,
                "value",
                ByteBuffer.wrap(object.stored(), object.valueOffset(), object.valueLength()));
        out.append(",\"createRevision\":").append(object.createRevision());
        out.append(",\"modRevision\":").append(modRevision);
        out.append(",\"version\":").append(object.version());
        if (object.lease() != 0) {
            out.append(",\"lease\":\"").append(Long.toHexString(object.lease())).append('"');
        }
        return out.append('}').toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Any bytes as text, one character each, for the start in a continue token. */
    public static String asToken(Bytes key) {
        return new String(key.array(), StandardCharsets.ISO_8859_1);
    }

    /** Undoes {@link #asToken}. */
    public static Bytes fromToken(String start) {
        return Bytes.wrap(start.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static void text(StringBuilder out, String name, ByteBuffer bytes) {
        try {
            CharBuffer text = StandardCharsets.UTF_8.newDecoder().decode(bytes.duplicate());
            out.append('"').append(name).append("\":");
            JsonText.quote(out, text);
        } catch (CharacterCodingException _) {
            ByteBuffer encoded = Base64.getEncoder().encode(bytes);
            out.append('"').append(name).append("Base64\":\"");
            out.append(StandardCharsets.ISO_8859_1.decode(encoded)).append('"');
        }
    }
}
