package io.tidemark.peer.link;

import io.tidemark.peer.wire.WireAnswer;
import io.tidemark.view.request.ReadRequest;
import java.io.IOException;

/** Sends reads to one other node. Thread-safe. */
public interface PeerClient {
    /** The node, for messages. */
    String name();

    /**
     * The answer to a read of one partition.
     *
     * @throws AnswerTooLargeException when it is larger than {@code maxBytes}
     * @throws IOException when the node does not answer within the timeout
     */
    <T> WireAnswer<T> ask(int partition, ReadRequest<T> request, long maxBytes)
            throws IOException, InterruptedException;
}
