package io.tidemark.nodeauth;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * HMAC-SHA256 over a label and fields, each prefixed by its length: no two lists of fields have the
 * same bytes.
 */
final class ProofMac {
    static final int BYTES = 32;

    private final Mac mac;

    /**
     * @param label what is proven; the same key never proves two things under one label
     */
    ProofMac(byte[] key, String label) {
        try {
            mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has HMAC-SHA256", e);
        }
        text(label);
    }

    ProofMac text(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return bytes(bytes, 0, bytes.length);
    }

    ProofMac number(long number) {
        mac.update(ByteBuffer.allocate(Long.BYTES).putLong(0, number));
        return this;
    }

    ProofMac bytes(byte[] bytes, int offset, int length) {
        number(length);
        mac.update(bytes, offset, length);
        return this;
    }

    byte[] value() {
        return mac.doFinal();
    }

    /** Compares in constant time. */
    boolean matches(byte[] claimed) {
        return MessageDigest.isEqual(value(), claimed);
    }
}
