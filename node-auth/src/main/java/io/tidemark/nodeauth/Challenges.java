package io.tidemark.nodeauth;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.function.LongSupplier;

/**
 * Issues a server's challenges and recognizes them by a MAC, without storing them: an
 * unauthenticated client cannot use up memory.
 */
final class Challenges {
    /** Time from a challenge to the session opened with it, by the server's monotonic clock. */
    static final Duration LIFE = Duration.ofSeconds(10);

    private static final int ID = 16;
    private static final int MAC = Handshake.CHALLENGE - Long.BYTES - ID;

    private final byte[] key = Handshake.random(ProofMac.BYTES);
    private final LongSupplier nanoTime;

    Challenges(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    byte[] next(byte[] clientNonce) {
        ByteBuffer challenge = ByteBuffer.allocate(Handshake.CHALLENGE);
        challenge.putLong(nanoTime.getAsLong()).put(Handshake.random(ID));
        return challenge.put(mac(challenge.array(), clientNonce)).array();
    }

    /** Whether this server issued the challenge to this client recently. */
    boolean isFresh(byte[] challenge, byte[] clientNonce) {
        byte[] claimed = Arrays.copyOfRange(challenge, Long.BYTES + ID, challenge.length);
        long age = nanoTime.getAsLong() - ByteBuffer.wrap(challenge).getLong();
        return MessageDigest.isEqual(claimed, mac(challenge, clientNonce))
                && age >= 0
                && age < LIFE.toNanos();
    }

    /** Id of the session opened with the challenge. */
    static String id(byte[] challenge) {
        return HexFormat.of().formatHex(challenge, Long.BYTES, Long.BYTES + ID);
    }

    private byte[] mac(byte[] challenge, byte[] clientNonce) {
        byte[] mac =
                new ProofMac(key, "challenge")
                        .bytes(challenge, 0, Long.BYTES + ID)
                        .bytes(clientNonce, 0, clientNonce.length)
                        .value();
        return Arrays.copyOf(mac, MAC);
    }
}
