package io.tidemark.peer;

import io.tidemark.nodeauth.HttpAddress;
import io.tidemark.nodeauth.NodeClient;
import io.tidemark.nodeauth.NodeRequest;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.UUID;

/** Requests to one other node, each bounded in time and size. */
final class PeerTransport {
    /** Another copy is asked after this: so it is also how long a stopped process is felt. */
    static final Duration ANSWER = Duration.ofMillis(2_500);

    private final NodeClient client;
    private final HttpAddress address;

    /** By which the other node knows who asks and who follows for the same. */
    private final String follower = "?" + PeerPaths.FOLLOWER + "=" + UUID.randomUUID();

    PeerTransport(NodeClient client, HttpAddress address) {
        this.client = client;
        this.address = address;
    }

    HttpAddress address() {
        return address;
    }

    /**
     * The answer to a question about one partition.
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

    /** What the node says of itself, as JSON. */
    byte[] node() throws IOException, InterruptedException {
        return ask(NodeRequest.get(PeerPaths.NODE), PeerPaths.MAX_NODE_BYTES);
    }

    private byte[] ask(NodeRequest request, long maxBytes)
            throws IOException, InterruptedException {
        NodeClient.Answer answer = client.ask(address, request, ANSWER, maxBytes);
        if (answer.status() != 200) {
            throw new IOException("it answered " + answer.status());
        }
        return answer.body();
    }

    /** Frames of states, until one side closes it. */
    InputStream states() throws IOException, InterruptedException {
        return client.stream(address, NodeRequest.get(PeerPaths.STATES + follower), ANSWER);
    }
}
