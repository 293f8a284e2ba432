package io.tidemark.query.http.watch;

import io.tidemark.query.http.exchange.Exchange;
import io.tidemark.query.watch.LiveOutput;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Consumer;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.internal.HttpConnection;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Invocable.InvocationType;
import org.jspecify.annotations.Nullable;

/** Writes to a streamed response of any protocol, through Jetty. */
record StreamOutput(Response response) implements LiveOutput {
    /**
     * The output of a response whose headers have been sent.
     *
     * @return the fastest one for its protocol
     */
    static LiveOutput of(Exchange exchange) {
        ServletContextRequest request = exchange.jettyRequest();
        Response response = request.getServletContextResponse().getWrapped();
        if (request.getConnectionMetaData() instanceof HttpConnection connection
                && connection.getGenerator().isChunking()
                && !exchange.isHead()) {
            ChunkOutput chunks =
                    new ChunkOutput(
                            connection.getEndPoint(),
                            () -> Response.getContentBytesWritten(response) > 0);
            request.addIdleTimeoutListener(chunks::onIdle);
            return chunks;
        }
        return new StreamOutput(response);
    }

    @Override
    public boolean write(List<byte[]> lines, Consumer<@Nullable Throwable> written) {
        response.write(
                false,
                joined(lines),
                Callback.from(
                        InvocationType.NON_BLOCKING, () -> written.accept(null), written::accept));
        return false;
    }

    /** One buffer, since each write is a frame and a turn of Jetty's own queue. */
    private static ByteBuffer joined(List<byte[]> lines) {
        if (lines.size() == 1) {
            return ByteBuffer.wrap(lines.getFirst());
        }
        ByteBuffer all = ByteBuffer.allocate(lines.stream().mapToInt(line -> line.length).sum());
        lines.forEach(all::put);
        return all.flip();
    }
}
