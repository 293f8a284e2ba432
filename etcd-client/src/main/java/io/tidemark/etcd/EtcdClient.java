package io.tidemark.etcd;

import io.grpc.Deadline;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.tidemark.etcd.connection.EtcdCalls;
import io.tidemark.etcd.connection.EtcdException;
import io.tidemark.etcd.connection.EtcdMethods;
import io.tidemark.etcd.connection.EtcdOptions;
import io.tidemark.etcd.connection.Failures;
import io.tidemark.etcd.rpc.Rpc;
import io.tidemark.record.Bytes;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A client of an etcd cluster with blocking methods. Thread-safe. Every call ends within {@link
 * EtcdOptions#callTimeout}; failures are {@link EtcdException}s. It connects on demand, so an
 * unreachable etcd shows at the first call.
 */
public final class EtcdClient implements AutoCloseable {
    private static final EtcdCalls.Attempt<Rpc.StatusResponse> STATUS =
            EtcdCalls.unary(EtcdMethods.STATUS, Rpc.StatusRequest.getDefaultInstance());

    private final EtcdOptions options;
    private final EtcdCalls calls;

    /**
     * @throws IllegalArgumentException when the TLS files cannot be used
     */
    public EtcdClient(EtcdOptions options) {
        this.options = options;
        calls = new EtcdCalls(options);
    }

    /**
     * Reads a range in one answer, which is limited by the size of a message.
     *
     * @throws EtcdException such as {@code COMPACTED}, or {@code TOO_LARGE} for too many bytes
     */
    public RangePage range(RangeRequest request) {
        return Conversions.page(calls.read(EtcdMethods.RANGE, Conversions.toWire(request)));
    }

    /** The key at the newest revision; empty when it does not exist. */
    public Optional<KeyValue> get(Bytes key) {
        return range(RangeRequest.key(key)).keyValues().stream().findFirst();
    }

    /** Reads a range in pages of at most {@code maxPageKeys} keys and a quarter of a message. */
    public RangeScan scan(RangeRequest request, int maxPageKeys) {
        return new RangeScan(reader(request), maxPageKeys, options.maxInboundMessageBytes() / 4);
    }

    /** Reads a range at one revision, in pages that its caller limits. */
    public RangeReader reader(RangeRequest request) {
        return new RangeReader(this, request);
    }

    /**
     * Opens a stream of a range, at the member that answered last if it is available.
     *
     * @throws EtcdException when no member opens one
     */
    RangeStream stream(RangeRequest request, long clusterId) {
        return calls.attempt(
                true,
                (channel, headers, deadline) ->
                        RangeStream.open(
                                channel,
                                headers,
                                deadline,
                                request,
                                clusterId,
                                // A stream holds two chunks: together as much as a page may have.
                                options.maxInboundMessageBytes() / 2));
    }

    List<KeyValue> nextChunk(RangeStream stream) {
        return stream.next(Deadline.after(options.callTimeout().toNanos(), TimeUnit.NANOSECONDS));
    }

    /** Sets a key; returns the revision of the put. */
    public long put(Bytes key, Bytes value) {
        return put(key, value, 0);
    }

    /** Sets a key that is deleted when the lease ends. */
    public long put(Bytes key, Bytes value, long lease) {
        return calls.write(EtcdMethods.PUT, Conversions.putRequest(key, value, lease))
                .getHeader()
                .getRevision();
    }

    /** Deletes a key; returns whether it existed. */
    public boolean delete(Bytes key) {
        return delete(key, Bytes.EMPTY) == 1;
    }

    /** Deletes all keys that begin with {@code prefix}, at one revision; returns their number. */
    public long deletePrefix(Bytes prefix) {
        return delete(RangeRequest.firstKey(prefix), RangeRequest.orNoEnd(prefix.prefixEnd()));
    }

    private long delete(Bytes key, Bytes end) {
        return calls.write(
                        EtcdMethods.DELETE_RANGE,
                        Rpc.DeleteRangeRequest.newBuilder()
                                .setKey(Conversions.toWire(key))
                                .setRangeEnd(Conversions.toWire(end))
                                .build())
                .getDeleted();
    }

    /** Executes a transaction. It is not repeated once it may have had an effect. */
    public Txn.Result txn(Txn txn) {
        Rpc.TxnResponse answer = calls.write(EtcdMethods.TXN, Conversions.toWire(txn));
        return new Txn.Result(answer.getSucceeded(), answer.getHeader().getRevision());
    }

    /**
     * Compacts superseded versions before {@code revision}, which itself stays readable.
     *
     * @param physical waits until the space is free inside the file
     */
    public void compact(long revision, boolean physical) {
        Rpc.CompactionResponse _ =
                calls.write(
                        EtcdMethods.COMPACT,
                        Rpc.CompactionRequest.newBuilder()
                                .setRevision(revision)
                                .setPhysical(physical)
                                .build());
    }

    /**
     * etcd's newest revision: linearizable, so it covers every write acknowledged before this call,
     * and cheap.
     *
     * @param readableKey any key that this user may read, existing or not
     */
    public long revision(Bytes readableKey) {
        return range(RangeRequest.key(readableKey).withCountOnly()).currentRevision();
    }

    /**
     * The revision through which etcd is compacted, which is the oldest one that can be listed; 0
     * when it was never compacted.
     *
     * @param readableKey any key that this user may read
     */
    public long compactRevision(Bytes readableKey) throws InterruptedException {
        try {
            RangePage _ = range(RangeRequest.key(readableKey).withCountOnly().at(1));
            return 0;
        } catch (EtcdException failed) {
            if (failed.kind() != EtcdException.Kind.COMPACTED) {
                throw failed;
            }
        }
        // The error of a read lacks the compact revision; a cancelled watch has it.
        try (EtcdWatch watch = watch(WatchRequest.key(readableKey, 1))) {
            long end = System.nanoTime() + options.callTimeout().toNanos();
            for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
                switch (watch.next(Duration.ofNanos(left)).orElse(null)) {
                    case WatchEvent.Compacted(long revision) -> {
                        return revision;
                    }
                    case WatchEvent.Failed(EtcdException cause) -> throw cause;
                    case WatchEvent.Created _, WatchEvent.Changes _, WatchEvent.Progress _ -> {}
                    case null -> {}
                }
            }
        }
        throw new EtcdException(
                EtcdException.Kind.DEADLINE,
                "etcd did not report its compact revision in time: try again",
                null);
    }

    /** A lease that ends when it is not renewed for {@code timeToLive}, in whole seconds. */
    public Lease grantLease(Duration timeToLive) {
        Rpc.LeaseGrantResponse answer =
                calls.write(
                        EtcdMethods.LEASE_GRANT,
                        Rpc.LeaseGrantRequest.newBuilder()
                                .setTTL(Math.max(1, timeToLive.toSeconds()))
                                .build());
        return new Lease(answer.getID(), Duration.ofSeconds(answer.getTTL()));
    }

    /** Renews a lease once; empty when it has ended. */
    public Optional<Lease> keepAlive(long leaseId) {
        Rpc.LeaseKeepAliveResponse answer =
                calls.read(
                        EtcdMethods.LEASE_KEEP_ALIVE,
                        Rpc.LeaseKeepAliveRequest.newBuilder().setID(leaseId).build());
        return answer.getTTL() > 0
                ? Optional.of(new Lease(leaseId, Duration.ofSeconds(answer.getTTL())))
                : Optional.empty();
    }

    /** Ends a lease now; its keys are deleted together, at one revision. */
    public void revokeLease(long leaseId) {
        Rpc.LeaseRevokeResponse _ =
                calls.write(
                        EtcdMethods.LEASE_REVOKE,
                        Rpc.LeaseRevokeRequest.newBuilder().setID(leaseId).build());
    }

    /** The configured endpoints, in their order. */
    public List<URI> endpoints() {
        return options.endpoints();
    }

    /** Status of the member at one of the {@link #endpoints}; asks only that member. */
    public MemberStatus status(URI endpoint) {
        return Conversions.status(endpoint, calls.at(endpoint, STATUS));
    }

    /**
     * The versions of the members reachable now, at least one. A member that denies its status to
     * this user counts as the first version that does.
     *
     * @throws EtcdException when none can be reached
     */
    public List<EtcdVersion> versions() {
        List<EtcdVersion> versions = new ArrayList<>();
        EtcdException failure = null;
        for (URI endpoint : endpoints()) {
            try {
                versions.add(calls.at(endpoint, EtcdClient::version));
            } catch (EtcdException failed) {
                failure = failed;
            }
        }
        if (versions.isEmpty() && failure != null) {
            throw failure;
        }
        return versions;
    }

    /**
     * Opens a watch and waits until it is created or refused. Its first event is {@link
     * WatchEvent.Created}.
     */
    public EtcdWatch watch(WatchRequest request) {
        return calls.attempt(
                true,
                (channel, headers, deadline) ->
                        WatchStream.open(
                                channel,
                                headers,
                                deadline,
                                request,
                                // Fixed for the stream's lifetime.
                                version(channel, headers, deadline).progressSupport()));
    }

    private static EtcdVersion version(
            ManagedChannel channel, Metadata headers, Deadline deadline) {
        try {
            return EtcdVersion.parse(STATUS.on(channel, headers, deadline).getVersion())
                    .orElse(EtcdVersion.UNKNOWN);
        } catch (StatusRuntimeException failed) {
            if (Failures.isDenied(failed.getStatus())) {
                return EtcdVersion.FIRST_HIDDEN;
            }
            if (failed.getStatus().getCode() == Status.Code.PERMISSION_DENIED) {
                // A proxy denied it, so it says nothing about the member.
                return EtcdVersion.UNKNOWN;
            }
            throw failed;
        }
    }

    @Override
    public void close() {
        calls.close();
    }
}
