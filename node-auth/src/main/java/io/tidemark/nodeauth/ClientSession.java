package io.tidemark.nodeauth;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A server that has proven itself to this client.
 *
 * @param id by which the server knows it
 * @param requestSecret signs what is asked
 * @param answerSecret signs the answers
 * @param numbers of requests; the newest
 */
record ClientSession(
        String id,
        PeerSecret requestSecret,
        byte[] requestKey,
        PeerSecret answerSecret,
        byte[] answerKey,
        AtomicLong numbers) {

    /** A request that is sent once. */
    record SignedRequest(long number, String header) {}

    SignedRequest sign(NodeRequest request) {
        long number = numbers.incrementAndGet();
        return new SignedRequest(
                number, new ProofHeader(id, number, request.mac(requestKey, number)).toString());
    }

    ResponseProof answer(long number, int status) {
        return new ResponseProof(answerKey, number, status);
    }

    /** Whether it would be begun with the same secrets now. */
    boolean usesSecretsIn(List<PeerSecret> current) {
        return current.getFirst().equals(requestSecret) && current.contains(answerSecret);
    }
}
