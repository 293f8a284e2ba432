package io.tidemark.query.http;

import io.tidemark.query.http.MinimumRate.Answer;
import io.tidemark.serving.read.ByteBudget.Share;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.function.Function;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * The body of a response. Its first part is held back: as long as it is all there is, the answer
 * can still become another one, and its length is known. What is longer goes out in large pieces,
 * compressed if the client wants that and there is memory for it. Closing it without {@link
 * #finish} sends nothing more.
 */
final class ResponseBody extends OutputStream {
    /** From this size on compression pays, and the API server compresses. */
    static final int HELD_BACK = 128 << 10;

    private static final int PIECE = 64 << 10;

    /** What is held back is not booked while it is so small: every connection has such buffers. */
    private static final int SMALL = 8 << 10;

    /** What zlib takes for one stream, about. */
    private static final int GZIP_BYTES = 320 << 10;

    private final HttpServletResponse response;
    private final boolean gzip;
    private final Share memory;
    private final Function<OutputStream, Answer> pacing;
    private boolean booked;
    private @Nullable Answer paced;
    private final Held held = new Held();
    private @Nullable OutputStream out;
    private long written;

    /**
     * @param memory where it books what it holds
     * @param pacing what the response is written through; closed with this
     */
    ResponseBody(
            HttpServletResponse response,
            boolean gzip,
            Share memory,
            Function<OutputStream, Answer> pacing) {
        this.response = response;
        this.gzip = gzip;
        this.memory = memory;
        this.pacing = pacing;
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
        if (!booked && held.size() + length > SMALL && out == null) {
            memory.take(HELD_BACK);
            booked = true;
        }
        held.write(bytes, from, length);
    }

    /** The answer is complete. */
    void finish() throws IOException {
        OutputStream begun = out;
        if (begun == null) {
            response.setContentLength(held.size());
            held.writeTo(paced());
            held.reset();
        } else {
            sendHeld();
            if (begun instanceof GZIPOutputStream compressed) {
                compressed.finish();
            }
        }
        paced().finish();
    }

    @Override
    public void close() {
        if (out instanceof FastGzip compressed) {
            compressed.free();
        }
        if (paced != null) {
            paced.close();
        }
    }

    private Answer paced() throws IOException {
        Answer made = paced;
        if (made == null) {
            made = pacing.apply(response.getOutputStream());
            paced = made;
        }
        return made;
    }

    /** Bytes before compression. */
    long written() {
        return written;
    }

    private OutputStream begin() throws IOException {
        OutputStream begun = out;
        if (begun == null) {
            begun = paced();
            inChunks(response);
            if (gzip && memory.tryTake(GZIP_BYTES, false)) {
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

        /** Else its memory, which is not on the heap, stays until it is collected. */
        void free() {
            def.end();
        }
    }
}
