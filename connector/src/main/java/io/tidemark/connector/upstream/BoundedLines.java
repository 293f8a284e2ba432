package io.tidemark.connector.upstream;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** The lines of a stream, each of a bounded length. For one thread. */
final class BoundedLines {
    /** A value of etcd has at most 1.5 MiB by default; as JSON each byte becomes at most six. */
    static final int MAX_LINE = 32 << 20;

    private static final int BUFFER = 64 << 10;

    private final InputStream in;
    private final byte[] buffer = new byte[BUFFER];
    private int position;
    private int end;

    BoundedLines(InputStream in) {
        this.in = in;
    }

    /**
     * The next line, without its end; empty at the end of the stream. What follows the last end of
     * a line is an incomplete line, and no line.
     *
     * @throws IOException when the stream breaks, or the line is above {@link #MAX_LINE} bytes
     */
    Optional<byte[]> next() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        while (true) {
            for (int i = position; i < end; i++) {
                if (buffer[i] == '\n') {
                    line.write(buffer, position, i - position);
                    position = i + 1;
                    return Optional.of(line.toByteArray());
                }
            }
            line.write(buffer, position, end - position);
            if (line.size() > MAX_LINE) {
                throw new IOException("a line of more than %d bytes".formatted(MAX_LINE));
            }
            position = 0;
            end = Math.max(0, in.read(buffer));
            if (end == 0) {
                return Optional.empty();
            }
        }
    }
}
