package io.tidemark.query.discovery;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** A finished, immutable document. A class, as records should not have array components. */
final class Document {
    private final byte[] bytes;
    private final String hash;

    /**
     * @param hash of what the document is made of
     */
    Document(byte[] bytes, String hash) {
        this.bytes = bytes;
        this.hash = hash;
    }

    /** A document under its bytes' hash. */
    static Document of(byte[] bytes) {
        return new Document(bytes, hex(sha512().digest(bytes)));
    }

    /** Read-only. */
    byte[] bytes() {
        return bytes;
    }

    String etag() {
        return etag(hash);
    }

    String hash() {
        return hash;
    }

    static String etag(String hash) {
        return "\"" + hash + "\"";
    }

    static String hex(byte[] digest) {
        return HexFormat.of().withUpperCase().formatHex(digest);
    }

    static MessageDigest sha512() {
        try {
            return MessageDigest.getInstance("SHA-512");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-512", e);
        }
    }
}
