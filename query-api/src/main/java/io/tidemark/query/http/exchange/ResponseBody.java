package io.tidemark.query.http.exchange;

import io.tidemark.query.compress.BodyCompressor;
import io.tidemark.query.compress.ContentCoding;
import io.tidemark.query.compress.GzipPiece;
import io.tidemark.query.compress.PieceOutput;
import io.tidemark.query.compress.SharedPieces;
import io.tidemark.query.http.exchange.MinimumRate.Answer;
import io.tidemark.serving.read.ByteBudget.Share;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The body of a response. It buffers the first part: until that is full the response can still be
 * replaced by an error, and a short body gets a Content-Length. Longer bodies are sent in large
 * pieces, compressed if the client accepts it and memory is free. Closing it without {@link
 * #finish} sends nothing more.
 */
public final class ResponseBody extends PieceOutput {
    /** The API server compresses from this size on. */
    static final int HELD_BACK = 128 << 10;

    private static final int PIECE = MinimumRate.PIECE;

    /** A buffer up to this size is not booked: every connection has such buffers. */
    private static final int SMALL = 8 << 10;

    private final HttpServletResponse response;
    private final boolean http1;
    private final ContentCoding coding;
    private final SharedPieces pieces;
    private final Share memory;
    private final Function<OutputStream, Answer> pacing;
    private boolean booked;
    private @Nullable Answer paced;
    private final Held held;
    private @Nullable OutputStream out;
    private long written;

    /**
     * @param http1 whether a body of unknown length needs chunks
     * @param expected length of the body in bytes, so that its buffer does not grow; a guess
     * @param coding that the client accepts
     * @param pieces that bodies share
     * @param memory books the memory of this body
     * @param pacing wraps the response's stream; closed with this
     */
    ResponseBody(
            HttpServletResponse response,
            boolean http1,
            int expected,
            ContentCoding coding,
            SharedPieces pieces,
            Share memory,
            Function<OutputStream, Answer> pacing) {
        this.response = response;
        this.http1 = http1;
        this.held = new Held(expected <= HELD_BACK ? expected : SMALL);
        this.coding = coding;
        this.pieces = pieces;
        this.memory = memory;
        this.pacing = pacing;
    }

    @Override
    public void write(int single) throws IOException {
        write(new byte[] {(byte) single}, 0, 1);
    }

    /** In another coding, pieces would have to be unpacked. */
    @Override
    public Optional<SharedPieces> shared() {
        return coding == ContentCoding.GZIP ? Optional.of(pieces) : Optional.empty();
    }

    @Override
    public void write(GzipPiece piece) throws IOException {
        if (isHeldBack(piece.length()) || !(begin() instanceof BodyCompressor compressor)) {
            write(piece.plain());
            return;
        }
        written += piece.length();
        sendHeld();
        compressor.write(piece);
    }

    @Override
    public boolean isHeldBack(long more) {
        return out == null && held.size() + more <= HELD_BACK;
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

    /** Completes the response. */
    public void finish() throws IOException {
        OutputStream begun = out;
        if (begun == null) {
            response.setContentLength(held.size());
            held.writeTo(paced());
            held.reset();
        } else {
            sendHeld();
            if (begun instanceof BodyCompressor compressed) {
                compressed.finish();
            }
        }
        paced().finish();
    }

    @Override
    public void close() {
        if (out instanceof BodyCompressor compressed) {
            compressed.close();
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
    public long written() {
        return written;
    }

    private OutputStream begin() throws IOException {
        OutputStream begun = out;
        if (begun == null) {
            begun = paced();
            if (http1) {
                inChunks(response);
            }
            if (coding != ContentCoding.IDENTITY
                    && memory.tryTake(BodyCompressor.memory(coding), false)) {
                setCoding(response, coding);
                begun = BodyCompressor.of(coding, begun);
            }
            out = begun;
        }
        return begun;
    }

    /**
     * Uses chunked encoding for a body of unknown length, even if the connection closes after it:
     * otherwise an aborted body would look complete. Ignored for HTTP/1.0, which has no chunks.
     */
    static void inChunks(HttpServletResponse response) {
        response.setHeader("Transfer-Encoding", "chunked");
    }

    /** States how the body is compressed, which depends on the request's headers. */
    static void setCoding(HttpServletResponse response, ContentCoding coding) {
        response.setHeader("Content-Encoding", coding.token());
        response.addHeader("Vary", "Accept-Encoding");
    }

    private void sendHeld() throws IOException {
        held.writeTo(begin());
        held.reset();
    }

    /** Writes its array without copying it. */
    private static final class Held extends ByteArrayOutputStream {
        Held(int capacity) {
            super(capacity);
        }

        @Override
        public synchronized void writeTo(OutputStream out) throws IOException {
            out.write(buf, 0, count);
        }
    }
}
