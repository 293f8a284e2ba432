package io.tidemark.nodeauth;

import java.util.List;
import java.util.function.LongSupplier;

/** A server's session with a node that has proven itself. */
final class ServerSession {
    private final PeerSecret requestSecret;
    private final byte[] requestKey;
    private final PeerSecret answerSecret;
    private final byte[] answerKey;
    private final ReplayWindow window = new ReplayWindow();
    private final LongSupplier nanoTime;
    private volatile long usedNanos;

    /**
     * @param requestSecret the secret that the client signs with
     * @param answerSecret the secret that this server signs with, for the whole session
     */
    ServerSession(
            Handshake handshake,
            PeerSecret requestSecret,
            PeerSecret answerSecret,
            LongSupplier nanoTime) {
        this.requestSecret = requestSecret;
        this.requestKey = handshake.requestKey(requestSecret);
        this.answerSecret = answerSecret;
        this.answerKey = handshake.answerKey(answerSecret);
        this.nanoTime = nanoTime;
        this.usedNanos = nanoTime.getAsLong();
    }

    /** Whether both secrets are still in force. */
    boolean usesSecretsIn(List<PeerSecret> current) {
        return current.contains(requestSecret) && current.contains(answerSecret);
    }

    long idleNanos() {
        return nanoTime.getAsLong() - usedNanos;
    }

    /**
     * @throws RefusedException when the request is not of this session, or is a replay
     */
    void verify(NodeRequest request, long number, byte[] mac) throws RefusedException {
        if (!request.hasMac(requestKey, number, mac)) {
            throw new RefusedException(401, "the request is not proven");
        }
        if (!window.take(number)) {
            throw new RefusedException(401, "the request is a repeated one");
        }
        usedNanos = nanoTime.getAsLong();
    }

    ResponseProof answer(long number, int status) {
        return new ResponseProof(answerKey, number, status);
    }
}
