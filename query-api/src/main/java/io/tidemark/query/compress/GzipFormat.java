package io.tidemark.query.compress;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** What surrounds the compressed bytes of a gzip stream of one member (RFC 1952). */
final class GzipFormat {
    /** No name, no time, the fastest compression, no known operating system. */
    private static final byte[] HEADER = {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 4, (byte) 0xff};

    private GzipFormat() {}

    static byte[] header() {
        return HEADER.clone();
    }

    /** What follows the last block. */
    static byte[] trailer(ContentSum content) {
        return ByteBuffer.allocate(2 * Integer.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(content.crc())
                .putInt((int) content.length())
                .array();
    }
}
