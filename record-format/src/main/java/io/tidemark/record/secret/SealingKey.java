package io.tidemark.record.secret;

import io.tidemark.record.Bytes;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/**
 * A key of a {@link KeyRing}, with the two keys derived from it: one encrypts, the other one makes
 * nonces, so that neither use says anything about the other. Never prints key material.
 */
final class SealingKey {
    /** Length of the key that an operator makes, in bytes. */
    static final int LENGTH = 32;

    static final int MAX_ID_LENGTH = 64;
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9._-]{1," + MAX_ID_LENGTH + "}");
    private static final String HMAC = "HmacSHA256";

    private final String id;
    private final SecretKey encryption;
    private final SecretKey nonces;

    /**
     * @param id 1 to 64 letters, digits, dots, underscores or hyphens
     * @throws IllegalArgumentException when the id or the length is wrong; without the key
     */
    SealingKey(String id, byte[] key) {
        if (!isId(id)) {
            throw new IllegalArgumentException(
                    "a key's id is 1 to 64 of A-Z a-z 0-9 . _ and -, not " + Bytes.utf8(id));
        }
        if (key.length != LENGTH) {
            throw new IllegalArgumentException(
                    "key %s has %d bytes, not %d".formatted(id, key.length, LENGTH));
        }
        this.id = id;
        SecretKey root = new SecretKeySpec(key, HMAC);
        this.encryption = new SecretKeySpec(derive(root, "tidemark secrets: encryption"), "AES");
        this.nonces = new SecretKeySpec(derive(root, "tidemark secrets: nonces"), HMAC);
    }

    static boolean isId(String text) {
        return ID.matcher(text).matches();
    }

    private static byte[] derive(SecretKey root, String label) {
        return hmac(root, label.getBytes(StandardCharsets.US_ASCII));
    }

    private static byte[] hmac(SecretKey key, byte[]... parts) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(key);
            for (byte[] part : parts) {
                mac.update(part);
            }
            return mac.doFinal();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no " + HMAC, e);
        }
    }

    String id() {
        return id;
    }

    SecretKey encryption() {
        return encryption;
    }

    /**
     * A nonce that only the same content in the same place gets twice: then the sealed bytes are
     * the same as well.
     *
     * @param length in bytes, up to 32
     */
    byte[] nonce(byte[] place, byte[] content, int length) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            byte[] mac = hmac(nonces, digest.digest(place), digest.digest(content));
            return Arrays.copyOf(mac, length);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no SHA-256", e);
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SealingKey that
                && id.equals(that.id)
                && MessageDigest.isEqual(encryption.getEncoded(), that.encryption.getEncoded());
    }

    @Override
    public int hashCode() {
        return id.hashCode();
    }

    @Override
    public String toString() {
        return id;
    }
}
