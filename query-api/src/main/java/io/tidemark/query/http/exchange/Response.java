package io.tidemark.query.http.exchange;

import io.javalin.http.Context;
import io.tidemark.query.audit.RequestAudit;
import io.tidemark.query.compress.Compression;
import io.tidemark.query.compress.ContentCoding;
import io.tidemark.query.compress.StreamCoding;
import io.tidemark.query.representation.DocumentFormat;
import io.tidemark.serving.read.ByteBudget.Share;
import io.tidemark.serving.status.StatusException;
import io.tidemark.serving.status.StatusException.FailureStatus;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;

/** The response to a request: its headers, and a body, a stream, or a Status. */
public final class Response {
    /** Content type of plain text. */
    public static final String TEXT = "text/plain; charset=utf-8";

    /** First size of the buffer of a body of unknown length, in bytes. */
    private static final int BUFFER = 4096;

    private final Context context;
    private final ClientConnection connection;
    private final ExchangeResources resources;
    private final Share memory;
    private final RequestAudit audit;
    private final BooleanSupplier pretty;
    private final Set<String> warnings = new LinkedHashSet<>();
    private boolean namesHistory;
    private volatile int knownStatus = 200;
    private volatile String failure = "";

    /**
     * @param memory is charged for what is buffered
     * @param pretty whether to indent the JSON of a Status
     */
    Response(
            Context context,
            ClientConnection connection,
            ExchangeResources resources,
            Share memory,
            RequestAudit audit,
            BooleanSupplier pretty) {
        this.context = context;
        this.connection = connection;
        this.resources = resources;
        this.memory = memory;
        this.audit = audit;
        this.pretty = pretty;
    }

    /** The status as far as it is known. For any thread, also after Jetty has released it. */
    int knownStatus() {
        return knownStatus;
    }

    /** The response has ended or begun with this status. */
    void knownStatus(int status) {
        knownStatus = status;
    }

    /** Why the request was refused; empty if it was not. */
    String failure() {
        return failure;
    }

    /** A header of the request; empty when absent. */
    private String requested(String name) {
        return Optional.ofNullable(context.req().getHeader(name)).orElse("");
    }

    /**
     * Sets the header with the time that the state is of.
     *
     * @param millis since 1970
     */
    public void asOf(long millis) {
        Instant at = Instant.ofEpochMilli(millis).truncatedTo(ChronoUnit.MILLIS);
        setHeader(StateHeaders.AS_OF, at.toString());
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
        servlet().setHeader(name, value);
    }

    /** Replaces headers of the response, which must not be committed. */
    public void setHeaders(Map<String, String> headers) {
        headers.forEach(this::setHeader);
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

    /** Responds like the API server to a path that it does not know. */
    public void answerNotFound() throws IOException {
        answerText(404, "404 page not found\n");
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
                servlet(),
                connection.isHttp1(),
                expected,
                Compression.ofBody(requested("Accept-Encoding")),
                resources.compression().shared(),
                memory,
                out -> resources.minimumRate().paced(out, connection::abort));
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
            ResponseBody.setCoding(servlet(), coding.coding());
        }
        if (connection.isHttp1()) {
            ResponseBody.inChunks(servlet());
        }
        OutputStream out = servlet().getOutputStream();
        out.write(coding.start());
        servlet().flushBuffer();
        return out;
    }

    /** Discards the uncommitted response, for another one. */
    public void discard() {
        try {
            servlet().reset();
        } catch (HttpException.RuntimeException _) {
            // reset() parses the request's Connection header, which is invalid.
            servlet().resetBuffer();
        }
    }

    /**
     * Responds with a Status; keeps the headers for the time and revision. A long Status needs
     * memory before it begins; without it, a short one is sent, which needs none.
     */
    public void refuse(StatusException refused) throws IOException {
        FailureStatus refusal = refused.status();
        failure = refusal.message();
        try {
            refuse(refusal);
        } catch (StatusException _) {
            refuse(refusal.shortened());
        }
    }

    private void refuse(FailureStatus refusal) throws IOException {
        Map<String, String> known = new HashMap<>();
        for (String name : StateHeaders.ALL) {
            Optional.ofNullable(servlet().getHeader(name)).ifPresent(v -> known.put(name, v));
        }
        discard();
        setHeaders(known);
        if (refusal.retryAfterSeconds() > 0) {
            servlet().setHeader("Retry-After", Integer.toString(refusal.retryAfterSeconds()));
        }
        DocumentFormat form = DocumentFormat.ofStatus(requested("Accept"), pretty.getAsBoolean());
        answer(refusal.code(), form.contentType(), form.write(refusal));
    }

    /** Whether the response has begun, so that no other one can be sent. */
    public boolean isCommitted() {
        return servlet().isCommitted();
    }

    /** The response's status; 200 until one is set. */
    public int status() {
        return servlet().getStatus();
    }

    private void prepare(int answered, String contentType) {
        knownStatus = answered;
        HttpServletResponse response = servlet();
        response.setStatus(answered);
        if (audit.isOn()) {
            response.setHeader("Audit-Id", audit.id());
        }
        if (resources.last().getAsBoolean()) {
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

    private HttpServletResponse servlet() {
        return context.res();
    }
}
