package io.tidemark.peer;

import io.tidemark.address.HttpAddress;
import io.tidemark.nodeauth.NodeClient;
import io.tidemark.nodeauth.NodeRequest;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.UUID;

/** Requests to one other node, each bounded in time and size. */
final class PeerTransport {
    /** Another replica is asked after this: the longest that a stopped process delays a read. */
    static final Duration ANSWER = Duration.ofMillis(2_500);

    private final NodeClient client;
    private final HttpAddress address;

    /** By this id the other node associates this node's reads with its states stream. */
    private final String follower = "?" + PeerPaths.FOLLOWER + "=" + UUID.randomUUID();

    PeerTransport(NodeClient client, HttpAddress address) {
        this.client = client;
        this.address = address;
    }

    HttpAddress address() {
        return address;
    }

    /**
     * The answer to a call on one partition.
     *
     * @throws AnswerTooLargeException when it is larger than {@code maxBytes}
     */
    byte[] ask(int partition, byte[] question, long maxBytes)
            throws IOException, InterruptedException {
        try {
            return ask(
                    NodeRequest.post(PeerPaths.partition(partition) + follower, question),
                    maxBytes);
        } catch (IOException e) {
            throw AnswerTooLargeException.isBodyTooLarge(e) ? new AnswerTooLargeException(e) : e;
        }
    }

    /** The node's report, as JSON. */
    byte[] node() throws IOException, InterruptedException {
        return ask(NodeRequest.get(PeerPaths.NODE), PeerPaths.MAX_NODE_BYTES);
    }

    private byte[] ask(NodeRequest request, long maxBytes)
            throws IOException, InterruptedException {
        NodeClient.Answer answer = client.ask(address, request, ANSWER, maxBytes);
        if (answer.status() != 200) {
            throw new IOException("it answered with status " + answer.status());
        }
        return answer.body();
    }

    /** The stream of {@code StateFrame}s, until one side closes it. */
    InputStream states() throws IOException, InterruptedException {
        return client.stream(address, NodeRequest.get(PeerPaths.STATES + follower), ANSWER);
    }
}
