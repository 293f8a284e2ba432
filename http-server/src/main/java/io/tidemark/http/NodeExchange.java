package io.tidemark.http;

import io.javalin.http.Context;
import io.tidemark.nodeauth.NodeAuthProtocol;
import io.tidemark.nodeauth.ServerSessions;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** A verified request of a node of the group, and its one answer, which carries a proof too. */
public final class NodeExchange {
    static final String BYTES = "application/octet-stream";

    private final Context context;
    private final byte[] body;
    private final ServerSessions.AuthenticatedRequest request;

    NodeExchange(Context context, byte[] body, ServerSessions.AuthenticatedRequest request) {
        this.context = context;
        this.body = body;
        this.request = request;
    }

    public byte[] body() {
        return body;
    }

    /** A parameter of the query, decoded; null when it is missing. */
    public @Nullable String query(String name) {
        return context.queryParam(name);
    }

    /** A part of the path, by its name in the route. */
    public String path(String name) {
        return context.pathParam(name);
    }

    /** Whether the secret that the other node signs with is still in force. */
    public boolean isStillValid() {
        return request.isStillValid();
    }

    public void answer(int status, String text) throws IOException {
        answer(status, text.getBytes(StandardCharsets.UTF_8));
    }

    public void answer(int status, byte[] bytes) throws IOException {
        try (OutputStream out = begin(status)) {
            out.write(bytes);
        }
    }

    /**
     * Begins a streamed answer: a flush sends what was written. Without a close it counts as cut
     * off.
     */
    public OutputStream begin(int status) throws IOException {
        context.status(status)
                .contentType(BYTES)
                .header(NodeAuthProtocol.HEADER, NodeAuthProtocol.CHUNKS);
        return request.sign(context.res().getOutputStream(), status);
    }
}
