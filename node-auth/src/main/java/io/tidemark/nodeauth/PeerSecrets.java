package io.tidemark.nodeauth;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;

/**
 * The secrets in force: one, or two during a rotation. The first one signs, each of them is
 * accepted.
 */
@FunctionalInterface
public interface PeerSecrets {
    /** One or two; cheap, since every request calls it. */
    List<PeerSecret> current();

    static PeerSecrets of(PeerSecret secret) {
        record Fixed(List<PeerSecret> current) implements PeerSecrets {}
        return new Fixed(List.of(secret));
    }

    /** A random secret that only this process knows. */
    static PeerSecrets random() {
        byte[] bytes = new byte[32];
        new SecureRandom().nextBytes(bytes);
        return of(new PeerSecret(HexFormat.of().formatHex(bytes)));
    }
}
