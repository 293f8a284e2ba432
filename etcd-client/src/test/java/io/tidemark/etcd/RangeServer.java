package io.tidemark.etcd;

import static java.util.concurrent.TimeUnit.SECONDS;

import com.google.protobuf.ByteString;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.tidemark.etcd.connection.EtcdMethods;
import io.tidemark.etcd.connection.EtcdOptions;
import io.tidemark.etcd.rpc.Rpc;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A member of etcd that only answers ranges, over a real connection. Its streams are those of etcd
 * 3.7: the first chunk has 10 keys, the next ones twice or half as many, toward 1.5 MiB; only the
 * last one has a header; each chunk is read from the store when the one before was sent, so it
 * fails when the revision is compacted meanwhile.
 */
final class RangeServer implements AutoCloseable {
    static final long REVISION = 1_000;
    static final long CLUSTER = 7;

    private static final Duration CALL = Duration.ofMinutes(1);
    private static final int FIRST_CHUNK = 10;
    private static final int CHUNK_BYTES = 3 << 19;

    private final ConcurrentSkipListMap<ByteString, Rpc.KeyValue> keys = noKeys();

    /** Of the cluster that answers streams. */
    private volatile ConcurrentSkipListMap<ByteString, Rpc.KeyValue> streamed = keys;

    private final Server server;

    final AtomicInteger pages = new AtomicInteger();
    final AtomicInteger streams = new AtomicInteger();
    final AtomicInteger chunks = new AtomicInteger();
    final AtomicInteger waits = new AtomicInteger();
    final AtomicInteger cancelled = new AtomicInteger();

    volatile long compacted;
    volatile boolean deniesPages;
    volatile long clusterOfPages = CLUSTER;
    private volatile long clusterOfStreams = CLUSTER;
    volatile StreamFault fault = (_, _) -> {};
    volatile boolean headerInEachChunk;

    /** Acts before a chunk is read, and after the last one, whose number is -1. */
    @FunctionalInterface
    interface StreamFault {
        void before(int streamNumber, int chunkNumber) throws InterruptedException;
    }

