package io.tidemark.http.testing;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/**
 * The content of a body: by its length, of its chunks, or all until the end of the connection.
 * Closing it does nothing.
 */
final class ResponseBody extends InputStream {
    private static final long UNKNOWN = Long.MAX_VALUE;

    private final InputStream in;
    private final boolean chunked;

    /** Bytes of the body, or of the current chunk. */
    private long left;

    private boolean begun;
    private boolean ended;

    private ResponseBody(InputStream in, boolean chunked, long left) {
        this.in = in;
        this.chunked = chunked;
        this.left = left;
    }

    static ResponseBody inChunks(InputStream in) {
        return new ResponseBody(in, true, 0);
    }

    static ResponseBody toTheEnd(InputStream in) {
        return new ResponseBody(in, false, UNKNOWN);
    }

    static ResponseBody ofLength(InputStream in, long length) {
        return new ResponseBody(in, false, length);
    }

    @Override
    public int read() throws IOException {
        if (!hasMore()) {
            return -1;
        }
        int next = in.read();
        subtract(next < 0 ? -1 : 1);
        return next;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (!hasMore()) {
            return -1;
        }
        int count = in.read(buffer, offset, (int) Math.min(length, left));
        subtract(count);
        return count;
    }

    private void subtract(int count) throws EOFException {
        if (left == UNKNOWN) {
            ended = count < 0;
        } else if (count < 0) {
            throw new EOFException("%d bytes before the end".formatted(left));
        } else {
            left -= count;
        }
    }

    private boolean hasMore() throws IOException {
        if (!ended && left == 0) {
            ended = !chunked || !nextChunk();
        }
        return !ended;
    }

    private boolean nextChunk() throws IOException {
        if (begun) {
            readEmptyLine(); // It may arrive only with the next chunk.
        }
        begun = true;
        left = RawResponse.number(RawResponse.requiredLine(in), 16);
        if (left == 0) {
            readEmptyLine();
        }
        return left > 0;
    }

    private void readEmptyLine() throws IOException {
        String line = RawResponse.requiredLine(in);
        if (!line.isEmpty()) {
            throw new IOException("no end of a chunk: " + line);
        }
    }
}
