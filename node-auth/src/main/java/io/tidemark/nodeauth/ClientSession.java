package io.tidemark.nodeauth;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A client's session with a server that has proven itself.
 *
 * @param id the session's id at the server
 * @param requestSecret signs the requests
 * @param answerSecret signs the answers
 * @param numbers number of the newest request
 */
record ClientSession(
        String id,
        PeerSecret requestSecret,
        byte[] requestKey,
        PeerSecret answerSecret,
        byte[] answerKey,
        AtomicLong numbers) {

    /** The proof of one request, to be sent once. */
    record SignedRequest(long number, String header) {}

    SignedRequest sign(NodeRequest request) {
        long number = numbers.incrementAndGet();
        return new SignedRequest(
                number, new ProofHeader(id, number, request.mac(requestKey, number)).toString());
    }

    ResponseProof answer(long number, int status) {
        return new ResponseProof(answerKey, number, status);
    }

    /** Whether a new session would use the same secrets. */
    boolean usesSecretsIn(List<PeerSecret> current) {
        return current.getFirst().equals(requestSecret) && current.contains(answerSecret);
    }
}
