package io.tidemark.query.http.exchange;

import io.javalin.http.Context;
import io.tidemark.http.HttpServer;
import io.tidemark.query.access.Permit;
import io.tidemark.query.audit.AuditedRequest;
import io.tidemark.query.audit.Auditor;
import io.tidemark.query.audit.RequestAudit;
import io.tidemark.query.compress.Compression;
import io.tidemark.query.compress.ContentCoding;
import io.tidemark.query.compress.StreamCoding;
import io.tidemark.query.past.TimeBase;
import io.tidemark.query.representation.DocumentFormat;
import io.tidemark.query.wire.Parameters;
import io.tidemark.serving.read.ByteBudget;
import io.tidemark.serving.read.ByteBudget.Share;
import io.tidemark.serving.read.ClientDisconnectedException;
import io.tidemark.serving.read.ReadAllowance;
import io.tidemark.serving.status.StatusException;
import io.tidemark.serving.status.StatusException.FailureStatus;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.jspecify.annotations.Nullable;

/** One request and its response. Closing it releases its memory. */
public final class Exchange implements AutoCloseable {
    /**
     * Header with the time that the response is as of: etcd was in this state then and may have
     * advanced.
     */

    /** Content type of plain text. */
    public static final String TEXT = "text/plain; charset=utf-8";

    private static final Runnable NOTHING = () -> {};

    /** First size of the buffer of a body of unknown length, in bytes. */
    private static final int BUFFER = 4096;

    /** Time of all reads for one response together: the API server's request timeout. */
    private static final Duration LONGEST_READING = Duration.ofMinutes(1);

    private final Context context;
    private final ClientConnection connection;
    private final ExchangeResources exchangeResources;
    private final Share memory;
    private final ReadAllowance allowance;
    private final Parameters parameters;
    private final Instant arrival;
    private final TimeBase.Path path;
    private final Set<String> warnings = new LinkedHashSet<>();
    private Optional<CompletableFuture<?>> continuation = Optional.empty();

    private final RequestAudit audit;

    private volatile String client;
    private volatile Runnable closing = NOTHING;

    /** Of the response as far as it is known. */
    private volatile int status = 200;

    /** Why the request failed; empty if it did not. */
    private volatile String failure = "";

    /** Null before the request is allowed. */
    private @Nullable Permit permit;

    private boolean namesHistory;

    /**
     * Resources shared by all exchanges.
     *
     * @param clock the base of relative times
     */
    public record ExchangeResources(
            InstantSource clock,
            ByteBudget memory,
            MinimumRate minimumRate,
            Compression compression,
            BooleanSupplier last,
            Optional<Auditor> auditor) {}

    /**
     * @throws StatusException 400 when its parameters or its time cannot be parsed
     */
    public Exchange(Context context, ExchangeResources exchangeResources) {
        this(context, Parameters.parse(context.req().getQueryString()), exchangeResources);
    }

    private Exchange(Context context, Parameters parameters, ExchangeResources exchangeResources) {
        this(context, parameters, exchangeResources.clock().instant(), exchangeResources);
    }

    private Exchange(
            Context context,
            Parameters parameters,
            Instant arrival,
            ExchangeResources exchangeResources) {
        this(
                context,
                parameters,
                arrival,
                TimeBase.Path.parse(context.req().getRequestURI(), parameters, arrival),
                exchangeResources);
    }

