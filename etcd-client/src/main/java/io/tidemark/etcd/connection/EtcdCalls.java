package io.tidemark.etcd.connection;

import com.google.protobuf.Message;
import io.grpc.CallOptions;
import io.grpc.ClientInterceptors;
import io.grpc.ConnectivityState;
import io.grpc.Deadline;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import java.net.URI;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends calls to a member that answers: tries the endpoints in turn, beginning with the last good
 * one, each at most once, and once more when a token had expired. All attempts share one deadline.
 * A write that may have happened is not repeated.
 */
public final class EtcdCalls implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EtcdCalls.class);

    private final List<Endpoint> endpoints;
    private final AuthTokens tokens;
    private final long timeoutNanos;
    private volatile int preferred;

    /**
     * @throws IllegalArgumentException when the TLS files cannot be used
     */
    public EtcdCalls(EtcdOptions options) {
        endpoints = Channels.endpoints(options);
        tokens = new AuthTokens(options.user(), options.password());
        timeoutNanos = options.callTimeout().toNanos();
    }

    /** A call on one channel; may be attempted on several. */
    public interface Attempt<T> {
        T on(ManagedChannel channel, Metadata headers, Deadline deadline);
    }

    /**
     * Sends a request that may be repeated, at another member too.
     *
     * @throws EtcdException when no member has answered within the timeout, or one has refused
     */
    public <Q extends Message, A extends Message> A read(MethodDescriptor<Q, A> method, Q request) {
        return attempt(true, unary(method, request));
    }

    /** As {@link #read}, but not repeated once it may have had an effect. */
    public <Q extends Message, A extends Message> A write(
            MethodDescriptor<Q, A> method, Q request) {
        return attempt(false, unary(method, request));
    }

    /** An attempt at one request with one answer. */
    public static <Q extends Message, A extends Message> Attempt<A> unary(
            MethodDescriptor<Q, A> method, Q request) {
        return (channel, headers, deadline) ->
                ClientCalls.blockingUnaryCall(
                        ClientInterceptors.intercept(
                                channel, MetadataUtils.newAttachHeadersInterceptor(headers)),
                        method,
                        CallOptions.DEFAULT.withDeadline(deadline),
                        request);
    }

    /**
     * Makes attempts until one succeeds, fails for good, or the time is over.
     *
     * @param repeatable whether to try again after an attempt that may have had an effect
     * @throws EtcdException the last failure
     */
    public <T> T attempt(boolean repeatable, Attempt<T> attempt) {
        Deadline deadline = Deadline.after(timeoutNanos, TimeUnit.NANOSECONDS);
        int first = preferred;
        for (int i = 0; ; i++) {
            int index = (first + i) % endpoints.size();
            Endpoint endpoint = endpoints.get(index);
            try {
                T answer = onEndpoint(endpoint, attempt, deadline);
                if (preferred != index) {
                    preferred = index;
                    LOG.info("etcd answers at {}", endpoint.uri());
                }
                return answer;
            } catch (StatusRuntimeException failed) {
                Status status = failed.getStatus();
                boolean mayRepeat = repeatable || Failures.isSafeToRetry(status);
                boolean last = i == endpoints.size() - 1 || deadline.isExpired();
                if (status.getCode() == Status.Code.DEADLINE_EXCEEDED) {
                    preferred = (index + 1) % endpoints.size();
                }
                if (!Failures.isUnavailable(status) || !mayRepeat || last) {
                    throw Failures.exception(status, endpoint.uri().toString());
                }
                LOG.debug("etcd at {} failed, trying another: {}", endpoint.uri(), status);
            }
        }
    }

    /** Calls this one endpoint only. */
    public <T> T at(URI uri, Attempt<T> attempt) {
        Endpoint endpoint =
                endpoints.stream()
                        .filter(known -> known.uri().equals(uri))
                        .findFirst()
                        .orElseThrow(() ->
                                new IllegalArgumentException(
                                        "not an endpoint of this client: " + uri));
        try {
            return onEndpoint(
                    endpoint, attempt, Deadline.after(timeoutNanos, TimeUnit.NANOSECONDS));
        } catch (StatusRuntimeException failed) {
            throw Failures.exception(failed.getStatus(), uri.toString());
        }
    }

    private <T> T onEndpoint(Endpoint endpoint, Attempt<T> attempt, Deadline deadline) {
        ManagedChannel channel = endpoint.channel();
        try {
            try {
                return withToken(channel, attempt, deadline);
            } catch (StatusRuntimeException failed) {
                if (!Failures.isStaleToken(failed.getStatus())) {
                    throw failed;
                }
                tokens.forget();
                return withToken(channel, attempt, deadline);
            }
        } catch (StatusRuntimeException failed) {
            if (channel.getState(false) == ConnectivityState.TRANSIENT_FAILURE) {
                endpoint.renew(channel);
            }
            throw failed;
        }
    }

    private <T> T withToken(ManagedChannel channel, Attempt<T> attempt, Deadline deadline) {
        Metadata headers = tokens.headers(channel, CallOptions.DEFAULT.withDeadline(deadline));
        return attempt.on(channel, headers, deadline);
    }

    @Override
    public void close() {
        endpoints.forEach(Endpoint::close);
        endpoints.forEach(Endpoint::awaitClosed);
    }
}
