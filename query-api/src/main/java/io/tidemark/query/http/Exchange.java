package io.tidemark.query.http;

import io.javalin.http.Context;
import io.tidemark.serving.read.ByteBudget;
import io.tidemark.serving.read.ByteBudget.Share;
import io.tidemark.serving.read.ClientDisconnectedException;
import io.tidemark.serving.read.ReadAllowance;
import io.tidemark.serving.status.StatusException;
import io.tidemark.serving.status.StatusException.FailureStatus;
import io.tidemark.query.table.DocumentFormat;
import io.tidemark.query.wire.Parameters;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.EndPoint;
import org.jspecify.annotations.Nullable;

/** One request and its response. What it holds in memory is free again when it is closed. */
final class Exchange implements AutoCloseable {
    /** As of when the state is that an answer shows: etcd had it then, and may have moved on. */
    static final String AS_OF = "X-Tidemark-As-Of";

    /** What text that is not for programs is sent as. */
    static final String TEXT = "text/plain; charset=utf-8";

    /** What Go reads as true. */
    private static final Set<String> TRUE = Set.of("1", "t", "T", "true", "True", "TRUE");

    /** All reading for one answer together, as long as the API server takes for one. */
    private static final Duration LONGEST_READING = Duration.ofMinutes(1);

    private final Context context;
    private final ExchangeResources exchangeResources;
    private final Share memory;
    private final ReadAllowance allowance;
    private final Parameters parameters;
    private final Set<String> warnings = new LinkedHashSet<>();

    /** What all exchanges share. */
    record ExchangeResources(ByteBudget memory, MinimumRate minimumRate, BooleanSupplier last) {}

    /**
     * @throws StatusException 400 when its parameters cannot be read
     */
    Exchange(Context context, ExchangeResources exchangeResources) {
        this(context, Parameters.parse(context.req().getQueryString()), exchangeResources);
    }

    private Exchange(Context context, Parameters parameters, ExchangeResources exchangeResources) {
        this.context = context;
        this.parameters = parameters;
        this.exchangeResources = exchangeResources;
        this.memory = exchangeResources.memory().share(context.req().getRemoteAddr());
        this.allowance =
                ReadAllowance.of(memory, this::isCommitted, this::requireClient, LONGEST_READING);
    }

    /** For refusing a request whose parameters cannot be read. */
    static Exchange withoutParameters(Context context, ExchangeResources exchangeResources) {
        return new Exchange(context, Parameters.parse(null), exchangeResources);
    }

    /** What this answer holds in memory. */
    Share memory() {
        return memory;
    }

    /** What may be used to read for this answer. */
    ReadAllowance allowance() {
        return allowance;
    }

    /**
     * Checks that the client has not left.
     *
     * @throws ClientDisconnectedException when it has closed its connection
     */
    void requireClient() {
        if (contentLength() <= 0 && header("Transfer-Encoding").isEmpty()) {
            ClientPresence.require(ServletContextRequest.getServletContextRequest(context.req()));
        }
    }

    @Override
    public void close() {
        memory.close();
    }

    /** Of the request line, still percent-encoded. */
    String rawPath() {
        return context.req().getRequestURI();
    }

    Parameters parameters() {
        return parameters;
    }

    /** The address that the request comes from: of a proxy, when there is one. */
    String client() {
        return context.req().getRemoteAddr();
    }

    String method() {
        return context.req().getMethod();
    }

    /** Of the request's body, in bytes; -1 when it does not say. */
    long contentLength() {
        return context.req().getContentLengthLong();
    }

    boolean isHead() {
        return method().equals("HEAD");
    }

    /** A header of the request; empty when absent. */
    String header(String name) {
        String value = context.req().getHeader(name);
        return value == null ? "" : value;
    }

    /** What a filter has left with the request. */
    @Nullable Object attribute(String name) {
        return context.req().getAttribute(name);
    }

    /** For what takes the whole connection over. */
    HttpServletResponse servletResponse() {
        return context.res();
    }

    /** Whether JSON shall be indented: as told, or because a person seems to be looking. */
    boolean pretty() {
        String asked = parameters.text("pretty");
        if (!asked.isEmpty()) {
            return TRUE.contains(asked);
        }
        String agent = header("User-Agent");
        return agent.startsWith("curl")
                || agent.startsWith("Wget")
                || agent.startsWith("Mozilla/5.0");
    }

    void asOf(long millis) {
        response()
                .setHeader(
                        AS_OF,
                        Instant.ofEpochMilli(millis).truncatedTo(ChronoUnit.MILLIS).toString());
    }

    void setHeader(String name, String value) {
        response().setHeader(name, value);
    }

    /**
     * Has whatever is answered bring a warning along, which clients show to people.
     *
     * @param text of printable ASCII characters
     */
    void warn(String text) {
        String escaped = text.replace("\\", "\\\\").replace("\"", "\\\"");
        warnings.add("299 - \"" + escaped + "\"");
    }

