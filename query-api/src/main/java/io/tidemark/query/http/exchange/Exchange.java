package io.tidemark.query.http.exchange;

import io.javalin.http.Context;
import io.tidemark.http.HttpServer;
import io.tidemark.query.access.Permit;
import io.tidemark.query.audit.AuditedRequest;
import io.tidemark.query.audit.Auditor;
import io.tidemark.query.audit.RequestAudit;
import io.tidemark.query.past.TimeBase;
import io.tidemark.query.wire.Parameters;
import io.tidemark.serving.read.ByteBudget.Share;
import io.tidemark.serving.read.ClientDisconnectedException;
import io.tidemark.serving.read.ReadAllowance;
import io.tidemark.serving.status.StatusException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.jspecify.annotations.Nullable;

/** One request and its response. Closing it releases its memory. */
public final class Exchange implements AutoCloseable {
    private static final Runnable NOTHING = () -> {};

    /** Time of all reads for one response together: the API server's request timeout. */
    private static final Duration LONGEST_READING = Duration.ofMinutes(1);

    private final Context context;
    private final ClientConnection connection;
    private final Share memory;
    private final ReadAllowance allowance;
    private final Parameters parameters;
    private final Instant arrival;
    private final TimeBase.Path path;
    private final RequestAudit audit;
    private final Response response;

    private Optional<CompletableFuture<?>> continuation = Optional.empty();
    private Optional<CompletableFuture<?>> socket = Optional.empty();
    private volatile String client;
    private volatile Runnable closing = NOTHING;

    /** Null before the request is allowed. */
    private @Nullable Permit permit;

    /**
     * @throws StatusException 400 when its parameters or its time cannot be parsed
     */
    public static Exchange begin(Context context, ExchangeResources resources) {
        Parameters parameters = Parameters.parse(context.req().getQueryString());
        Instant arrival = resources.clock().instant();
        TimeBase.Path path =
                TimeBase.Path.parse(context.req().getRequestURI(), parameters, arrival);
        return new Exchange(context, parameters, arrival, path, resources);
    }

    /** For refusing a request whose parameters cannot be parsed. */
    public static Exchange withoutParameters(Context context, ExchangeResources resources) {
        TimeBase.Path path =
                new TimeBase.Path(new TimeBase.Present(), context.req().getRequestURI());
        return new Exchange(
                context, Parameters.parse(null), resources.clock().instant(), path, resources);
    }

    private Exchange(
            Context context,
            Parameters parameters,
            Instant arrival,
            TimeBase.Path path,
            ExchangeResources resources) {
        this.arrival = arrival;
        this.path = path;
        this.context = context;
        this.connection = ClientConnection.of(jettyRequest());
        this.parameters = parameters;
        this.client = context.req().getRemoteAddr();
        this.memory = resources.memory().share(client);
        this.audit =
                resources
                        .auditor()
                        .map(auditor -> begin(auditor, context))
                        .orElse(RequestAudit.NONE);
        this.response = new Response(context, connection, resources, memory, audit, this::pretty);
        this.allowance =
                ReadAllowance.of(
                        memory, response::isCommitted, this::requireClient, LONGEST_READING);
    }

    /** Until it is parsed, the request is known by its path. */
    private static RequestAudit begin(Auditor auditor, Context context) {
        context.req().setAttribute(HttpServer.ROUTED, true);
        RequestAudit audit = auditor.begin(audited(context));
        audit.asksForPath(context.req().getMethod(), context.req().getRequestURI());
        return audit;
    }

    private static AuditedRequest audited(Context context) {
        String query = context.req().getQueryString();
        String path = context.req().getRequestURI();
        String agent = context.req().getHeader("User-Agent");
        return new AuditedRequest(
                query == null ? path : path + "?" + query,
                List.of(context.req().getRemoteAddr()),
                agent == null ? "" : agent,
                Instant.now());
    }

    /** What is recorded about this request. */
    public RequestAudit audit() {
        return audit;
    }

    /** The request is allowed; once, before anything is read for it. */
    public void allow(Permit allowed) {
        permit = allowed;
    }

    /**
     * The right of this request.
     *
     * @throws IllegalStateException before {@link #allow}, so that no path can forget to ask
     */
    public Permit permit() {
        Permit allowed = permit;
        if (allowed == null) {
            throw new IllegalStateException("the request has not been authorized");
        }
        return allowed;
    }

    /** The response to this request. */
    public Response response() {
        return response;
    }

    /** The memory booked for this response. */
    public Share memory() {
        return memory;
    }

    /** The memory and time that reads for this response may take. */
    public ReadAllowance allowance() {
        return allowance;
    }

