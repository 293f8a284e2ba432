package io.tidemark.query.http;

import io.javalin.http.Context;
import io.tidemark.query.status.StatusException;
import io.tidemark.query.status.StatusException.Refusal;
import io.tidemark.query.status.StatusWriter;
import io.tidemark.query.table.RefusalForm;
import io.tidemark.query.wire.Parameters;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.jspecify.annotations.Nullable;

/** One request and its response. */
final class Exchange {
    /** As of when the state is that an answer shows: etcd had it then, and may have moved on. */
    static final String AS_OF = "X-Tidemark-As-Of";

    private final Context context;
    private final Parameters parameters;

    /**
     * @throws StatusException 400 when its parameters cannot be read
     */
    Exchange(Context context) {
        this(context, Parameters.parse(context.req().getQueryString()));
    }

    private Exchange(Context context, Parameters parameters) {
        this.context = context;
        this.parameters = parameters;
    }

    /** For refusing a request whose parameters cannot be read. */
    static Exchange withoutParameters(Context context) {
        return new Exchange(context, Parameters.parse(null));
    }

    /** Of the request line, still percent-encoded. */
    String rawPath() {
        return context.req().getRequestURI();
    }

    Parameters parameters() {
        return parameters;
    }

    boolean isHead() {
        return context.req().getMethod().equals("HEAD");
    }

    /** A header of the request; empty when absent. */
    String header(String name) {
        String value = context.req().getHeader(name);
        return value == null ? "" : value;
    }

    /** Whether JSON shall be indented: as told, or because a person seems to be looking. */
    boolean pretty(boolean forPeople) {
        String asked = parameters.text("pretty");
        if (parameters.has("pretty")) {
            return asked.equals("1") || asked.equals("true");
        }
        String agent = header("User-Agent");
        return forPeople
                && (agent.startsWith("curl/")
                        || agent.startsWith("Wget/")
                        || agent.startsWith("Mozilla/5.0"));
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

    /** Answers with a whole body. */
    void answer(int status, String contentType, byte[] body) throws IOException {
        try (ResponseBody out = body(status, contentType)) {
            out.write(body);
            out.finish();
        }
    }

    /** Answers with a body that is written piece by piece; its beginning can be taken back. */
    ResponseBody body(int status, String contentType) {
        prepare(status, contentType);
        return new ResponseBody(response(), acceptsGzip());
    }

    /** Begins an endless answer: the client sees its headers at once. */
    OutputStream stream(String contentType) throws IOException {
        prepare(200, contentType);
        context.res().flushBuffer();
        return context.res().getOutputStream();
    }

    /** Answers with a Status. */
    void refuse(StatusException refused) throws IOException {
        Refusal refusal = refused.refusal();
        response().reset();
        if (refusal.retryAfterSeconds() > 0) {
            response().setHeader("Retry-After", Integer.toString(refusal.retryAfterSeconds()));
        }
        RefusalForm form = RefusalForm.of(header("Accept"), pretty(true));
        answer(refusal.code(), form.contentType(), form.write(StatusWriter.write(refusal)));
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
        ServletContextRequest.getServletContextRequest(context.req())
                .getServletChannel()
                .getEndPoint()
                .close(why);
    }

    private void prepare(int status, String contentType) {
        HttpServletResponse response = response();
        response.setStatus(status);
        response.setHeader("Content-Type", contentType);
        if (response.getHeader("Cache-Control") == null) {
            response.setHeader("Cache-Control", "no-cache, private");
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
