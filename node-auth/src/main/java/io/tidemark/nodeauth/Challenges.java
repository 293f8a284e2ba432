package io.tidemark.nodeauth;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.function.LongSupplier;

/**
 * A server's challenges. It knows its own again by a MAC and keeps none: a stranger who asks for
 * many costs no memory.
 */
final class Challenges {
    /** From a challenge to the session that is opened with it, by the server's running time. */
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

    /** Whether it was given to this client by this server just now. */
    boolean isFresh(byte[] challenge, byte[] clientNonce) {
        byte[] claimed = Arrays.copyOfRange(challenge, Long.BYTES + ID, challenge.length);
        long age = nanoTime.getAsLong() - ByteBuffer.wrap(challenge).getLong();
        return MessageDigest.isEqual(claimed, mac(challenge, clientNonce))
                && age >= 0
                && age < LIFE.toNanos();
    }

    /** Names the session that is opened with it. */
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