    /**
     * Checks that the client is still connected.
     *
     * @throws ClientDisconnectedException when the client has closed its connection
     */
    public void requireClient() {
        if (contentLength() <= 0 && header("Transfer-Encoding").isEmpty()) {
            connection.require();
        }
    }

    /**
     * Lets the response go on after its handler has returned, without a thread.
     *
     * @param end completes at the end of the response, with the failure that a handler would throw,
     *     on a thread that may block
     */
    public void continueUntil(CompletableFuture<?> end) {
        continuation = Optional.of(end);
    }

    /** The end of a response that goes on after its handler has returned. */
    public Optional<CompletableFuture<?>> continuation() {
        return continuation;
    }

    /**
     * The response has become a WebSocket, which goes on after this request: the connection carries
     * no frames before its request has ended. The audit of the request ends with the WebSocket.
     *
     * @param end completes with it; with an exception if the server failed
     */
    public void upgradedUntil(CompletableFuture<?> end) {
        socket = Optional.of(end);
    }

    /** The handler has returned, and the response is over, or has become a WebSocket. */
    public void ended(int answered) {
        response.knownStatus(answered);
    }

    /** The response goes on without this thread. */
    public void begun(int begunStatus) {
        response.knownStatus(begunStatus);
        audit.started(begunStatus);
    }

    @Override
    public void close() {
        memory.close();
        closing.run();
        socket.ifPresentOrElse(
                end -> completeAfter(audit, response.knownStatus(), end),
                () -> audit.complete(response.knownStatus(), response.failure()));
    }

    /** Static, so that an open WebSocket does not hold its request. */
    private static void completeAfter(RequestAudit audit, int status, CompletableFuture<?> end) {
        audit.started(status);
        CompletableFuture<?> _ =
                end.whenComplete((_, failure) -> {
                    if (failure != null) {
                        audit.panic();
                    }
                    audit.complete(status, "");
                });
    }

    /** The path of the request line below its time base, still percent-encoded. */
    public String rawPath() {
        return path.path();
    }

    /** When the request arrived: the base of its relative times. */
    public Instant arrival() {
        return arrival;
    }

    /** Which time the request sees. */
    public TimeBase timeBase() {
        return path.base();
    }

    /** The parsed query parameters; empty after {@link #withoutParameters}. */
    public Parameters parameters() {
        return parameters;
    }

    /** Whose limits count: the user once known, else the remote address, or the proxy's. */
    public String client() {
        return client;
    }

    /** The user whose limits count from now on. */
    public void servedFor(String user) {
        client = user;
        memory.chargeTo(user);
    }

    /** Runs a task when the exchange is closed; one at most. */
    public void whenClosed(Runnable task) {
        closing = task;
    }

    /** Whether the request holds what it frees when it is closed. */
    public boolean isHolding() {
        return closing != NOTHING;
    }

    public String method() {
        return context.req().getMethod();
    }

    /** Length of the request's body in bytes; -1 when unknown. */
    public long contentLength() {
        return context.req().getContentLengthLong();
    }

    public boolean isHead() {
        return method().equals("HEAD");
    }

    /** A header of the request; empty when absent. */
    public String header(String name) {
        String value = context.req().getHeader(name);
        return value == null ? "" : value;
    }

    /** A request attribute that a filter has set. */
    public @Nullable Object attribute(String name) {
        return context.req().getAttribute(name);
    }

    /** For code that reads what no method here has. */
    public HttpServletRequest servletRequest() {
        return context.req();
    }

    /** For code that takes over the connection. */
    public ServletContextRequest jettyRequest() {
        return ServletContextRequest.getServletContextRequest(context.req());
    }

    /** For code that takes over the connection. */
    public HttpServletResponse servletResponse() {
        return context.res();
    }

    /**
     * Whether to indent JSON: by the {@code pretty} parameter, else for clients that people use.
     */
    public boolean pretty() {
        return Preferences.pretty(parameters.text("pretty"), header("User-Agent"));
    }

    /**
     * Breaks the response off, so that the client does not mistake a part of it for the whole. For
     * any thread.
     */
    public void abort(Throwable why) {
        connection.abort(why);
    }

    /** Lets no more requests come on this connection, after a complete response. */
    public void endConnection() {
        connection.end();
    }

    /** Ends the request without a response, so that the client repeats it elsewhere. */
    public void refuseSilently() {
        audit.complete(503, "the server is stopping");
        connection.refuse();
    }

    /** Whether the client has ended the response, and Jetty has released it. */
    public boolean isEndedByClient() {
        return connection.isEndedByClient();
    }

    /**
     * Calls a task when the client has disconnected, if that is noticed while nothing is written.
     */
    public void onDisconnect(Runnable task) {
        connection.onDisconnect(task);
    }
}
