package io.tidemark.etcd;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Deadline;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
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

/**
 * One watch on a stream of its own, so that no other watch's backlog can delay its progress. The
 * reader pulls; what it does not pull stays at etcd, but for a bounded number of answers. A stream
 * that breaks is an event: it never resumes by itself.
 *
 * <p>One thread at a time calls {@link #next}; the rest is free for all threads.
 */
public final class EtcdWatch implements AutoCloseable {
    /**
     * Makes etcd end the stream when the member loses its leader: cut off from the others, it would
     * otherwise stay silent.
     */
    private static final Metadata.Key<String> REQUIRE_LEADER =
            Metadata.Key.of("hasleader", Metadata.ASCII_STRING_MARSHALLER);

    /** A revision that comes in fragments is handed out in parts of about so much. */
    private static final int MAX_HELD_BYTES = 1 << 20;

    private final ClientCall<Rpc.WatchRequest, Rpc.WatchResponse> call;
    private final ProgressSupport trust;
    private final String endpoint;

    /** Never full: so many answers are asked for, and each makes at most one event; one end. */
    private final BlockingQueue<WatchEvent> events;

    private final CompletableFuture<Status> created = new CompletableFuture<>();

    /** Guards sending on the call, which is not thread-safe. */
    private final Object sending = new Object();

    private volatile WatchEvent.@Nullable End end;

    private EtcdWatch(
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
    static EtcdWatch open(
            ManagedChannel channel,
            Metadata headers,
            Deadline deadline,
            WatchRequest request,
            ProgressSupport trust) {
        ClientCall<Rpc.WatchRequest, Rpc.WatchResponse> call =
                channel.newCall(EtcdMethods.WATCH, CallOptions.DEFAULT);
        EtcdWatch watch = new EtcdWatch(call, trust, request.maxBuffered(), channel.authority());
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

    /**
     * The next event, waiting for it; empty when none came in time. Once it has given an {@link
     * WatchEvent.End}, it gives that again.
     */
    public Optional<WatchEvent> next(Duration timeout) throws InterruptedException {
        WatchEvent.End over = end;
        if (over != null) {
            return Optional.of(over);
        }
        WatchEvent event = events.poll(timeout.toNanos(), TimeUnit.NANOSECONDS);
        if (event instanceof WatchEvent.End last) {
            end = last;
            call.cancel("the watch is over", null);
        } else if (event != null) {
            call.request(1);
        }
        return Optional.ofNullable(event);
    }

    /** Which progress notes this watch passes on: it depends on the version of its member. */
    public ProgressSupport progressSupport() {
        return trust;
    }

    /**
     * Asks etcd to tell progress now. It answers when nothing is left to tell, else not at all: ask
     * again, at most every 100 ms, until the {@link WatchEvent.Progress} comes.
     *
     * @return false if that is of no use: the member's answer could not be trusted, the watch is
     *     over, or the connection is congested
     */
    public boolean requestProgress() {
        synchronized (sending) {
            if (trust != ProgressSupport.MANUAL || end != null || !call.isReady()) {
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
        call.cancel("closed by its reader", null);
    }

    /** Called by gRPC, one call at a time. */
    private final class Answers extends ClientCall.Listener<Rpc.WatchResponse> {
        private final WatchAssembler assembler;
        private boolean over;

        Answers(WatchAssembler assembler) {
            this.assembler = assembler;
        }

        @Override
        public void onMessage(Rpc.WatchResponse answer) {
            if (over) {
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
            if (!over) {
                Status broken =
                        status.isOk()
                                ? Status.UNAVAILABLE.withDescription("etcd closed the stream")
                                : status;
                finish(new WatchEvent.Failed(Failures.exception(broken, endpoint)), broken);
            }
        }

        private void finish(WatchEvent.End last, Status status) {
            over = true;
            events.add(last);
            created.complete(status);
        }
    }
}
