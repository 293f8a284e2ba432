package io.tidemark.nodeauth;

import io.tidemark.address.HttpAddress;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** The client's side of a handshake: the server proves itself first, then the client. */
final class ClientHandshake {
    private final Exchange exchange;

    /** Posts bytes to one server, and returns its answer. */
    @FunctionalInterface
    interface Exchange {
        /**
         * @return the body of a 2xx answer, at most 4 KiB
         * @throws IOException when there is none in time
         */
        byte[] post(String path, byte[] body) throws IOException, InterruptedException;
    }

    ClientHandshake(Exchange exchange) {
        this.exchange = exchange;
    }

    /**
     * @param secrets the first of them signs
     */
    ClientSession begin(HttpAddress to, List<PeerSecret> secrets)
            throws IOException, InterruptedException {
        byte[] nonce = Handshake.random(Handshake.NONCE);
        byte[] audience = to.toString().getBytes(StandardCharsets.UTF_8);
        byte[] answer = exchange.post(NodeAuthProtocol.HELLO, joined(nonce, audience));
        if (answer.length != Handshake.CHALLENGE + ProofMac.BYTES) {
            throw new UnverifiedPeerException("the server does not answer as a node of this group");
        }
        byte[] challenge = Arrays.copyOf(answer, Handshake.CHALLENGE);
        byte[] proof = Arrays.copyOfRange(answer, Handshake.CHALLENGE, answer.length);
        Handshake handshake = new Handshake(nonce, challenge, to.toString());
        PeerSecret answering = signer(handshake, proof, secrets);
        PeerSecret asking = secrets.getFirst();
        byte[] requestKey = handshake.requestKey(asking);
        byte[] ownProof = Handshake.clientProof(requestKey).value();
        byte[] _ =
                exchange.post(NodeAuthProtocol.OPEN, joined(nonce, challenge, ownProof, audience));
        return new ClientSession(
                Challenges.id(challenge),
                asking,
                requestKey,
                answering,
                handshake.answerKey(answering),
                new AtomicLong());
    }

    private static PeerSecret signer(Handshake handshake, byte[] proof, List<PeerSecret> secrets)
            throws UnverifiedPeerException {
        return secrets.stream()
                .filter(each -> Handshake.serverProof(handshake.answerKey(each)).matches(proof))
                .findFirst()
                .orElseThrow(() ->
                        new UnverifiedPeerException("the server does not know the peer secret"));
    }

    private static byte[] joined(byte[]... parts) {
        ByteBuffer all = ByteBuffer.allocate(Arrays.stream(parts).mapToInt(p -> p.length).sum());
        for (byte[] part : parts) {
            all.put(part);
        }
        return all.array();
    }
}
