package io.tidemark.record.secret;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;

/**
 * Bytes encrypted with AES-256-GCM, bound to their place: at another place they do not open.
 * Deterministic, so that a repeated write is the same bytes: the nonce is a keyed digest of place
 * and content.
 *
 * <pre>
 * 0   1   version, 1
 * 1   1   length of the key's id
 * 2   …   id of the key, ASCII
 * …   12  nonce
 * …       ciphertext, as long as the content, then the tag (16)
 * </pre>
 */
public final class SealedBytes {
    private static final byte VERSION = 1;
    private static final int NONCE_LENGTH = 12;
    private static final int TAG_LENGTH = 16;

    /** The most that the sealed form is longer than the content, in bytes. */
    public static final int MAX_OVERHEAD = 2 + SealingKey.MAX_ID_LENGTH + NONCE_LENGTH + TAG_LENGTH;

    private SealedBytes() {}

    /** What opening gave. */
    public sealed interface Opened {
        /** The content, proven to be what was sealed at this place. */
        record Content(byte[] bytes) implements Opened {
            /** A view of it, for reading. */
            public ByteBuffer buffer() {
                return ByteBuffer.wrap(bytes);
            }
        }

        /** The ring has no key of this id. */
        record MissingKey(String id) implements Opened {}

        /** Changed, moved from another place, or sealed with another key of the same id. */
        record Invalid(String id) implements Opened {}
    }

    /**
     * Seals with the ring's first key.
     *
     * @param place where the bytes belong: the same is needed to open them
     */
    public static byte[] seal(KeyRing ring, byte[] place, byte[] content) {
        SealingKey key = ring.first();
        byte[] id = key.id().getBytes(StandardCharsets.US_ASCII);
        byte[] nonce = key.nonce(place, content, NONCE_LENGTH);
        ByteBuffer out =
                ByteBuffer.allocate(2 + id.length + NONCE_LENGTH + content.length + TAG_LENGTH);
        out.put(VERSION).put((byte) id.length).put(id).put(nonce);
        try {
            Cipher cipher = cipher(Cipher.ENCRYPT_MODE, key, nonce, place);
            cipher.doFinal(ByteBuffer.wrap(content), out);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("cannot encrypt", e);
        }
        return out.array();
    }

    /** Opens what {@link #seal} made; any other bytes are {@link Opened.Invalid}. */
    public static Opened open(KeyRing ring, byte[] place, ByteBuffer sealed) {
        String id = "";
        try {
            ByteBuffer in = sealed.duplicate();
            if (in.get() != VERSION) {
                return new Opened.Invalid(id);
            }
            byte[] idBytes = new byte[in.get()];
            in.get(idBytes);
            String found = new String(idBytes, StandardCharsets.US_ASCII);
            if (!SealingKey.isId(found)) {
                return new Opened.Invalid(id);
            }
            id = found;
            byte[] nonce = new byte[NONCE_LENGTH];
            in.get(nonce);
            SealingKey key = ring.find(id).orElse(null);
            if (key == null) {
                return new Opened.MissingKey(id);
            }
            byte[] rest = new byte[in.remaining()];
            in.get(rest);
            return new Opened.Content(cipher(Cipher.DECRYPT_MODE, key, nonce, place).doFinal(rest));
        } catch (BufferUnderflowException
                | NegativeArraySizeException
                | AEADBadTagException unused) {
            return new Opened.Invalid(id);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("cannot decrypt", e);
        }
    }

    private static Cipher cipher(int mode, SealingKey key, byte[] nonce, byte[] place)
            throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, key.encryption(), new GCMParameterSpec(8 * TAG_LENGTH, nonce));
        cipher.updateAAD(place);
        return cipher;
    }
}
