package io.tidemark.store.seal;

import io.tidemark.record.Bytes;
import io.tidemark.record.secret.KeyRing;
import io.tidemark.record.secret.PutSealer;
import io.tidemark.record.secret.SealedBytes;
import io.tidemark.record.secret.SealedBytes.Opened;
import io.tidemark.store.engine.KeyValueEngine.Family;
import io.tidemark.store.layout.KeyLayout;
import io.tidemark.view.object.StoredObject;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The form of a Secret in the engine.
 *
 * <pre>
 * 0   1   0xfd
 * 1   33  as in the stored object: flags and revisions
 * 34  …   the rest of the stored object, sealed ({@link SealedBytes})
 * </pre>
 *
 * The sealed bytes are bound to the family, the engine's key and the first 34 bytes. All other
 * objects are stored unchanged: telling them apart costs one byte's comparison.
 */
final class SealedObject {
    /** In place of a stored object's format, from which it differs in every bit. */
    private static final byte FORMAT = (byte) ~StoredObject.FORMAT;

    private static final int HEAD = StoredObject.HEAD_END;
    private static final byte[] PURPOSE = "tidemark store\0".getBytes(StandardCharsets.US_ASCII);

    private static final Logger LOG = LoggerFactory.getLogger(SealedObject.class);

    private final Supplier<KeyRing> keys;

    /** The log has each reason once, until another one comes. */
    private volatile String warned = "";

    SealedObject(Supplier<KeyRing> keys) {
        this.keys = keys;
    }

    /** Whether a family holds stored objects. */
    static boolean isIn(Family family) {
        return switch (family) {
            case OBJECTS, METADATA, CHECKSUMS, VERSIONS, PROTOBUF, PROTOBUF_LENGTH -> true;
            case HISTORY, INDEX, META -> false;
        };
    }

    static boolean isSealed(byte[] value) {
        return value.length > 0 && value[0] == FORMAT;
    }

    /** Whether a value is a Secret in clear; a placeholder has nothing to hide. */
    static boolean isPlainSecret(Bytes value) {
        return StoredObject.isPlainSecret(value.array());
    }

    KeyRing ring() {
        return keys.get();
    }

    static Bytes seal(KeyRing ring, Family family, Bytes key, Bytes value) {
        byte[] plain = value.array();
        byte[] head = Arrays.copyOf(plain, HEAD);
        head[0] = FORMAT;
        byte[] rest = Arrays.copyOfRange(plain, HEAD, plain.length);
        byte[] sealed = SealedBytes.seal(ring, place(family, key, head), rest);
        byte[] out = Arrays.copyOf(head, HEAD + sealed.length);
        System.arraycopy(sealed, 0, out, HEAD, sealed.length);
        return Bytes.wrap(out);
    }

    /**
     * The stored object; a placeholder if this node lacks the key or the bytes are not what was
     * sealed.
     *
     * @param stored for which {@link #isSealed} holds
     */
    byte[] open(Family family, Bytes key, byte[] stored) {
        byte[] head = Arrays.copyOf(stored, HEAD);
        if (stored.length < HEAD) {
            return locked(family, key, head, PutSealer.invalid(""));
        }
        ByteBuffer sealed = ByteBuffer.wrap(stored, HEAD, stored.length - HEAD);
        return switch (SealedBytes.open(keys.get(), place(family, key, head), sealed)) {
            case Opened.Content(byte[] rest) -> {
                byte[] out = new byte[HEAD + rest.length];
                System.arraycopy(head, 0, out, 0, HEAD);
                System.arraycopy(rest, 0, out, HEAD, rest.length);
                out[0] = StoredObject.FORMAT;
                yield out;
            }
            case Opened.MissingKey(String id) -> locked(family, key, head, PutSealer.missing(id));
            case Opened.Invalid(String id) -> locked(family, key, head, PutSealer.invalid(id));
        };
    }

    private byte[] locked(Family family, Bytes key, byte[] head, String reason) {
        if (!reason.equals(warned)) {
            warned = reason;
            LOG.warn("a Secret of this node's stores cannot be read: {}", reason);
        }
        Bytes etcdKey = family == Family.VERSIONS ? KeyLayout.keyOfVersion(key) : key;
        return StoredObject.locked(etcdKey, ByteBuffer.wrap(head), reason).stored();
    }

    private static byte[] place(Family family, Bytes key, byte[] head) {
        return ByteBuffer.allocate(PURPOSE.length + 1 + HEAD + key.length())
                .put(PURPOSE)
                .put((byte) family.name().charAt(0))
                .put(head)
                .put(key.array())
                .array();
    }
}
