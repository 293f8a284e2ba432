package io.tidemark.nodeauth;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import javax.crypto.KDF;
import javax.crypto.spec.HKDFParameterSpec;

/**
 * The values that both sides exchange when a session is opened. The session's keys derive from all
 * of them, so a recorded handshake is of no use for another session or another server.
 *
 * @param clientNonce {@link #NONCE} random bytes of the client
 * @param challenge {@link #CHALLENGE} bytes of the server, new each time
 * @param audience address at which the client calls: a server accepts only its own, so that a man
 *     in the middle cannot relay the handshake to another node
 */
record Handshake(byte[] clientNonce, byte[] challenge, String audience) {
    static final int NONCE = 32;
    static final int CHALLENGE = 40;
    private static final SecureRandom RANDOM = new SecureRandom();

    static byte[] random(int length) {
        byte[] bytes = new byte[length];
        RANDOM.nextBytes(bytes);
        return bytes;
    }

    /** Key of the client's requests, from the secret that the client signs with. */
    byte[] requestKey(PeerSecret secret) {
        return key(secret, "tidemark node-auth v1 requests to ");
    }

    /** Key of the server's answers, from the secret that the server signs with. */
    byte[] answerKey(PeerSecret secret) {
        return key(secret, "tidemark node-auth v1 answers of ");
    }

    /** Proves that the server has the answers' key. */
    static ProofMac serverProof(byte[] answerKey) {
        return new ProofMac(answerKey, "hello");
    }

    /** Proves that the client has the requests' key. */
    static ProofMac clientProof(byte[] requestKey) {
        return new ProofMac(requestKey, "open");
    }

    private byte[] key(PeerSecret secret, String direction) {
        try {
            return KDF.getInstance("HKDF-SHA256")
                    .deriveData(
                            HKDFParameterSpec.ofExtract()
                                    .addIKM(secret.bytes())
                                    .addSalt(clientNonce)
                                    .addSalt(challenge)
                                    .thenExpand(
                                            (direction + audience).getBytes(StandardCharsets.UTF_8),
                                            ProofMac.BYTES));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has HKDF-SHA256", e);
        }
    }
}