    private Exchange(
            Context context,
            Parameters parameters,
            Instant arrival,
            TimeBase.Path path,
            ExchangeResources exchangeResources) {
        this.arrival = arrival;
        this.path = path;
        this.context = context;
        this.connection = ClientConnection.of(jettyRequest());
        this.parameters = parameters;
        this.exchangeResources = exchangeResources;
        this.client = context.req().getRemoteAddr();
        this.memory = exchangeResources.memory().share(client);
        this.allowance =
                ReadAllowance.of(memory, this::isCommitted, this::requireClient, LONGEST_READING);
        this.audit =
                exchangeResources
                        .auditor()
                        .map(auditor -> begin(auditor, context))
                        .orElse(RequestAudit.NONE);
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

    /** For refusing a request whose parameters cannot be parsed. */
    public static Exchange withoutParameters(Context context, ExchangeResources exchangeResources) {
        return new Exchange(
                context,
                Parameters.parse(null),
                exchangeResources.clock().instant(),
                new TimeBase.Path(new TimeBase.Present(), context.req().getRequestURI()),
                exchangeResources);
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

    /** The handler has returned, and the response is over, or has become a WebSocket. */
    public void ended(int answered) {
        status = answered;
    }

    /** The response goes on without this thread. */
    public void begun(int begunStatus) {
        status = begunStatus;
        audit.started(begunStatus);
    }

    @Override
    public void close() {
        memory.close();
        closing.run();
        audit.complete(status, failure);
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
     * Sets the header with the time that the state is of.
     *
     * @param millis since 1970
     */
    public void asOf(long millis) {
        response()
                .setHeader(
                        StateHeaders.AS_OF,
                        Instant.ofEpochMilli(millis).truncatedTo(ChronoUnit.MILLIS).toString());
    }

    /** From now on the headers name the history that the response is of. */
    public void nameHistory() {
        namesHistory = true;
    }

    /** Whether the headers name the history, as those of keys and values do. */
    boolean namesHistory() {
        return namesHistory;
    }

    /** Replaces a header of the response, which must not be committed. */
    public void setHeader(String name, String value) {
        response().setHeader(name, value);
    }

    /**
     * Adds a Warning header to the response, which clients show to people.
     *
     * @param text printable ASCII
     */
    public void warn(String text) {
        String escaped = text.replace("\\", "\\\\").replace("\"", "\\\"");
        warnings.add("299 - \"" + escaped + "\"");
    }

    /**
     * Responds with text like the API server's simple handlers: browsers must not sniff the type.
     */
    public void answerText(int status, String text) throws IOException {
        setHeader("X-Content-Type-Options", "nosniff");
        answer(status, TEXT, text.getBytes(StandardCharsets.UTF_8));
    }

    /** Responds with a complete body. */
    public void answer(int status, String contentType, byte[] body) throws IOException {
        answer(status, contentType, body, 0, "");
    }

    /**
     * Responds with the end of an array, which saves copying it.
     *
     * @param from offset of the body
     * @param tail appended text, in ASCII
     */
    public void answer(int status, String contentType, byte[] bytes, int from, String tail)
            throws IOException {
        int length = bytes.length - from;
        try (ResponseBody out = body(status, contentType, length + tail.length())) {
            out.write(bytes, from, length);
            out.write(tail.getBytes(StandardCharsets.US_ASCII));
            out.finish();
        }
    }

    /** Responds with a body that is written in pieces; until it is committed it can be replaced. */
    public ResponseBody body(int status, String contentType) {
        return body(status, contentType, BUFFER);
    }

    private ResponseBody body(int status, String contentType, int expected) {
        prepare(status, contentType);
        return new ResponseBody(
                response(),
                connection.isHttp1(),
                expected,
                Compression.ofBody(header("Accept-Encoding")),
                exchangeResources.compression().shared(),
                memory,
                out -> exchangeResources.minimumRate().paced(out, this::abort));
    }

    /** Begins a stream that is not compressed: the client sees the headers at once. */
    public OutputStream stream(String contentType) throws IOException {
        return stream(contentType, StreamCoding.PLAIN);
    }

    /**
     * Begins a stream: the client sees the headers and the stream's start at once.
     *
     * @param coding of what the caller writes
     */
    public OutputStream stream(String contentType, StreamCoding coding) throws IOException {
        prepare(200, contentType);
        if (coding.coding() != ContentCoding.IDENTITY) {
            ResponseBody.setCoding(response(), coding.coding());
        }
        if (connection.isHttp1()) {
            ResponseBody.inChunks(response());
        }
        OutputStream out = context.res().getOutputStream();
        out.write(coding.start());
        context.res().flushBuffer();
        return out;
    }

    /** Discards the uncommitted response. */
    private void discardResponse() {
        try {
            response().reset();
        } catch (HttpException.RuntimeException _) {
            // reset() parses the request's Connection header, which is invalid.
            response().resetBuffer();
        }
    }

    /** Responds with a Status; keeps the headers for the time and revision. */
    public void refuse(StatusException refused) throws IOException {
        FailureStatus refusal = refused.status();
        failure = refusal.message();
        Map<String, String> known = new HashMap<>();
        for (String name : StateHeaders.ALL) {
            Optional.ofNullable(response().getHeader(name)).ifPresent(v -> known.put(name, v));
        }
        discardResponse();
        setHeaders(known);
        if (refusal.retryAfterSeconds() > 0) {
            response().setHeader("Retry-After", Integer.toString(refusal.retryAfterSeconds()));
        }
        DocumentFormat form = DocumentFormat.ofStatus(header("Accept"), pretty());
        answer(refusal.code(), form.contentType(), form.write(refusal));
    }

    /** Whether the response has begun, so that no other one can be sent. */
    public boolean isCommitted() {
        return context.res().isCommitted();
    }

    /** The response's status; 200 until one is set. */
    public int status() {
        return context.res().getStatus();
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

    private void prepare(int answered, String contentType) {
        status = answered;
        HttpServletResponse response = response();
        response.setStatus(answered);
        if (audit.isOn()) {
            response.setHeader("Audit-Id", audit.id());
        }
        if (exchangeResources.last().getAsBoolean()) {
            if (connection.isHttp1()) {
                response.setHeader("Connection", "close");
            } else {
                connection.end();
            }
        }
        setContentType(contentType);
        warnings.forEach(warning -> response.addHeader("Warning", warning));
        if (response.getHeader("Cache-Control") == null) {
            response.setHeader("Cache-Control", "no-cache, private");
        }
    }

    /**
     * Bypasses the servlet layer, which would reformat the value without the blank and add a
     * default to a 304, whose headers replace those of the client's cached response.
     */
    private void setContentType(String contentType) {
        HttpFields.Mutable headers =
                jettyRequest().getServletContextResponse().getWrapped().getHeaders();
        if (contentType.isEmpty()) {
            headers.remove(HttpHeader.CONTENT_TYPE);
        } else {
            headers.put(HttpHeader.CONTENT_TYPE, contentType);
        }
    }

    private HttpServletResponse response() {
        return context.res();
    }

    public void setHeaders(Map<String, String> headers) {
        headers.forEach(this::setHeader);
    }

    /** The I/O error by which a client's disconnect caused a failure, if any. */
    public static Optional<IOException> clientGone(@Nullable Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof IOException gone) {
                return Optional.of(gone);
            }
        }
        return Optional.empty();
    }
}
