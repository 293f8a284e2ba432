package io.tidemark.nodeauth;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import javax.crypto.KDF;
import javax.crypto.spec.HKDFParameterSpec;

/**
 * What both sides said at the beginning of a session. All of it is in the session's keys, so a
 * recorded handshake is of no use for another one, nor for another server.
 *
 * @param clientNonce {@link #NONCE} random bytes of the client
 * @param challenge {@link #CHALLENGE} bytes of the server, new each time
 * @param audience address at which the client asks: a server takes its own only, so that who stands
 *     between cannot pass the handshake on to another node
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

    /** Key of what the client sends, from the secret that it signs with. */
    byte[] requestKey(PeerSecret secret) {
        return key(secret, "tidemark node-auth v1 requests to ");
    }

    /** Key of what the server answers, from the secret that that one signs with. */
    byte[] answerKey(PeerSecret secret) {
        return key(secret, "tidemark node-auth v1 answers of ");
    }

    /** Shows that the server has the answers' key. */
    static ProofMac serverProof(byte[] answerKey) {
        return new ProofMac(answerKey, "hello");
    }

    /** Shows that the client has the requests' key. */
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