    private RangeServer(boolean hasStreams) throws IOException {
        ServerServiceDefinition.Builder service =
                ServerServiceDefinition.builder("etcdserverpb.KV")
                        .addMethod(EtcdMethods.RANGE, ServerCalls.asyncUnaryCall(this::range));
        if (hasStreams) {
            service.addMethod(
                    EtcdMethods.RANGE_STREAM,
                    ServerCalls.asyncServerStreamingCall(this::rangeStream));
        }
        server =
                NettyServerBuilder.forAddress(
                                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                        .addService(service.build())
                        .build()
                        .start();
    }

    static RangeServer start() throws IOException {
        return new RangeServer(true);
    }

    /** As etcd before 3.7: gRPC itself answers that it does not know the method. */
    static RangeServer withoutStreams() throws IOException {
        return new RangeServer(false);
    }

    String endpoint() {
        return "http://127.0.0.1:" + server.getPort();
    }

    EtcdOptions options() {
        return options(endpoint());
    }

    /** With so much time for a call that a busy machine fails none. */
    static EtcdOptions options(String... endpoints) {
        return EtcdOptions.of(endpoints).withTimeouts(CALL, CALL);
    }

    RangeServer fill(int count, int valueBytes) {
        keys.clear();
        return add(count, valueBytes);
    }

    /** Keys after those that it has. */
    RangeServer add(int count, int valueBytes) {
        int first = keys.size();
        for (int i = first; i < first + count; i++) {
            add(keys, "/k/%05d".formatted(i), i + 1, valueBytes);
        }
        return this;
    }

    /** As behind a proxy that has moved: pages are still of this one. */
    RangeServer streamFromAnotherCluster(int count) {
        ConcurrentSkipListMap<ByteString, Rpc.KeyValue> others = noKeys();
        for (int i = 0; i < count; i++) {
            add(others, "/k/other%05d".formatted(i), i + 1, 10);
        }
        streamed = others;
        clusterOfStreams = CLUSTER + 1;
        return this;
    }

    private static ConcurrentSkipListMap<ByteString, Rpc.KeyValue> noKeys() {
        return new ConcurrentSkipListMap<>(Comparator.comparing(ByteString::asReadOnlyByteBuffer));
    }

    private static void add(
            ConcurrentSkipListMap<ByteString, Rpc.KeyValue> to,
            String name,
            long revision,
            int valueBytes) {
        ByteString key = ByteString.copyFromUtf8(name);
        to.put(
                key,
                Rpc.KeyValue.newBuilder()
                        .setKey(key)
                        .setValue(ByteString.copyFrom(new byte[valueBytes]))
                        .setCreateRevision(revision)
                        .setModRevision(revision)
                        .setVersion(1)
                        .build());
    }

    private void range(Rpc.RangeRequest request, StreamObserver<Rpc.RangeResponse> answers) {
        pages.incrementAndGet();
        try {
            if (deniesPages) {
                throw Status.PERMISSION_DENIED
                        .withDescription("etcdserver: permission denied")
                        .asRuntimeException();
            }
            answers.onNext(
                    read(request, keys).toBuilder()
                            .setHeader(header(clusterOfPages))
                            .setCount(rest(request, keys).size())
                            .build());
            answers.onCompleted();
        } catch (StatusRuntimeException failed) {
            answers.onError(failed);
        }
    }

    private void rangeStream(
            Rpc.RangeRequest request, StreamObserver<Rpc.RangeStreamResponse> answers) {
        int number = streams.incrementAndGet();
        ServerCallStreamObserver<Rpc.RangeStreamResponse> call =
                (ServerCallStreamObserver<Rpc.RangeStreamResponse>) answers;
        Semaphore ready = new Semaphore(0);
        call.setOnReadyHandler(ready::release);
        call.setOnCancelHandler(() -> {
            cancelled.incrementAndGet();
            ready.release();
        });
        Thread.startVirtualThread(() -> {
            try {
                send(number, request, call, ready);
                answers.onCompleted();
            } catch (StatusRuntimeException failed) {
                if (!call.isCancelled()) {
                    answers.onError(failed);
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private void send(
            int number,
            Rpc.RangeRequest request,
            ServerCallStreamObserver<Rpc.RangeStreamResponse> call,
            Semaphore ready)
            throws InterruptedException {
        ByteString from = request.getKey();
        int limit = FIRST_CHUNK;
        long sent = 0;
        boolean more = true;
        for (int chunk = 1; more; chunk++) {
            fault.before(number, chunk);
            Rpc.RangeResponse read =
                    read(request.toBuilder().setKey(from).setLimit(limit).build(), streamed);
            more = read.getMore();
            sent += read.getKvsCount();
            Rpc.RangeResponse.Builder answer =
                    Rpc.RangeResponse.newBuilder().addAllKvs(read.getKvsList());
            if (!more || headerInEachChunk) {
                answer.setHeader(header(clusterOfStreams)).setCount(sent);
            }
            awaitReady(call, ready);
            call.onNext(Rpc.RangeStreamResponse.newBuilder().setRangeResponse(answer).build());
            chunks.incrementAndGet();
            if (more) {
                from =
                        read.getKvs(read.getKvsCount() - 1)
                                .getKey()
                                .concat(ByteString.copyFrom(new byte[1]));
            }
            int size = read.getSerializedSize();
            if (size < CHUNK_BYTES / 2) {
                limit *= 2;
            } else if (size > CHUNK_BYTES * 2) {
                limit = Math.max(1, limit / 2);
            }
        }
        fault.before(number, -1);
    }

    /** As etcd does: a send waits while the client takes nothing. */
    private void awaitReady(ServerCallStreamObserver<?> call, Semaphore ready)
            throws InterruptedException {
        while (!call.isReady()) {
            if (call.isCancelled()) {
                throw Status.CANCELLED.asRuntimeException();
            }
            waits.incrementAndGet();
            if (!ready.tryAcquire(60, SECONDS)) {
                throw new IllegalStateException("a client neither reads nor closes its stream");
            }
        }
    }

    private Rpc.RangeResponse read(
            Rpc.RangeRequest request, NavigableMap<ByteString, Rpc.KeyValue> of) {
        if (request.getRevision() != 0 && request.getRevision() < compacted) {
            throw Status.OUT_OF_RANGE
                    .withDescription("etcdserver: mvcc: required revision has been compacted")
                    .asRuntimeException();
        }
        List<Rpc.KeyValue> found = rest(request, of);
        int size = request.getLimit() == 0 ? found.size() : (int) request.getLimit();
        return Rpc.RangeResponse.newBuilder()
                .addAllKvs(found.subList(0, Math.min(size, found.size())))
                .setMore(size < found.size())
                .build();
    }

    private static List<Rpc.KeyValue> rest(
            Rpc.RangeRequest request, NavigableMap<ByteString, Rpc.KeyValue> of) {
        return List.copyOf(of.tailMap(request.getKey(), true).values());
    }

    private static Rpc.ResponseHeader header(long cluster) {
        return Rpc.ResponseHeader.newBuilder().setClusterId(cluster).setRevision(REVISION).build();
    }

    @Override
    public void close() throws InterruptedException {
        server.shutdownNow();
        if (!server.awaitTermination(60, SECONDS)) {
            throw new IllegalStateException("the server did not end");
        }
    }
}