    /** Answers with text as the API server's simple handlers do: browsers must not guess a type. */
    void answerText(int status, String text) throws IOException {
        setHeader("X-Content-Type-Options", "nosniff");
        answer(status, TEXT, text.getBytes(StandardCharsets.UTF_8));
    }

    /** Answers with a whole body. */
    void answer(int status, String contentType, byte[] body) throws IOException {
        answer(status, contentType, body, 0, "");
    }

    /**
     * The same with the end of an array, so that it need not be copied.
     *
     * @param from where the body begins
     * @param tail what follows, in ASCII
     */
    void answer(int status, String contentType, byte[] bytes, int from, String tail)
            throws IOException {
        try (ResponseBody out = body(status, contentType)) {
            out.write(bytes, from, bytes.length - from);
            out.write(tail.getBytes(StandardCharsets.US_ASCII));
            out.finish();
        }
    }

    /** Answers with a body that is written piece by piece; its beginning can be taken back. */
    ResponseBody body(int status, String contentType) {
        prepare(status, contentType);
        return new ResponseBody(
                response(),
                acceptsGzip(),
                memory,
                out -> exchangeResources.minimumRate().paced(out, this::abort));
    }

    /** Begins an endless answer: the client sees its headers at once. */
    OutputStream stream(String contentType) throws IOException {
        prepare(200, contentType);
        ResponseBody.inChunks(response());
        context.res().flushBuffer();
        return context.res().getOutputStream();
    }

    /** What was to be answered before something spoke against it. */
    private void takeBack() {
        try {
            response().reset();
        } catch (HttpException.RuntimeException _) {
            // It looks at what the request says of its connection, and that makes no sense.
            response().resetBuffer();
        }
    }

    /** Answers with a Status; as of when that is true stays. */
    void refuse(StatusException refused) throws IOException {
        FailureStatus refusal = refused.status();
        Map<String, String> known = new HashMap<>();
        for (String name : List.of(AS_OF, SingleRead.REVISION)) {
            Optional.ofNullable(response().getHeader(name)).ifPresent(v -> known.put(name, v));
        }
        takeBack();
        setHeaders(known);
        if (refusal.retryAfterSeconds() > 0) {
            response().setHeader("Retry-After", Integer.toString(refusal.retryAfterSeconds()));
        }
        DocumentFormat form = DocumentFormat.ofStatus(header("Accept"), pretty());
        answer(refusal.code(), form.contentType(), form.write(refusal));
    }

    /** Whether anything is on its way to the client, so that no other answer can be given. */
    boolean isCommitted() {
        return context.res().isCommitted();
    }

    int status() {
        return context.res().getStatus();
    }

    /** Breaks the connection: the client must not take what it got for all there is. */
    void abort(Throwable why) {
        endPoint().close(why);
    }

    /** Closes the connection after an answer that is complete, or instead of one. */
    void endConnection() {
        endPoint().close();
    }

    private EndPoint endPoint() {
        return ServletContextRequest.getServletContextRequest(context.req())
                .getServletChannel()
                .getEndPoint();
    }

    private void prepare(int status, String contentType) {
        HttpServletResponse response = response();
        response.setStatus(status);
        if (exchangeResources.last().getAsBoolean()) {
            response.setHeader("Connection", "close");
        }
        setContentType(contentType);
        warnings.forEach(warning -> response.addHeader("Warning", warning));
        if (response.getHeader("Cache-Control") == null) {
            response.setHeader("Cache-Control", "no-cache, private");
        }
    }

    /**
     * Past the servlet layer, which would write it in its own way, without the blank, and has one
     * of its own where there shall be none: a client that has kept an answer takes the headers of a
     * 304 for it.
     */
    private void setContentType(String contentType) {
        HttpFields.Mutable headers =
                ServletContextRequest.getServletContextRequest(context.req())
                        .getServletContextResponse()
                        .getWrapped()
                        .getHeaders();
        if (contentType.isEmpty()) {
            headers.remove(HttpHeader.CONTENT_TYPE);
        } else {
            headers.put(HttpHeader.CONTENT_TYPE, contentType);
        }
    }

    /** Only the plain token counts, as the API server has it: no weights, no wildcards. */
    private boolean acceptsGzip() {
        for (String token : header("Accept-Encoding").split(",")) {
            if (token.strip().equals("gzip")) {
                return true;
            }
        }
        return false;
    }

    private HttpServletResponse response() {
        return context.res();
    }

    /** Sets what a finished answer brings along. */
    void setHeaders(Map<String, String> headers) {
        headers.forEach(this::setHeader);
    }

    /** The connection's client went away, as opposed to a failure of ours. */
    static Optional<IOException> clientGone(@Nullable Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof IOException gone) {
                return Optional.of(gone);
            }
        }
        return Optional.empty();
    }
}
