package io.tidemark.chaos.client;

import java.util.Arrays;

/** A growing, reusable byte buffer. */
final class LineBuffer {
    private byte[] bytes = new byte[2_048];
    private int length;

    void add(byte next) {
        if (length == bytes.length) {
            bytes = Arrays.copyOf(bytes, length * 2);
        }
        bytes[length++] = next;
    }

    void clear() {
        length = 0;
    }

    int length() {
        return length;
    }

    /** Valid through {@link #length}, until the next change. */
    byte[] array() {
        return bytes;
    }

    byte[] copy() {
        return Arrays.copyOf(bytes, length);
    }
}
