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
 * What a client tells its user of what goes wrong: what its informers hand to their exception
 * handlers, and what a tool prints to standard error.
 *
 * <p>One thing is no fault: that the node is not there. This is said by a connection that cannot be
 * made or that breaks, and by a node that has come back but is not ready, with 429 or 503; and it
 * may be said between the moment the node is told to end and the moment it is ready again and has
 * been found. Everything else is a fault: any other status, a resource version that is gone, a
 * stream that cannot be read, and all of it while the node is there.
 */
final class ClientErrors {
    private final List<String> unexpected = new CopyOnWriteArrayList<>();
    private final AtomicInteger excused = new AtomicInteger();
    private volatile boolean nodeIsAway;

    void nodeIsAway(boolean away) {
        nodeIsAway = away;
    }

    void report(String who, Throwable failure) {
        report(who + ": " + failure, saysAway(failure));
    }

    /**
     * @param saysAway whether it says that the node is not there
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

    /** How often the node was said to be away while it was. */
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
