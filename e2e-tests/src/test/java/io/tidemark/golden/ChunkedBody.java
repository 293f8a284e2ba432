package io.tidemark.golden;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/** The content of an answer's chunks; ends after the last chunk. */
final class ChunkedBody extends InputStream {
    private final InputStream in;
    private int left;
    private boolean begun;
    private boolean ended;

    ChunkedBody(InputStream in) {
        this.in = in;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (left == 0 && !nextChunk()) {
            return -1;
        }
        int count = in.read(buffer, offset, Math.min(length, left));
        if (count < 0) {
            throw new EOFException("the connection ended within a chunk");
        }
        left -= count;
        begun = true;
        return count;
    }

    private boolean nextChunk() throws IOException {
        if (!ended) {
            if (begun) {
                // A chunk's line end may arrive only with the next chunk.
                RawHttp.readLine(in);
            }
            left = Integer.parseInt(RawHttp.readLine(in), 16);
            ended = left == 0;
        }
        return !ended;
    }
}
