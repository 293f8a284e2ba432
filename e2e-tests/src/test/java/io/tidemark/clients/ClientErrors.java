package io.tidemark.clients;

import io.kubernetes.client.openapi.ApiException;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.nio.channels.ClosedChannelException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The errors that a client reports to its user: what its informers pass to their exception
 * handlers, and what a tool prints to standard error.
 *
 * <p>One report is no error: that the node is away. A refused or broken connection says so, and so
 * does a restarted node that is not ready, with 429 or 503. It may be reported between the moment
 * the node is asked to stop and the moment it is ready again and the client has reconnected.
 * Everything else is an error: any other status, a compacted resource version, an unreadable
 * stream, and all of it while the node is there.
 */
final class ClientErrors {
    private final List<String> unexpected = new CopyOnWriteArrayList<>();
    private final AtomicInteger excused = new AtomicInteger();
    private volatile boolean nodeIsAway;

    void nodeIsAway(boolean away) {
        nodeIsAway = away;
    }

    void report(String source, Throwable failure) {
        report(source + ": " + failure, saysAway(failure));
    }

    /**
     * @param saysAway whether it says that the node is away
     */
    void report(String text, boolean saysAway) {
        if (saysAway && nodeIsAway) {
            excused.incrementAndGet();
        } else {
            unexpected.add((nodeIsAway ? "while the node was away: " : "") + text);
        }
    }

    /** Whether an HTTP status says that the node is not ready. */
    static boolean saysNotReady(int status) {
        return status == 429 || status == 503;
    }

    /** How often the node was reported away while it was. */
    int excused() {
        return excused.get();
    }

    /** What a user would have seen and should not. */
    List<String> unexpected() {
        return unexpected;
    }

    private static boolean saysAway(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof ConnectException
                    || cause instanceof SocketException
                    || cause instanceof EOFException
                    || cause instanceof ClosedChannelException
                    || (cause instanceof IOException && breaksOff(cause))
                    || (cause instanceof ApiException refused && saysNotReady(refused.getCode()))) {
                return true;
            }
        }
        return false;
    }

    private static boolean breaksOff(Throwable failure) {
        String message = String.valueOf(failure.getMessage());
        return message.startsWith("unexpected end of stream")
                || message.startsWith("Connection was closed")
                || message.startsWith("Connection reset");
    }
}
