package io.tidemark.query.http;

import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * The body of a response. Its first part is held back: as long as it is all there is, the answer
 * can still become another one, and its length is known. What is longer goes out in large pieces,
 * compressed if the client wants that. Closing it without {@link #finish} sends nothing more.
 */
final class ResponseBody extends OutputStream {
    /** From this size on compression pays, and the API server compresses. */
    static final int HELD_BACK = 128 << 10;

    private static final int PIECE = 64 << 10;

    private final HttpServletResponse response;
    private final boolean gzip;
    private final Held held = new Held();
    private @Nullable OutputStream out;
    private long written;

    ResponseBody(HttpServletResponse response, boolean gzip) {
        this.response = response;
        this.gzip = gzip;
    }

    @Override
    public void write(int single) throws IOException {
        write(new byte[] {(byte) single}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        written += length;
        if (held.size() + length > (out == null ? HELD_BACK : PIECE)) {
            begin();
            sendHeld();
            if (length >= PIECE) {
                begin().write(bytes, from, length);
                return;
            }
        }
        held.write(bytes, from, length);
    }

    /** The answer is complete. */
    void finish() throws IOException {
        OutputStream begun = out;
        if (begun == null) {
            response.setContentLength(held.size());
            held.writeTo(response.getOutputStream());
            held.reset();
        } else {
            sendHeld();
            if (begun instanceof GZIPOutputStream compressed) {
                compressed.finish();
            }
        }
        response.getOutputStream().close();
    }

    /** Bytes before compression. */
    long written() {
        return written;
    }

    private OutputStream begin() throws IOException {
        OutputStream begun = out;
        if (begun == null) {
            begun = response.getOutputStream();
            inChunks(response);
            if (gzip) {
                response.setHeader("Content-Encoding", "gzip");
                response.addHeader("Vary", "Accept-Encoding");
                begun = new FastGzip(begun);
            }
            out = begun;
        }
        return begun;
    }

    /**
     * Has a body of unknown length sent in chunks, also on a connection that is to be closed behind
     * it: ended by nothing but that, one that was broken off would pass for a whole one. HTTP/1.0
     * knows no chunks, and does without.
     */
    static void inChunks(HttpServletResponse response) {
        response.setHeader("Transfer-Encoding", "chunked");
    }

    private void sendHeld() throws IOException {
        held.writeTo(begin());
        held.reset();
    }

    /** Lends its array out instead of copying it. */
    private static final class Held extends ByteArrayOutputStream {
        Held() {
            super(4096);
        }

        @Override
        public synchronized void writeTo(OutputStream out) throws IOException {
            out.write(buf, 0, count);
        }
    }

    /** Level 1: eight times as fast as the usual level, and not much longer. */
    private static final class FastGzip extends GZIPOutputStream {
        FastGzip(OutputStream out) throws IOException {
            super(out, PIECE);
            def.setLevel(Deflater.BEST_SPEED);
        }
    }
}
