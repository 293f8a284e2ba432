package io.tidemark.peer;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.jspecify.annotations.Nullable;

/** What nodes of one cluster know and nobody else: whoever says it may read everything. */
public final class PeerSecret {
    public static final int LEAST_LENGTH = 16;
    private static final String SCHEME = "Bearer ";

    private final String secret;

    /**
     * @param secret printable ASCII without blanks, at least {@link #LEAST_LENGTH} characters
     * @throws IllegalArgumentException when it is not; the message does not show it
     */
    public PeerSecret(String secret) {
        if (secret.length() < LEAST_LENGTH || !secret.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
            throw new IllegalArgumentException(
                    "the peers' secret must be %d or more printable ASCII characters without blanks"
                            .formatted(LEAST_LENGTH));
        }
        this.secret = secret;
    }

    /** Value of the Authorization header. */
    String authorization() {
        return SCHEME + secret;
    }

    /** Takes as long for a wrong one as for the right one. */
    boolean isSaidBy(@Nullable String authorization) {
        return authorization != null
                && MessageDigest.isEqual(digest(authorization), digest(authorization()));
    }

    private static byte[] digest(String text) {
        try {
            return MessageDigest.getInstance("SHA-256")
                    .digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** Without the secret. */
    @Override
    public String toString() {
        return "PeerSecret";
    }
}
