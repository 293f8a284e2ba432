package io.tidemark.serving.status;

import io.tidemark.json.GoQuote;
import io.tidemark.serving.status.StatusException.Cause;
import io.tidemark.serving.status.StatusException.FailureStatus;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * The errors of read requests as Kubernetes Statuses, in the API server's words where it has some.
 */
public final class StatusErrors {
    private static final String EXPIRED = "Expired";
    private static final String TIMEOUT = "Timeout";

    private static final String CONTINUE_EXPIRED =
            "The provided continue parameter is too old to display a consistent list result."
                    + " You can start a new list without the continue parameter";
    private static final String CONTINUE_OFFER =
            ", or use the continue token in this response to retrieve the remainder of the"
                    + " results. Continuing with the provided token results in an inconsistent"
                    + " list - objects that were created, modified, or deleted between the time the"
                    + " first chunk was returned and now may show up in the list.";

    private StatusErrors() {}

    public static StatusException badRequest(String message) {
        return new StatusException(new FailureStatus(400, "BadRequest", message));
    }

    /**
     * @param kind the resource as details name it, such as {@code pods}
     */
    public static StatusException notFound(
            String qualifiedResource, String group, String kind, String name) {
        return withDetails(
                404,
                "NotFound",
                "%s %s not found".formatted(qualifiedResource, GoQuote.string(name)),
                Map.of("name", name, "group", group, "kind", kind),
                0);
    }

    /** A path below a served group and version that names no resource. */
    public static StatusException unknownResource() {
        return withDetails(
                404,
                "NotFound",
                "the server could not find the requested resource",
                Map.of("", ""),
                0);
    }

    /**
     * A resource that is not stored cannot be watched.
     *
     * @param plural its name, as details have it
     */
    public static StatusException watchNotSupported(String plural) {
        return new StatusException(
                new FailureStatus(
                        405,
                        "MethodNotAllowed",
                        "watch is not supported on resources of kind \"%s\"".formatted(plural),
                        Map.of("kind", plural),
                        List.of(),
                        0,
                        ""));
    }

    public static StatusException methodNotAllowed() {
        return withDetails(
                405,
                "MethodNotAllowed",
                "the server does not allow this method on the requested resource",
                Map.of("", ""),
                0);
    }

    /** A request that the API server would serve but a read-only mirror cannot. */
    public static StatusException readOnly() {
        return withDetails(
                405,
                "MethodNotAllowed",
                "the server does not allow this method on the requested resource: it is a"
                        + " read-only mirror, only the cluster's own API server can do this",
                Map.of("", ""),
                0);
    }

    /**
     * A subresource that is not stored in etcd.
     *
     * @param what such as {@code pods/log}
     */
    public static StatusException notMirrored(String what) {
        return withDetails(
                405,
                "MethodNotAllowed",
                what
                        + " is not stored in etcd, so this read-only mirror has nothing to show:"
                        + " only the cluster's own API server can answer",
                Map.of("", ""),
                0);
    }

    /**
     * A custom object without the field that its scale subresource reads.
     *
     * @param path the path that its definition declares
     */
    public static StatusException specReplicasMissing(String path) {
        return withDetails(
                404,
                "NotFound",
                "the spec replicas field %s does not exist".formatted(GoQuote.string(path)),
                Map.of("", ""),
                0);
    }

    /**
     * @param verb as the API server names it; empty for a method without one
     * @param resource as details name it, such as {@code widgets}
     */
    public static StatusException notSupported(
            String verb, String qualifiedResource, String group, String resource) {
        return withDetails(
                405,
                "MethodNotAllowed",
                "%s is not supported on resources of kind \"%s\""
                        .formatted(verb, qualifiedResource),
                Map.of("group", group, "kind", resource),
                0);
    }

    /**
     * @param limit in bytes
     */
    public static StatusException bodyTooLarge(long limit) {
        return new StatusException(
                new FailureStatus(
                        413,
                        "RequestEntityTooLarge",
                        "Request entity too large: limit is " + limit));
    }

    public static StatusException listExpired() {
        return new StatusException(
                new FailureStatus(
                        410, EXPIRED, "The resourceVersion for the provided list is too old."));
    }

    /**
     * @param freshToken continues the list at a newer revision
     */
    public static StatusException continueExpired(String freshToken) {
        return new StatusException(
                new FailureStatus(
                        410,
                        EXPIRED,
                        CONTINUE_EXPIRED + CONTINUE_OFFER,
                        Map.of(),
                        List.of(),
                        0,
                        freshToken));
    }

    /** An object was requested at a compacted revision. */
    public static StatusException revisionExpired(String requested, long floor) {
        return new StatusException(
                new FailureStatus(
                        410,
                        EXPIRED,
                        "resourceVersion %s is no longer known: history goes back to %d"
                                .formatted(requested, floor)));
    }

