package io.tidemark.nodeauth;

import java.util.List;
import java.util.function.LongSupplier;

/** A node that has proven itself to this server. */
final class ServerSession {
    private final PeerSecret requestSecret;
    private final byte[] requestKey;
    private final PeerSecret answerSecret;
    private final byte[] answerKey;
    private final ReplayWindow window = new ReplayWindow();
    private final LongSupplier nanoTime;
    private volatile long usedNanos;

    /**
     * @param requestSecret the one that the client signs with
     * @param answerSecret the one that this server signs with, from now on in this session
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

    /** Whether both secrets still count. */
    boolean usesSecretsIn(List<PeerSecret> current) {
        return current.contains(requestSecret) && current.contains(answerSecret);
    }

    long idleNanos() {
        return nanoTime.getAsLong() - usedNanos;
    }

    /**
     * @throws RefusedException when it is not of this session, or has been here before
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
