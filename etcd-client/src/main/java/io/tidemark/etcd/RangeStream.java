package io.tidemark.etcd;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Deadline;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.tidemark.etcd.connection.EtcdException;
import io.tidemark.etcd.connection.EtcdMethods;
import io.tidemark.etcd.rpc.Rpc;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A range that one member sends in chunks, whose size it chooses: etcd 3.7's RangeStream. The
 * stream requests a chunk when its reader needs one, and holds at most two: only the next chunk, or
 * the end, shows whether a chunk is the last. Not thread-safe.
 */
final class RangeStream implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RangeStream.class);

    /** Ends a stream whose reader never returns. A slow reader continues with another stream. */
    private static final Duration LIFETIME = Duration.ofMinutes(1);

    private sealed interface Message {
        record Part(Rpc.RangeResponse response) implements Message {}

        record End(Status status) implements Message {}
    }

    private final ClientCall<Rpc.RangeRequest, Rpc.RangeStreamResponse> call;
    private final long clusterId;

    /** Never full: at most one chunk is requested, and there is one end. */
    private final BlockingQueue<Message> messages = new ArrayBlockingQueue<>(2);

    /** The next chunk; null at the end. */
    private Rpc.@Nullable RangeResponse received;

    /** Whether the last message says that keys are left out, or was not received. */
    private boolean leftOut;

    private RangeStream(
            ClientCall<Rpc.RangeRequest, Rpc.RangeStreamResponse> call, long clusterId) {
        this.call = call;
        this.clusterId = clusterId;
    }

    /**
     * Opens a stream and waits for its first chunk.
     *
     * @param clusterId of the member; the stream fails when it reports another one
     * @param maxChunkBytes a larger chunk ends the stream
     * @throws StatusRuntimeException when the member has no such method, or refuses the request
     * @throws EtcdException {@code OTHER_CLUSTER}
     */
    static RangeStream open(
            ManagedChannel channel,
            Metadata headers,
            Deadline deadline,
            RangeRequest request,
            long clusterId,
            int maxChunkBytes) {
        ClientCall<Rpc.RangeRequest, Rpc.RangeStreamResponse> call =
                channel.newCall(
                        EtcdMethods.RANGE_STREAM,
                        CallOptions.DEFAULT
                                .withDeadlineAfter(LIFETIME.toNanos(), TimeUnit.NANOSECONDS)
                                .withMaxInboundMessageSize(maxChunkBytes));
        RangeStream stream = new RangeStream(call, clusterId);
        call.start(stream.new Answers(), headers);
        call.sendMessage(Conversions.toWire(request));
        call.halfClose();
        stream.received = stream.receive(deadline);
        if (stream.received == null) {
            throw Status.INTERNAL.withDescription("a stream without keys").asRuntimeException();
        }
        return stream;
    }

    /**
     * The keys of the next chunk, at least one. If the stream fails behind it, the stream is at its
     * end, and the keys after those returned must be read in another way.
     *
     * @throws EtcdException {@code OTHER_CLUSTER}, when the keys of this and all chunks before are
     *     of another cluster
     */
    List<KeyValue> next(Deadline deadline) {
        Rpc.RangeResponse response = received;
        if (response == null) {
            throw new IllegalStateException("the stream is at its end");
        }
        received = null;
        try {
            received = receive(deadline);
        } catch (StatusRuntimeException failed) {
            LOG.debug("a stream of a range failed: {}", failed.getStatus());
            leftOut = true;
        }
        return response.getKvsList().stream().map(Conversions::keyValue).toList();
    }

    /** Whether there is no chunk after the returned ones. */
    boolean isAtEnd() {
        return received == null;
    }

    /** Whether the range has more keys after the returned ones. */
    boolean hasMore() {
        return received != null || leftOut;
    }

    /** The next response that has keys; null at the stream's end. */
    private Rpc.@Nullable RangeResponse receive(Deadline deadline) {
        try {
            while (true) {
                call.request(1);
                switch (await(deadline)) {
                    case Message.Part(Rpc.RangeResponse response) -> {
                        requireCluster(response);
                        leftOut = response.getMore();
                        if (response.getKvsCount() > 0) {
                            return response;
                        }
                    }
                    case Message.End(Status status) when status.isOk() -> {
                        return null;
                    }
                    case Message.End(Status status) -> throw status.asRuntimeException();
                }
            }
        } catch (StatusRuntimeException | EtcdException failed) {
            close();
            throw failed;
        }
    }

    private Message await(Deadline deadline) {
        try {
            Message message =
                    messages.poll(
                            deadline.timeRemaining(TimeUnit.NANOSECONDS), TimeUnit.NANOSECONDS);
            if (message == null) {
                throw Status.DEADLINE_EXCEEDED
                        .withDescription("no chunk of the range came")
                        .asRuntimeException();
            }
            return message;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw Status.CANCELLED
                    .withDescription("interrupted")
                    .withCause(interrupted)
                    .asRuntimeException();
        }
    }

    /** etcd puts the header into the last response only. */
    private void requireCluster(Rpc.RangeResponse response) {
        if (response.hasHeader() && response.getHeader().getClusterId() != clusterId) {
            throw RangeReader.otherCluster(response.getHeader().getClusterId(), clusterId);
        }
    }

    @Override
    public void close() {
        call.cancel("closed by its reader", null);
    }

    /** Called by gRPC, one call at a time. */
    private final class Answers extends ClientCall.Listener<Rpc.RangeStreamResponse> {
        @Override
        public void onMessage(Rpc.RangeStreamResponse answer) {
            messages.add(new Message.Part(answer.getRangeResponse()));
        }

        @Override
        public void onClose(Status status, Metadata trailers) {
            messages.add(new Message.End(status));
        }
    }
}
