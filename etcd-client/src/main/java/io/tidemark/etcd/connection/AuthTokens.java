package io.tidemark.etcd.connection;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.Metadata;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.tidemark.etcd.rpc.Rpc;
import org.jspecify.annotations.Nullable;

/**
 * The token that etcd issues for user and password. Every member accepts it; it expires after some
 * minutes without use or when users change, which etcd reports at the next call.
 */
final class AuthTokens {
    private static final Metadata.Key<String> TOKEN =
            Metadata.Key.of("token", Metadata.ASCII_STRING_MARSHALLER);

    private final @Nullable String user;
    private final @Nullable String password;

    /** Empty: etcd had authentication disabled, so no token was needed. */
    private volatile @Nullable String token;

    AuthTokens(@Nullable String user, @Nullable String password) {
        this.user = user;
        this.password = password;
    }

    /** The headers for a call; requests a token first when there is none. */
    Metadata headers(Channel channel, CallOptions options) {
        Metadata headers = new Metadata();
        if (user != null && password != null) {
            String current = token;
            if (current == null) {
                current = authenticate(channel, options, user, password);
                token = current;
            }
            if (!current.isEmpty()) {
                headers.put(TOKEN, current);
            }
        }
        return headers;
    }

    /** Makes the next call request a new token. */
    void forget() {
        token = null;
    }

    private static String authenticate(
            Channel channel, CallOptions options, String user, String password) {
        Rpc.AuthenticateRequest request =
                Rpc.AuthenticateRequest.newBuilder().setName(user).setPassword(password).build();
        try {
            return ClientCalls.blockingUnaryCall(
                            channel, EtcdMethods.AUTHENTICATE, options, request)
                    .getToken();
        } catch (StatusRuntimeException failed) {
            if (Failures.isAuthDisabled(failed.getStatus())) {
                return "";
            }
            throw failed;
        }
    }
}
