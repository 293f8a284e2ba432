package io.tidemark.record.secret;

import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import io.tidemark.record.ContentType;
import io.tidemark.record.secret.SealedBytes.Opened;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;

/**
 * Encrypts the value of a Secret's put for the mirror topic, and decrypts it for a store. The
 * result is an unreadable put: a reader without keys and one of an older release show it as such,
 * with its reason. The value is bound to the put's epoch, key and revision.
 *
 * <p>The encrypted content: content type (1: 0 raw, 1 Kubernetes JSON), length of the reason (4),
 * why the value is unreadable (UTF-8, empty when it is not), the value.
 *
 * @param keys the newest ring, read for each put
 */
public record PutSealer(Supplier<KeyRing> keys) {
    private static final byte[] PURPOSE = "tidemark put\0".getBytes(StandardCharsets.US_ASCII);

    /** Reason of a put whose key is not in the ring, before and after the key's id. */
    private static final String MISSING_KEY = "%s %s, which this node does not have";

    /** What opening a put gave. */
    public sealed interface Result {
        /** As it was before it was sealed. */
        record Plain(Change.Put put) implements Result {}

        /** Why it cannot be opened, for readers. */
        record Locked(String reason) implements Result {}
    }

    /** The same put with its value encrypted. */
    public Change.Put seal(Change.Put put) {
        KeyRing ring = keys.get();
        byte[] reason = put.unreadable().getBytes(StandardCharsets.UTF_8);
        ByteBuffer content = ByteBuffer.allocate(5 + reason.length + put.value().length());
        content.put((byte) (put.contentType() == ContentType.KUBERNETES_JSON ? 1 : 0));
        content.putInt(reason.length).put(reason).put(put.value().array());
        return put.withValue(
                Bytes.wrap(SealedBytes.seal(ring, place(put), content.array())),
                ContentType.RAW,
                Change.Put.ENCRYPTED + ring.first().id());
    }

    /** The put that was sealed, or why there is none. */
    public Result open(Change.Put put) {
        Opened opened =
                SealedBytes.open(keys.get(), place(put), ByteBuffer.wrap(put.value().array()));
        return switch (opened) {
            case Opened.Content content -> plain(put, content);
            case Opened.MissingKey(String id) -> new Result.Locked(missing(id));
            case Opened.Invalid(String id) -> new Result.Locked(invalid(id));
        };
    }

    /** Why a value cannot be read whose key is not in the ring. */
    public static String missing(String id) {
        return MISSING_KEY.formatted(Change.Put.LOCKED, id);
    }

    /** Why a value cannot be read that does not open. */
    public static String invalid(String id) {
        return id.isEmpty()
                ? Change.Put.LOCKED + " that cannot be read"
                : Change.Put.LOCKED + " " + id + ", but it cannot be decrypted";
    }

    private static Result plain(Change.Put put, Opened.Content content) {
        try {
            ByteBuffer in = content.buffer();
            boolean kubernetes = in.get() == 1;
            byte[] reason = new byte[in.getInt()];
            in.get(reason);
            byte[] value = new byte[in.remaining()];
            in.get(value);
            return new Result.Plain(
                    put.withValue(
                            Bytes.wrap(value),
                            kubernetes ? ContentType.KUBERNETES_JSON : ContentType.RAW,
                            new String(reason, StandardCharsets.UTF_8)));
        } catch (BufferUnderflowException
                | NegativeArraySizeException
                | IllegalArgumentException unused) {
            return new Result.Locked(invalid(put.encryptedWith()));
        }
    }

    private static byte[] place(Change.Put put) {
        return ByteBuffer.allocate(PURPOSE.length + 2 * Long.BYTES + put.key().length())
                .put(PURPOSE)
                .putLong(put.epoch())
                .putLong(put.revision())
                .put(put.key().array())
                .array();
    }
}
