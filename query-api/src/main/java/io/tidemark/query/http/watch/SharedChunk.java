package io.tidemark.query.http.watch;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * The last chunk of a writer thread, in memory that the kernel reads directly. A writer mostly
 * sends the same lines to one watch after the other: it then copies and frames them once. For one
 * thread.
 *
 * <p>Jetty ends a chunk when it begins the next one. So a chunk between two of Jetty's begins with
 * the end of the one before and leaves its own end to Jetty; one before all of Jetty's is complete.
 */
final class SharedChunk {
    /** Larger chunks are not shared. */
    private static final int BYTES = 64 << 10;

    private static final int FRAME_BYTES = 24;
    private static final byte[] LINE_END = {'\r', '\n'};

    private final ByteBuffer memory = ByteBuffer.allocateDirect(BYTES);
    private List<byte[]> lines = List.of();
    private int end;

    /**
     * A chunk of HTTP/1.1 with these lines.
     *
     * @param follows whether it follows a chunk of Jetty's
     * @return valid until the next call; empty when it is too large
     */
    Optional<ByteBuffer> of(List<byte[]> wanted, boolean follows) {
        if (!isSame(wanted)) {
            if (length(wanted) > BYTES - FRAME_BYTES) {
                return Optional.empty();
            }
            lines = wanted;
            memory.clear();
            memory.put(LINE_END);
            for (ByteBuffer part : parts(wanted, false)) {
                memory.put(part);
            }
            end = memory.position();
        }
        int omitted = LINE_END.length;
        return Optional.of(
                follows
                        ? memory.limit(end - omitted).position(0)
                        : memory.limit(end).position(omitted));
    }

    private boolean isSame(List<byte[]> wanted) {
        if (wanted.size() != lines.size()) {
            return false;
        }
        for (int i = 0; i < lines.size(); i++) {
            if (wanted.get(i) != lines.get(i)) {
                return false;
            }
        }
        return true;
    }

    /** The same chunk in parts, which are not copied. */
    static ByteBuffer[] parts(List<byte[]> lines, boolean follows) {
        ByteBuffer[] parts = new ByteBuffer[lines.size() + 2];
        String size = Long.toHexString(length(lines)) + "\r\n";
        String head = follows ? "\r\n" + size : size;
        parts[0] = ByteBuffer.wrap(head.getBytes(StandardCharsets.US_ASCII));
        for (int i = 0; i < lines.size(); i++) {
            parts[i + 1] = ByteBuffer.wrap(lines.get(i));
        }
        parts[lines.size() + 1] = ByteBuffer.wrap(follows ? new byte[0] : LINE_END);
        return parts;
    }

    private static long length(List<byte[]> lines) {
        long length = 0;
        for (byte[] line : lines) {
            length += line.length;
        }
        return length;
    }
}
