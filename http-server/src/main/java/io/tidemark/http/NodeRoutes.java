package io.tidemark.http;

import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.tidemark.credentials.MutualTls;
import io.tidemark.nodeauth.NodeAuthProtocol;
import io.tidemark.nodeauth.NodeRequest;
import io.tidemark.nodeauth.RefusedException;
import io.tidemark.nodeauth.ServerSessions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Routes that only nodes of the group may use, see {@link ServerSessions}. A request without a
 * valid proof is rejected with 401 before it is processed, and before its body is read when it
 * names no session. With {@link MutualTls} it needs a certificate of the group besides, without
 * which it is rejected with 403. Every request of a web page ({@code Origin}) is rejected with 403,
 * on all routes of the server.
 */
public final class NodeRoutes {
    private static final Logger LOG = LoggerFactory.getLogger(NodeRoutes.class);
    private static final long LOG_NANOS = Duration.ofSeconds(10).toNanos();

    /**
     * Longest time for a body to arrive. Without it a byte now and then would hold a connection for
     * ever, since the handshake is read before anything is proven.
     */
    static final Duration LONGEST_BODY = Duration.ofSeconds(5);

    private static final int BUFFER_BYTES = 16 << 10;

    /** By the servlet specification. */
    private static final String CERTIFICATES = "jakarta.servlet.request.X509Certificate";

    private final ServerSessions sessions;
    private final boolean certified;
    private final AtomicLong loggedNanos = new AtomicLong(System.nanoTime() - LOG_NANOS);
    private final AtomicInteger unlogged = new AtomicInteger();

    /** Without TLS. */
    public NodeRoutes(ServerSessions sessions) {
        this(sessions, Optional.empty());
    }

    /**
     * @param tls of the listener; empty if it speaks plain HTTP
     */
    public NodeRoutes(ServerSessions sessions, Optional<MutualTls> tls) {
        this.sessions = sessions;
        this.certified = tls.isPresent();
    }

    /** Answers a verified request of a node of the group. */
    @FunctionalInterface
    public interface NodeHandler {
        void handle(NodeExchange exchange) throws IOException, InterruptedException;
    }

    /** Adds the routes of the handshake. */
    public void addTo(JavalinConfig config) {
        config.routes.before(NodeRoutes::refusePages);
        config.routes.post(NodeAuthProtocol.HELLO, ofMembers(this::hello));
        config.routes.post(NodeAuthProtocol.OPEN, ofMembers(this::open));
        config.routes.exception(
                IOException.class, (e, _) -> LOG.debug("a node disconnected during an answer", e));
    }

    /**
     * A handler for verified requests of nodes.
     *
     * @param maxBody bytes of a request; above it 413
     */
    public Handler authenticated(int maxBody, NodeHandler handler) {
        return ofMembers(context -> {
            try {
                ServerSessions.UnreadRequest begun =
                        sessions.begin(context.header(NodeAuthProtocol.HEADER));
                byte[] body = body(context, maxBody);
                if (body == null) {
                    return;
                }
                NodeRequest request =
                        new NodeRequest(context.req().getMethod(), path(context), body);
                handler.handle(new NodeExchange(context, body, begun.verify(request)));
            } catch (RefusedException e) {
                refuse(context, e);
            }
        });
    }

    /** TLS has verified the certificate, if there is one. */
    private Handler ofMembers(Handler handler) {
        return context -> {
            if (certified && context.req().getAttribute(CERTIFICATES) == null) {
                refuse(context, new RefusedException(403, "needs a certificate of the group"));
            } else {
                handler.handle(context);
            }
        };
    }

    private static void refusePages(Context context) {
        if (context.header("Origin") != null) {
            text(context, 403, "requests from web pages are rejected");
            context.skipRemainingHandlers();
        }
    }

    private void hello(Context context) throws IOException {
        byte[] body = body(context, NodeAuthProtocol.MAX_HANDSHAKE_BYTES);
        if (body == null) {
            return;
        }
        try {
            context.contentType(NodeExchange.BYTES).result(sessions.hello(body));
        } catch (RefusedException e) {
            refuse(context, e);
        }
    }

    private void open(Context context) throws IOException {
        byte[] body = body(context, NodeAuthProtocol.MAX_HANDSHAKE_BYTES);
        if (body == null) {
            return;
        }
        try {
            sessions.open(body);
            context.status(204);
        } catch (RefusedException e) {
            refuse(context, e);
        }
    }

    /** Null when the body was too long or too slow, and an error was answered. */
    private static byte @Nullable [] body(Context context, int max) throws IOException {
        if (context.req().getContentLengthLong() > max) {
            return refuseBody(context, 413, "the request is too long");
        }
        long deadline = System.nanoTime() + LONGEST_BODY.toNanos();
        InputStream in = context.req().getInputStream();
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        byte[] buffer = new byte[Math.min(max + 1, BUFFER_BYTES)];
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
            body.write(buffer, 0, read);
            if (body.size() > max) {
                return refuseBody(context, 413, "the request is too long");
            }
            if (System.nanoTime() - deadline >= 0) {
                return refuseBody(context, 408, "the request did not arrive in time");
            }
        }
        return body.toByteArray();
    }

    private static byte @Nullable [] refuseBody(Context context, int status, String why) {
        text(context, status, why);
        context.header("Connection", "close");
        return null;
    }

    /** The path as in the request line. */
    private static String path(Context context) {
        String query = context.req().getQueryString();
        String path = context.req().getRequestURI();
        return query == null ? path : path + "?" + query;
    }

    private void refuse(Context context, RefusedException e) {
        text(context, e.status(), String.valueOf(e.getMessage()));
        long now = System.nanoTime();
        long before = loggedNanos.get();
        if (now - before >= LOG_NANOS && loggedNanos.compareAndSet(before, now)) {
            LOG.info(
                    "refused a request from {}: {}; {} more since the last line like this",
                    context.req().getRemoteAddr(),
                    e.getMessage(),
                    unlogged.getAndSet(0));
        } else {
            unlogged.incrementAndGet();
        }
    }

    private static void text(Context context, int status, String text) {
        context.status(status).contentType("text/plain; charset=utf-8").result(text + "\n");
    }
}
