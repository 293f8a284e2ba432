package io.tidemark.nodeauth;

import java.nio.charset.StandardCharsets;

/**
 * The shared secret of a group's nodes and connectors. It is never sent; session keys derive from
 * it. An eavesdropper of a handshake could guess a short one.
 */
public record PeerSecret(String text) {
    /** In characters. */
    public static final int LEAST_LENGTH = 16;

    /**
     * @param text printable ASCII without blanks, at least {@link #LEAST_LENGTH} characters
     * @throws IllegalArgumentException when it is not; the message does not show the secret
     */
    public PeerSecret {
        if (text.length() < LEAST_LENGTH || !text.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
            throw new IllegalArgumentException(
                    "the peer secret must be %d or more printable ASCII characters without blanks"
                            .formatted(LEAST_LENGTH));
        }
    }

    byte[] bytes() {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Without the secret. */
    @Override
    public String toString() {
        return "PeerSecret";
    }
}
