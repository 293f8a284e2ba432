package io.tidemark.peer;

import io.tidemark.address.HttpAddress;
import io.tidemark.nodeauth.NodeClient;
import io.tidemark.nodeauth.NodeRequest;
import io.tidemark.nodeauth.UnverifiedPeerException;
import io.tidemark.peer.link.AnswerTooLargeException;
import io.tidemark.peer.link.NoCommonVersionException;
import io.tidemark.peer.link.PeerClient;
import io.tidemark.peer.link.StateConnection;
import io.tidemark.peer.wire.StateFrame;
import io.tidemark.peer.wire.WireAnswer;
import io.tidemark.peer.wire.WireRequest;
import io.tidemark.peer.wire.WireVersion;
import io.tidemark.peer.wire.WireVersions;
import io.tidemark.view.request.ReadRequest;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests to one other node, each bounded in time and size. They are in the newest version of the
 * wire format that both nodes speak; each connection of {@link #states} chooses it again, because
 * the other node may have been replaced by one of another release.
 */
final class PeerTransport implements PeerClient {
    private static final Logger LOG = LoggerFactory.getLogger(PeerTransport.class);

    /** Another replica is asked after this: the longest that a stopped process delays a read. */
    static final Duration ANSWER = Duration.ofMillis(2_500);

    private static final int TOO_LARGE = 413;
    private static final int MAX_LENGTH_DIGITS = 12;

    private final NodeClient client;
    private final HttpAddress address;
    private final WireVersions own;

    /** By this id the other node associates this node's reads with its states stream. */
    private final String follower = "?" + PeerPaths.FOLLOWER + "=" + UUID.randomUUID();

    /** Of the last connection; null before the first. */
    private volatile @Nullable WireVersion version;

    PeerTransport(NodeClient client, HttpAddress address, WireVersions own) {
        this.client = client;
        this.address = address;
        this.own = own;
    }

    HttpAddress address() {
        return address;
    }

    @Override
    public String name() {
        return address.hostPort();
    }

    @Override
    public <T> WireAnswer<T> ask(int partition, ReadRequest<T> request, long maxBytes)
            throws IOException, InterruptedException {
        WireVersion speaking = speaking();
        byte[] question = speaking.encodeRequest(new WireRequest(request, maxBytes));
        String path = new PeerPaths(speaking).partition(partition) + follower;
        try {
            return speaking.decodeAnswer(request, ask(NodeRequest.post(path, question), maxBytes));
        } catch (IOException e) {
            throw AnswerTooLargeException.isBodyTooLarge(e) ? new AnswerTooLargeException(e) : e;
        }
    }

    /** The node's report, as JSON. */
    byte[] node() throws IOException, InterruptedException {
        return ask(NodeRequest.get(new PeerPaths(speaking()).node()), PeerPaths.MAX_NODE_BYTES);
    }

    private WireVersion speaking() throws IOException {
        WireVersion speaking = version;
        if (speaking == null) {
            throw new IOException("there was no connection yet");
        }
        return speaking;
    }

    private byte[] ask(NodeRequest request, long maxBytes)
            throws IOException, InterruptedException {
        NodeClient.Answer answer = client.ask(address, request, ANSWER, maxBytes);
        return switch (answer.status()) {
            case 200 -> answer.body();
            case TOO_LARGE -> throw new AnswerTooLargeException(length(answer.body()));
            default -> throw new IOException("it answered with status " + answer.status());
        };
    }

    private static long length(byte[] body) throws IOException {
        String text = new String(body, StandardCharsets.US_ASCII);
        if (text.isEmpty()
                || text.length() > MAX_LENGTH_DIGITS
                || !text.chars().allMatch(c -> '0' <= c && c <= '9')) {
            throw new IOException("an answer is too large, without its length");
        }
        return Long.parseLong(text);
    }

    /**
     * Chooses the version, and opens the stream of the node's states.
     *
     * @throws NoCommonVersionException when the nodes have none in common
     */
    StatesStream states() throws IOException, InterruptedException {
        String theirs = announcement();
        WireVersion common =
                own.newestCommon(theirs)
                        .orElseThrow(
                                () -> new NoCommonVersionException(theirs, own.announcement()));
        version = common;
        String path = new PeerPaths(common).states() + follower;
        return new StatesStream(common, client.stream(address, NodeRequest.get(path), ANSWER));
    }

    /** The versions that the other node speaks. A node from before announcements answers 404. */
    private String announcement() throws IOException, InterruptedException {
        try {
            return new String(
                    ask(NodeRequest.get(PeerPaths.VERSIONS), PeerPaths.MAX_VERSIONS_BYTES),
                    StandardCharsets.US_ASCII);
        } catch (UnverifiedPeerException e) {
            if (e.status() == 404) {
                return WireVersions.UNANNOUNCED;
            }
            throw e;
        }
    }

    /** The stream of a node's states, until one side closes it. */
    static final class StatesStream implements StateConnection {
        private final WireVersion version;
        private final DataInputStream in;

        private StatesStream(WireVersion version, InputStream in) {
            this.version = version;
            this.in = new DataInputStream(in);
        }

        @Override
        public int version() {
            return version.number();
        }

        /** Waits for the next frame. */
        StateFrame next() throws IOException {
            int length = in.readInt();
            if (length < 0 || length > PeerPaths.MAX_FRAME_BYTES) {
                throw new IOException("invalid frame length: " + length + " bytes");
            }
            byte[] frame = in.readNBytes(length);
            if (frame.length < length) {
                throw new EOFException("the node closed the connection");
            }
            return version.decodeFrame(frame);
        }

        @Override
        public void end() {
            try {
                in.close();
            } catch (IOException e) {
                LOG.debug("closing a connection failed", e);
            }
        }
    }
}
