package io.tidemark.simulation.client;

import com.github.luben.zstd.ZstdInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Reads a stream of zstd, and fails when a piece does not hold whole frames. */
final class ZstdReader extends PieceReader {
    ZstdReader(ClientForm form) {
        super(form);
    }

    @Override
    byte[] decode(byte[] piece) {
        try (ZstdInputStream in = new ZstdInputStream(new ByteArrayInputStream(piece))) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    void end(byte[] end) {
        if (end.length > 0) {
            throw new IllegalStateException("a stream of frames needs no end");
        }
    }

    @Override
    void close() {}
}
