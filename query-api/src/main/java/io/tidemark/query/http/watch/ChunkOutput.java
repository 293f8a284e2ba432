package io.tidemark.query.http.watch;

import io.tidemark.query.watch.LiveOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Invocable.InvocationType;
import org.jspecify.annotations.Nullable;

/**
 * Writes the chunks of a streamed HTTP/1.1 response to its connection, past Jetty's response, which
 * costs more than the write itself. Jetty must have sent the headers, and sends the last chunk.
 */
final class ChunkOutput implements LiveOutput {
    private static final ThreadLocal<SharedChunk> SHARED =
            ThreadLocal.withInitial(SharedChunk::new);

    private final EndPoint endPoint;
    private final BooleanSupplier follows;

    /** Whether the kernel has not taken all bytes yet. */
    private volatile boolean writing;

    /**
     * @param follows whether Jetty has sent a chunk of this response
     */
    ChunkOutput(EndPoint endPoint, BooleanSupplier follows) {
        this.endPoint = endPoint;
        this.follows = follows;
    }

    @Override
    public boolean write(List<byte[]> lines, Consumer<@Nullable Throwable> written)
            throws IOException {
        boolean follow = follows.getAsBoolean();
        Optional<ByteBuffer> shared = SHARED.get().of(lines, follow);
        ByteBuffer[] rest;
        if (shared.isPresent()) {
            int start = shared.get().position();
            if (endPoint.flush(shared.get())) {
                return true;
            }
            // The memory of the shared chunk is used again.
            rest = SharedChunk.parts(lines, follow);
            skip(rest, shared.get().position() - start);
        } else {
            rest = SharedChunk.parts(lines, follow);
            if (endPoint.flush(rest)) {
                return true;
            }
        }
        writing = true;
        endPoint.write(
                Callback.from(
                        InvocationType.NON_BLOCKING,
                        () -> done(written, null),
                        cause -> done(written, cause)),
                rest);
        return false;
    }

    private void done(Consumer<@Nullable Throwable> written, @Nullable Throwable cause) {
        writing = false;
        written.accept(cause);
    }

    private static void skip(ByteBuffer[] parts, int bytes) {
        int left = bytes;
        for (ByteBuffer part : parts) {
            int skipped = Math.min(left, part.remaining());
            part.position(part.position() + skipped);
            left -= skipped;
        }
    }

    /**
     * Disconnects a client that has read nothing for the connection's idle timeout. Jetty does not
     * know of these writes.
     *
     * @return whether Jetty must fail the request: never, since a quiet watch is no failure
     */
    boolean onIdle(TimeoutException timeout) {
        if (writing) {
            endPoint.close(timeout);
        }
        return false;
    }
}
