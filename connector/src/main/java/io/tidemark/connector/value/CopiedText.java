package io.tidemark.connector.value;

import io.tidemark.record.Bytes;
import java.util.Arrays;

/** Copies a text while dropping and inserting parts; contiguous ranges are copied at once. */
final class CopiedText {
    /** Usual maximum of inserted bytes. */
    private static final int ROOM = 48;

    private final byte[] in;
    private byte[] out;
    private int length;
    private int doneThrough;

    CopiedText(byte[] in) {
        this.in = in;
        this.out = new byte[in.length + ROOM];
    }

    /** Copies the rest before {@code end} that is neither copied nor dropped. */
    void copyThrough(int end) {
        int count = end - doneThrough;
        if (count > 0) {
            reserve(count);
            System.arraycopy(in, doneThrough, out, length, count);
            length += count;
            doneThrough = end;
        }
    }

    /** Drops the rest before {@code end}. */
    void leaveOutThrough(int end) {
        doneThrough = end;
    }

    void append(String ascii) {
        reserve(ascii.length());
        for (int i = 0; i < ascii.length(); i++) {
            out[length++] = (byte) ascii.charAt(i);
        }
    }

    private void reserve(int count) {
        if (out.length - length < count) {
            out = Arrays.copyOf(out, Math.max(out.length * 2, length + count));
        }
    }

    Bytes written() {
        return Bytes.wrap(Arrays.copyOf(out, length));
    }
}