    /** A state was requested as of a time below the floor. */
    public static StatusException timeExpired(Instant requested, Instant oldest, long floor) {
        return new StatusException(
                new FailureStatus(
                        410,
                        EXPIRED,
                        "the state at %s is not known: history goes back to %s (resourceVersion %d)"
                                .formatted(requested, oldest, floor)));
    }

    public static StatusException watchExpired(String requested, long oldestUsable) {
        return new StatusException(
                new FailureStatus(
                        410,
                        EXPIRED,
                        "too old resource version: %s (%d)".formatted(requested, oldestUsable)));
    }

    /**
     * A client names a revision that etcd has not reached, so that it is one of another history.
     */
    public static StatusException revisionNotReached(long requested, long current) {
        return new StatusException(
                new FailureStatus(
                        410,
                        EXPIRED,
                        ("resourceVersion %d is not of this history, which has reached %d: etcd was"
                                        + " restored or replaced")
                                .formatted(requested, current)));
    }

    /**
     * A watch cannot send the rest of a revision: a client that resumed after it would miss events.
     * The cause is for clients that know a revision before it, of which they have got all.
     */
    public static StatusException endedInsideRevision(long revision) {
        return new StatusException(
                new FailureStatus(
                        410,
                        EXPIRED,
                        "the watch ended inside revision %d, which is incomplete: list again"
                                .formatted(revision),
                        Map.of(),
                        List.of(
                                new Cause(
                                        "RevisionIncomplete",
                                        "a watch from an earlier revision gets all of it",
                                        "")),
                        0,
                        ""));
    }

    /** Another revision history has begun: revisions of the previous one are meaningless. */
    public static StatusException historyReplaced(long epoch) {
        return new StatusException(
                new FailureStatus(
                        410,
                        EXPIRED,
                        "too old resource version: another revision history (epoch %d) has begun"
                                .formatted(epoch)));
    }

    public static StatusException resourceVersionTooLarge(String requested, long current) {
        return new StatusException(
                new FailureStatus(
                        504,
                        TIMEOUT,
                        "Timeout: Too large resource version: %s, current: %d"
                                .formatted(requested, current),
                        Map.of(),
                        List.of(
                                new Cause(
                                        "ResourceVersionTooLarge",
                                        "Too large resource version",
                                        "")),
                        1,
                        ""));
    }

    /** A consistent read was requested, and etcd could not be asked for its revision. */
    public static StatusException consistentReadUnavailable(String why) {
        return withDetails(
                504,
                TIMEOUT,
                "Timeout: etcd could not be asked for its current revision: "
                        + why
                        + " (a request with resourceVersion=0 is answered with what is known)",
                Map.of(),
                1);
    }

    public static StatusException requestTimedOut() {
        return new StatusException(
                new FailureStatus(
                        504,
                        TIMEOUT,
                        "Timeout: request did not complete within the allotted timeout"));
    }

    public static StatusException initializing() {
        return tooManyRequests("storage is (re)initializing");
    }

    public static StatusException tooManyRequests(String message) {
        return withDetails(429, "TooManyRequests", message, Map.of(), 1);
    }

    /** No replica of a partition is readable from this node. */
    public static StatusException partitionUnavailable(int partition, String why) {
        return withDetails(
                503,
                "ServiceUnavailable",
                "partition %d of the mirror cannot be read from here: %s".formatted(partition, why),
                Map.of(),
                1);
    }

    /**
     * @param id identifies the log entry
     */
    public static StatusException internal(String id) {
        String message = "unexpected failure, see the server's log for id " + id;
        return new StatusException(
                new FailureStatus(
                        500,
                        "InternalError",
                        "Internal error occurred: " + message,
                        Map.of(),
                        List.of(new Cause("", message, "")),
                        0,
                        ""));
    }

    /**
     * An object exists, but its value in etcd cannot be parsed.
     *
     * @param kind the resource as details name it, such as {@code pods}
     */
    public static StatusException unreadable(
            String qualifiedResource, String group, String kind, String name, String why) {
        String message =
                "StorageError: corrupt object: %s %s cannot be read: %s"
                        .formatted(qualifiedResource, GoQuote.string(name), printable(why));
        return new StatusException(
                new FailureStatus(
                        500,
                        "InternalError",
                        "Internal error occurred: " + message,
                        Map.of("name", name, "group", group, "kind", kind),
                        List.of(new Cause("", message, "")),
                        0,
                        ""));
    }

    private static StatusException withDetails(
            int code,
            String reason,
            String message,
            Map<String, String> details,
            int retryAfterSeconds) {
        return new StatusException(
                new FailureStatus(
                        code, reason, message, details, List.of(), retryAfterSeconds, ""));
    }

    /** Without control characters, so that a message stays one line. */
    private static String printable(String text) {
        StringBuilder out = new StringBuilder(text.length());
        for (char c : text.toCharArray()) {
            if (c < 0x20 || c == 0x7f) {
                out.append("\\x%02x".formatted((int) c));
            } else {
                out.append(c);
            }
        }
        return out.toString();
    }
}
