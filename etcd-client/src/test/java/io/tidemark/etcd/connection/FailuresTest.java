package io.tidemark.etcd.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.tidemark.etcd.connection.EtcdException.Kind;
import java.net.ConnectException;
import java.nio.channels.ClosedChannelException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FailuresTest {
    @ParameterizedTest
    @CsvSource({
        "UNAVAILABLE, etcdserver: no leader, UNAVAILABLE",
        "DEADLINE_EXCEEDED, deadline exceeded, DEADLINE",
        "OUT_OF_RANGE, etcdserver: mvcc: required revision has been compacted, COMPACTED",
        "OUT_OF_RANGE, etcdserver: mvcc: required revision is a future revision, FUTURE_REVISION",
        "UNAUTHENTICATED, etcdserver: invalid auth token, AUTH",
        "PERMISSION_DENIED, etcdserver: permission denied, AUTH",
        "INVALID_ARGUMENT, etcdserver: user name is empty, AUTH",
        "INVALID_ARGUMENT, 'etcdserver: authentication failed, invalid user ID or password', AUTH",
        "INVALID_ARGUMENT, etcdserver: request is too large, TOO_LARGE",
        "INVALID_ARGUMENT, etcdserver: duplicate key given in txn request, OTHER",
        "RESOURCE_EXHAUSTED, gRPC message exceeds maximum size 4194304: 5000000, TOO_LARGE",
        "RESOURCE_EXHAUSTED, etcdserver: mvcc: database space exceeded, OTHER",
        "NOT_FOUND, etcdserver: requested lease not found, OTHER"
    })
    void classifiesEtcdsErrors(Status.Code code, String text, Kind kind) {
        Status status = Status.fromCode(code).withDescription(text);
        assertThat(Failures.kind(status)).isEqualTo(kind);
        assertThat(Failures.exception(status, "http://etcd:2379"))
                .hasMessageContaining(text)
                .hasMessageContaining("http://etcd:2379");
    }

    /** As gRPC says it when the connection closes while a call is being written. */
    @Test
    void aLostConnectionIsUnavailable() {
        Status closed = Status.UNKNOWN.withDescription("channel closed");
        assertThat(Failures.kind(closed.withCause(new ClosedChannelException())))
                .isEqualTo(Kind.UNAVAILABLE);
        assertThat(Failures.kind(closed)).isEqualTo(Kind.OTHER);
    }

    @ParameterizedTest
    @CsvSource({
        "UNAUTHENTICATED, etcdserver: invalid auth token, true",
        "INVALID_ARGUMENT, etcdserver: revision of auth store is old, true",
        "INVALID_ARGUMENT, etcdserver: user name is empty, true",
        "PERMISSION_DENIED, etcdserver: permission denied, false",
        "INVALID_ARGUMENT, 'etcdserver: authentication failed, invalid user ID or password', false"
    })
    void knowsWhenANewTokenMayHelp(Status.Code code, String text, boolean stale) {
        assertThat(Failures.isStaleToken(Status.fromCode(code).withDescription(text)))
                .isEqualTo(stale);
    }

    @ParameterizedTest
    @CsvSource({
        "etcdserver: permission denied, true",
        "etcdserver: invalid auth token, false",
        "'RBAC: access denied', false",
        ", false"
    })
    void knowsADenialByEtcd(@Nullable String text, boolean denied) {
        assertThat(Failures.isDenied(Status.PERMISSION_DENIED.withDescription(text)))
                .isEqualTo(denied);
    }

    @Test
    void repeatsAWriteOnlyWhenItCannotHaveHappened() {
        assertThat(Failures.isSafeToRetry(Status.UNAVAILABLE.withCause(new ConnectException())))
                .isTrue();
        assertThat(
                        Failures.isSafeToRetry(
                                Status.UNAVAILABLE.withDescription("etcdserver: no leader")))
                .isTrue();
        assertThat(
                        Failures.isSafeToRetry(
                                Status.UNAVAILABLE.withDescription(
                                        "etcdserver: request timed out")))
                .isFalse();
    }
}
