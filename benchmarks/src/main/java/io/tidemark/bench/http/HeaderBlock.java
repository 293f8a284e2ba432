package io.tidemark.bench.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * The little of HPACK (RFC 7541) that a load tool needs: it writes headers as literals, and reads
 * the status, which is the first field of a response. It keeps no table, which the session tells
 * the server.
 */
final class HeaderBlock {
    private static final int METHOD_GET = 0x82;
    private static final int SCHEME_HTTPS = 0x87;

    /** A literal with a literal name; no proxy may put it into a table. */
    private static final int NEVER_INDEXED = 0x10;

    private static final int INDEXED = 0x80;
    private static final int TABLE_SIZE = 0x20;
    private static final int TABLE_SIZE_MASK = 0xe0;

    /** The static table's first entry for {@code :status}. */
    private static final int STATUS_INDEX = 8;

    private static final int[] STATUS = {200, 204, 206, 304, 400, 404, 500};
    private static final int HUFFMAN = 0x80;

    private HeaderBlock() {}

    static byte[] encode(Request request, Target target) {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        block.write(METHOD_GET);
        block.write(SCHEME_HTTPS);
        literal(block, ":authority", target.base().getAuthority());
        literal(block, ":path", request.path());
        for (Map.Entry<String, String> header : request.headers(target).entrySet()) {
            literal(block, header.getKey(), header.getValue());
        }
        return block.toByteArray();
    }

    private static void literal(ByteArrayOutputStream block, String name, String value) {
        block.write(NEVER_INDEXED);
        string(block, name);
        string(block, value);
    }

    private static void string(ByteArrayOutputStream block, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        int rest = bytes.length - 0x7f;
        if (rest < 0) {
            block.write(bytes.length);
        } else {
            block.write(0x7f);
            for (; rest >= 0x80; rest >>>= 7) {
                block.write(rest & 0x7f | 0x80);
            }
            block.write(rest);
        }
        block.writeBytes(bytes);
    }

    /**
     * Reads the status of a response.
     *
     * @param block at its start
     * @throws IOException when the first field is not a status
     */
    static int status(ByteBuffer block) throws IOException {
        int first = next(block);
        while ((first & TABLE_SIZE_MASK) == TABLE_SIZE) {
            if ((first & ~TABLE_SIZE_MASK & 0xff) == 0x1f) {
                while ((next(block) & 0x80) != 0) {
                    // A size of several bytes: there is no table whose size could matter.
                }
            }
            first = next(block);
        }
        if ((first & INDEXED) != 0) {
            int entry = (first & ~INDEXED) - STATUS_INDEX;
            if (entry >= 0 && entry < STATUS.length) {
                return STATUS[entry];
            }
            throw notAStatus();
        }
        int name = (first & 0x40) != 0 ? first & 0x3f : first & 0x0f;
        if (name < STATUS_INDEX || name >= STATUS_INDEX + STATUS.length) {
            throw notAStatus();
        }
        int length = next(block);
        return (length & HUFFMAN) != 0
                ? huffmanDigits(block, length & ~HUFFMAN)
                : digits(block, length);
    }

    private static int digits(ByteBuffer block, int length) throws IOException {
        int value = 0;
        for (int i = 0; i < length; i++) {
            int digit = next(block) - '0';
            if (digit < 0 || digit > 9 || i == 3) {
                throw notAStatus();
            }
            value = value * 10 + digit;
        }
        return value;
    }

    /** Codes of digits (RFC 7541, appendix B): 0 to 2 have five bits, 3 to 9 have six. */
    private static int huffmanDigits(ByteBuffer block, int length) throws IOException {
        if (length < 2 || length > 3) {
            throw notAStatus();
        }
        int bits = 0;
        for (int i = 0; i < length; i++) {
            bits = bits << 8 | next(block);
        }
        int left = 8 * length;
        int value = 0;
        for (int i = 0; i < 3; i++) {
            int five = left < 5 ? -1 : bits >>> left - 5 & 0x1f;
            if (five >= 0 && five <= 2) {
                value = value * 10 + five;
                left -= 5;
            } else {
                int six = left < 6 ? -1 : bits >>> left - 6 & 0x3f;
                if (six < 0b011001 || six > 0b011111) {
                    throw notAStatus();
                }
                value = value * 10 + six - 0b011001 + 3;
                left -= 6;
            }
        }
        return value;
    }

    private static int next(ByteBuffer block) throws IOException {
        if (!block.hasRemaining()) {
            throw notAStatus();
        }
        return block.get() & 0xff;
    }

    private static ProtocolException notAStatus() {
        return new ProtocolException("a response does not begin with its status");
    }
}
