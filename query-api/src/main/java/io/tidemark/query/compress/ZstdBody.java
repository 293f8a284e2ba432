package io.tidemark.query.compress;

import com.github.luben.zstd.EndDirective;
import com.github.luben.zstd.ZstdCompressCtx;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/** A body as one frame of zstd. */
final class ZstdBody extends BodyCompressor {
    /** Approximate memory of a stream of this level: window, tables and buffers. */
    static final long MEMORY = 1 << 20;

    /** Size of the buffers between the heap and the library. */
    private static final int PIECE = 64 << 10;

    private final OutputStream out;
    private final ZstdCompressCtx context = new ZstdCompressCtx().setLevel(ZstdLibrary.LEVEL);
    private final ByteBuffer source = ByteBuffer.allocateDirect(PIECE);
    private final ByteBuffer target = ByteBuffer.allocateDirect(PIECE);
    private final byte[] passed = new byte[PIECE];

    ZstdBody(OutputStream out) {
        this.out = out;
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        for (int at = from; at < from + length; at += PIECE) {
            source.clear();
            source.put(bytes, at, Math.min(PIECE, from + length - at));
            source.flip();
            while (source.hasRemaining()) {
                context.compressDirectByteBufferStream(target, source, EndDirective.CONTINUE);
                if (!target.hasRemaining()) {
                    pass();
                }
            }
        }
    }

    @Override
    public void finish() throws IOException {
        source.clear().flip();
        while (!context.compressDirectByteBufferStream(target, source, EndDirective.END)) {
            pass();
        }
        pass();
    }

    private void pass() throws IOException {
        target.flip();
        int length = target.remaining();
        target.get(passed, 0, length);
        target.clear();
        out.write(passed, 0, length);
    }

    @Override
    public void close() {
        context.close();
    }
}
