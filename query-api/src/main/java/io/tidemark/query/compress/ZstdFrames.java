package io.tidemark.query.compress;

import com.github.luben.zstd.ZstdCompressCtx;
import io.tidemark.serving.watch.event.CodedLine;
import io.tidemark.serving.watch.event.LineCoding;
import java.util.concurrent.atomic.LongAdder;

/**
 * Compresses lines to frames of zstd. Frames one after the other are a zstd stream (RFC 8878,
 * section 3), and a reader has the whole line as soon as it has its frame.
 */
final class ZstdFrames implements LineCoding<CodedLine.Plain>, AutoCloseable {
    private final Pool<ZstdCompressCtx> contexts =
            new Pool<>(
                    () -> new ZstdCompressCtx().setLevel(ZstdLibrary.LEVEL),
                    ZstdCompressCtx::close);
    private final LongAdder made = new LongAdder();

    @Override
    public CodedLine.Plain encode(byte[] line) {
        made.increment();
        return new CodedLine.Plain(contexts.use(context -> context.compress(line)));
    }

    @Override
    public Class<CodedLine.Plain> type() {
        return CodedLine.Plain.class;
    }

    /** How many frames it has made. */
    long made() {
        return made.sum();
    }

    @Override
    public void close() {
        contexts.close();
    }
}
