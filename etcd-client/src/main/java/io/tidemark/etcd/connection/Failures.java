package io.tidemark.etcd.connection;

import io.grpc.Status;
import io.tidemark.etcd.connection.EtcdException.Kind;
import io.tidemark.etcd.rpc.Rpc;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.util.Locale;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Classifies gRPC statuses of etcd. etcd uses one status code for different failures and only the
 * text tells them apart, so the texts are matched here, and nowhere else.
 */
public final class Failures {
    private Failures() {}

    /**
     * The exception for a failed call, with advice for people.
     *
     * @param endpoint the member that was called, for the message
     */
    public static EtcdException exception(Status status, String endpoint) {
        Kind kind = kind(status);
        return new EtcdException(kind, message(kind, status, endpoint), status.getCause());
    }

    /** {@link Kind#OTHER} for a text that is not known. */
    public static Kind kind(Status status) {
        String text = text(status);
        return switch (status.getCode()) {
            case UNAVAILABLE ->
                    causedBy(status.getCause(), SSLException.class) ? Kind.AUTH : Kind.UNAVAILABLE;
            case DEADLINE_EXCEEDED -> Kind.DEADLINE;
            case UNAUTHENTICATED, PERMISSION_DENIED -> Kind.AUTH;
            case OUT_OF_RANGE -> {
                if (text.contains("compacted")) {
                    yield Kind.COMPACTED;
                }
                yield text.contains("future revision") ? Kind.FUTURE_REVISION : Kind.OTHER;
            }
            case INVALID_ARGUMENT -> {
                if (text.contains("request is too large")) {
                    yield Kind.TOO_LARGE;
                }
                yield isAuthText(text) ? Kind.AUTH : Kind.OTHER;
            }
            case FAILED_PRECONDITION -> isAuthText(text) ? Kind.AUTH : Kind.OTHER;
            case RESOURCE_EXHAUSTED ->
                    text.contains("larger than max") || text.contains("exceeds maximum size")
                            ? Kind.TOO_LARGE
                            : Kind.OTHER;
            case UNKNOWN -> isUnavailable(status) ? Kind.UNAVAILABLE : Kind.OTHER;
            case OK,
                    CANCELLED,
                    NOT_FOUND,
                    ALREADY_EXISTS,
                    ABORTED,
                    UNIMPLEMENTED,
                    INTERNAL,
                    DATA_LOSS ->
                    Kind.OTHER;
        };
    }

    /**
     * Whether the member was not reached, or the connection was lost. gRPC calls the latter unknown
     * when the connection closes while the call is being written.
     */
    static boolean isUnavailable(Status status) {
        return status.getCode() == Status.Code.UNAVAILABLE
                || (status.getCode() == Status.Code.UNKNOWN
                        && causedBy(status.getCause(), ClosedChannelException.class));
    }

    /**
     * Whether a retry with a new token may succeed. A call without a token has an empty user's
     * name: authentication was enabled after the client had found it disabled.
     */
    public static boolean isStaleToken(Status status) {
        String text = text(status);
        return text.contains("invalid auth token")
                || text.contains("revision of auth store is old")
                || text.contains("user name is empty");
    }

    /** Whether etcd knows the user, and denies the call. */
    public static boolean isDenied(Status status) {
        return text(status).contains("etcdserver: permission denied");
    }

    static boolean isAuthDisabled(Status status) {
        return text(status).contains("authentication is not enabled");
    }

    /** Whether the reason of a cancelled watch is a failed permission. */
    public static boolean isAuthText(String reason) {
        String text = reason.toLowerCase(Locale.ROOT);
        return text.contains("auth")
                || text.contains("permission denied")
                || text.contains("permissiondenied")
                || text.contains("user name is empty")
                || text.contains("password");
    }

    /** The status of a call for a watch that etcd refused at once. */
    public static Status refusal(Rpc.WatchResponse answer) {
        Status status =
                isAuthText(answer.getCancelReason())
                        ? Status.PERMISSION_DENIED
                        : Status.FAILED_PRECONDITION;
        return status.withDescription(answer.getCancelReason());
    }

    /** Whether etcd has certainly not executed the call, so that repeating a write is safe. */
    static boolean isSafeToRetry(Status status) {
        Throwable cause = status.getCause();
        return causedBy(cause, ConnectException.class)
                || causedBy(cause, UnknownHostException.class)
                || causedBy(cause, NoRouteToHostException.class)
                || text(status).contains("no leader");
    }

    private static String message(Kind kind, Status status, String endpoint) {
        String detail = detail(status);
        return switch (kind) {
            case UNAVAILABLE ->
                    "etcd at %s is not available (%s): check that it runs and has a leader"
                            .formatted(endpoint, detail);
            case COMPACTED ->
                    "etcd at %s no longer has that revision (%s): read at a newer one"
                            .formatted(endpoint, detail);
            case FUTURE_REVISION ->
                    "etcd at %s has not reached that revision (%s): is it another or a reset cluster?"
                            .formatted(endpoint, detail);
            case AUTH ->
                    "etcd at %s refuses access (%s): check user, password, certificates and roles"
                            .formatted(endpoint, detail);
            case TOO_LARGE ->
                    "a message to or from etcd at %s is too large (%s): request smaller pages, or raise the limit"
                            .formatted(endpoint, detail);
            case DEADLINE ->
                    "etcd at %s did not answer in time (%s): check the network and etcd's load"
                            .formatted(endpoint, detail);
            case OTHER_CLUSTER, OTHER -> "etcd at %s: %s".formatted(endpoint, detail);
        };
    }

    /** The status as text, with the deepest cause, which usually has the reason. */
    private static String detail(Status status) {
        String description = status.getDescription();
        String words = description == null ? status.getCode().toString() : description;
        Throwable cause = status.getCause();
        while (cause != null && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause == null || cause.getMessage() == null
                ? words
                : words + ": " + cause.getMessage();
    }

    private static String text(Status status) {
        String description = status.getDescription();
        return description == null ? "" : description.toLowerCase(Locale.ROOT);
    }

    private static boolean causedBy(@Nullable Throwable cause, Class<? extends Throwable> type) {
        for (Throwable t = cause; t != null; t = t.getCause()) {
            if (type.isInstance(t)) {
                return true;
            }
        }
        return false;
    }
}
