package io.tidemark.nodeauth;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;

/**
 * The secrets that count now: one, or two while one is replaced by the other. The first one signs,
 * each of them is accepted.
 */
@FunctionalInterface
public interface PeerSecrets {
    /** One or two; cheap, since it is asked for each request. */
    List<PeerSecret> current();

    static PeerSecrets of(PeerSecret secret) {
        record Fixed(List<PeerSecret> current) implements PeerSecrets {}
        return new Fixed(List.of(secret));
    }

    /** One that is known in this process alone. */
    static PeerSecrets random() {
        byte[] bytes = new byte[32];
        new SecureRandom().nextBytes(bytes);
        return of(new PeerSecret(HexFormat.of().formatHex(bytes)));
    }
}
