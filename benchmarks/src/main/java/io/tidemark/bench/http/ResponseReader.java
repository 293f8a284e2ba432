package io.tidemark.bench.http;

import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Reads HTTP/1.1 responses (RFC 9112): bodies with a length, in chunks, or up to the end of the
 * connection. It copies nothing of a body.
 */
public final class ResponseReader {
    private static final int MAX_LINE = 16 << 10;
    private static final long UNTIL_CLOSE = -1;
    private static final long CHUNKED = -2;

    private final Source source;

    /** Between position and limit: read and not yet used. */
    private final ByteBuffer buffer;

    private long length;

    /** Where bytes come from. */
    @FunctionalInterface
    interface Source {
        /** Adds at least one byte; returns -1 at the end. */
        int read(ByteBuffer into) throws IOException;
    }

    /**
     * @param buffer little-endian, as what sinks receive
     */
    ResponseReader(Source source, ByteBuffer buffer) {
        this.source = source;
        this.buffer = buffer.flip();
    }

    /** The start of a response. */
    public record Head(int status) {
        public boolean isOk() {
            return status == 200;
        }
    }

    Head readHead() throws IOException {
        String first = line();
        if (!first.startsWith("HTTP/1.1 ") || first.length() < 12) {
            throw new ProtocolException("not an HTTP/1.1 response: " + first);
        }
        int status = Integer.parseInt(first.substring(9, 12));
        length = status == 204 || status == 304 ? 0 : UNTIL_CLOSE;
        for (String header = line(); !header.isEmpty(); header = line()) {
            int colon = header.indexOf(':');
            String name = header.substring(0, Math.max(0, colon)).toLowerCase(Locale.ROOT);
            String value = header.substring(colon + 1).strip();
            if (name.equals("content-length")) {
                length = Long.parseLong(value);
            } else if (name.equals("transfer-encoding") && value.equalsIgnoreCase("chunked")) {
                length = CHUNKED;
            }
        }
        return new Head(status);
    }

    /** Returns the body's bytes, without framing. */
    long readBody(BodySink sink) throws IOException {
        if (length == CHUNKED) {
            return readChunks(sink);
        }
        return length == UNTIL_CLOSE ? readToEnd(sink) : readExactly(length, sink);
    }

    private long readChunks(BodySink sink) throws IOException {
        long total = 0;
        while (true) {
            String size = line();
            int extension = size.indexOf(';');
            long chunk =
                    Long.parseLong(
                            (extension < 0 ? size : size.substring(0, extension)).strip(), 16);
            if (chunk == 0) {
                while (!line().isEmpty()) {
                    // A trailer.
                }
                return total;
            }
            total += readExactly(chunk, sink);
            if (!line().isEmpty()) {
                throw new ProtocolException("a chunk is longer than its size");
            }
        }
    }

    private long readExactly(long bytes, BodySink sink) throws IOException {
        for (long left = bytes; left > 0; ) {
            if (!buffer.hasRemaining()) {
                require(fill());
            }
            left -= give((int) Math.min(left, buffer.remaining()), sink);
        }
        return bytes;
    }

    private long readToEnd(BodySink sink) throws IOException {
        long total = 0;
        while (buffer.hasRemaining() || fill()) {
            total += give(buffer.remaining(), sink);
        }
        return total;
    }

    private int give(int bytes, BodySink sink) {
        int limit = buffer.limit();
        int end = buffer.position() + bytes;
        buffer.limit(end);
        sink.accept(buffer);
        buffer.limit(limit).position(end);
        return bytes;
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        while (true) {
            if (!buffer.hasRemaining()) {
                require(fill());
            }
            byte next = buffer.get();
            if (next == '\n') {
                int end = line.length();
                return end > 0 && line.charAt(end - 1) == '\r'
                        ? line.substring(0, end - 1)
                        : line.toString();
            }
            if (line.length() == MAX_LINE) {
                throw new ProtocolException("a line of more than " + MAX_LINE + " bytes");
            }
            line.append((char) (next & 0xff));
        }
    }

    private static void require(boolean more) throws EOFException {
        if (!more) {
            throw new EOFException("the server closed the connection within a response");
        }
    }

    private boolean fill() throws IOException {
        buffer.clear();
        int read = source.read(buffer);
        buffer.flip();
        return read > 0;
    }

    /** Keeps the first bytes of a body, for small documents and messages of errors. */
    public static final class Prefix implements BodySink {
        private final ByteBuffer kept;

        public Prefix(int maxBytes) {
            kept = ByteBuffer.allocate(maxBytes);
        }

        @Override
        public void accept(ByteBuffer part) {
            int bytes = Math.min(kept.remaining(), part.remaining());
            kept.put(part.slice(part.position(), bytes));
        }

        public String text() {
            return new String(kept.array(), 0, kept.position(), StandardCharsets.UTF_8);
        }
    }
}
