package io.tidemark.etcd;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Deadline;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.tidemark.etcd.connection.EtcdMethods;
import io.tidemark.etcd.connection.Failures;
import io.tidemark.etcd.rpc.Rpc;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A watch on its own stream, so that no other watch's backlog can delay its progress. */
final class WatchStream implements EtcdWatch {
    /**
     * Makes etcd end the stream when the member loses its leader; a partitioned member would
     * otherwise stay silent.
     */
    private static final Metadata.Key<String> REQUIRE_LEADER =
            Metadata.Key.of("hasleader", Metadata.ASCII_STRING_MARSHALLER);

    /** A revision that arrives in fragments is delivered in parts of about this size. */
    private static final int MAX_HELD_BYTES = 1 << 20;

    private final ClientCall<Rpc.WatchRequest, Rpc.WatchResponse> call;
    private final ProgressSupport trust;
    private final String endpoint;

    /**
     * Never full: at most this many responses are requested, and each makes at most one event; plus
     * one end.
     */
    private final BlockingQueue<WatchEvent> events;

    private final CompletableFuture<Status> created = new CompletableFuture<>();

    /** Guards sending on the call, which is not thread-safe. */
    private final Object sending = new Object();

    private volatile WatchEvent.@Nullable End end;

    /** Guarded by {@link #sending}. */
    private boolean closed;

    private WatchStream(
            ClientCall<Rpc.WatchRequest, Rpc.WatchResponse> call,
            ProgressSupport trust,
            int maxBuffered,
            String endpoint) {
        this.call = call;
        this.trust = trust;
        this.endpoint = endpoint;
        events = new ArrayBlockingQueue<>(maxBuffered + 1);
    }

    /** Opens a watch and waits until etcd has created or refused it. */
    static WatchStream open(
            ManagedChannel channel,
            Metadata headers,
            Deadline deadline,
            WatchRequest request,
            ProgressSupport trust) {
        ClientCall<Rpc.WatchRequest, Rpc.WatchResponse> call =
                channel.newCall(EtcdMethods.WATCH, CallOptions.DEFAULT);
        WatchStream watch =
                new WatchStream(call, trust, request.maxBuffered(), channel.authority());
        Metadata withLeader = new Metadata();
        withLeader.merge(headers);
        withLeader.put(REQUIRE_LEADER, "true");
        call.start(
                watch
                .new Answers(new WatchAssembler(request.startRevision(), trust, MAX_HELD_BYTES)),
                withLeader);
        call.request(request.maxBuffered());
        call.sendMessage(
                Rpc.WatchRequest.newBuilder()
                        .setCreateRequest(
                                Rpc.WatchCreateRequest.newBuilder()
                                        .setKey(Conversions.toWire(request.key()))
                                        .setRangeEnd(Conversions.toWire(request.endKeyExclusive()))
                                        .setStartRevision(request.startRevision())
                                        .setProgressNotify(true)
                                        .setPrevKv(request.previousValues())
                                        .setFragment(true))
                        .build());
        watch.awaitCreated(deadline);
        return watch;
    }

    private void awaitCreated(Deadline deadline) {
        Status status;
        try {
            status =
                    created.get(deadline.timeRemaining(TimeUnit.NANOSECONDS), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            status =
                    Status.DEADLINE_EXCEEDED
                            .withDescription("the watch was not created")
                            .withCause(late);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            status = Status.CANCELLED.withDescription("interrupted").withCause(interrupted);
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        }
        if (!status.isOk()) {
            close();
            throw status.asRuntimeException();
        }
    }

    @Override
    public Optional<WatchEvent> next(Duration timeout) throws InterruptedException {
        WatchEvent.End ended = end;
        if (ended != null) {
            return Optional.of(ended);
        }
        WatchEvent event = events.poll(timeout.toNanos(), TimeUnit.NANOSECONDS);
        if (event instanceof WatchEvent.End last) {
            synchronized (sending) {
                end = last;
            }
            call.cancel("the watch has ended", null);
        } else if (event != null) {
            call.request(1);
        }
        return Optional.ofNullable(event);
    }

    @Override
    public ProgressSupport progressSupport() {
        return trust;
    }

    @Override
    public boolean requestProgress() {
        synchronized (sending) {
            if (trust != ProgressSupport.MANUAL || closed || end != null || !call.isReady()) {
                return false;
            }
            call.sendMessage(
                    Rpc.WatchRequest.newBuilder()
                            .setProgressRequest(Rpc.WatchProgressRequest.getDefaultInstance())
                            .build());
            return true;
        }
    }

    @Override
    public void close() {
        synchronized (sending) {
            closed = true;
        }
        call.cancel("closed by its reader", null);
    }

    /** Called by gRPC, one call at a time. */
    private final class Answers extends ClientCall.Listener<Rpc.WatchResponse> {
        private final WatchAssembler assembler;
        private boolean ended;

        Answers(WatchAssembler assembler) {
            this.assembler = assembler;
        }

        @Override
        public void onMessage(Rpc.WatchResponse answer) {
            if (ended) {
                return;
            }
            WatchEvent event = assembler.accept(answer);
            switch (event) {
                case null -> call.request(1);
                case WatchEvent.End last -> finish(last, Failures.refusal(answer));
                case WatchEvent.Created _ -> {
                    events.add(event);
                    created.complete(Status.OK);
                }
                case WatchEvent.Changes _, WatchEvent.Progress _ -> events.add(event);
            }
        }

        @Override
        public void onClose(Status status, Metadata trailers) {
            if (!ended) {
                Status broken =
                        status.isOk()
                                ? Status.UNAVAILABLE.withDescription("etcd closed the stream")
                                : status;
                finish(new WatchEvent.Failed(Failures.exception(broken, endpoint)), broken);
            }
        }

        private void finish(WatchEvent.End last, Status status) {
            ended = true;
            events.add(last);
            created.complete(status);
        }
    }
}
