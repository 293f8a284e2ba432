package io.tidemark.bench.http;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Finds the events of a watch: one JSON document a line. It looks at eight bytes at a time for the
 * line's end, and keeps the first bytes of each event only, where type and resourceVersion are.
 */
public final class EventScanner implements BodySink {
    /** Upstream's field order puts resourceVersion before labels and annotations. */
    private static final int HEAD_BYTES = 2 << 10;

    private static final byte[] RESOURCE_VERSION =
            "\"resourceVersion\":\"".getBytes(StandardCharsets.US_ASCII);

    /** Of {@code {"type":"ADDED"}: the first letter of the type. */
    private static final int TYPE_AT = 9;

    private static final long ONES = 0x0101010101010101L;
    private static final long HIGH_BITS = 0x8080808080808080L;
    private static final long NEWLINES = '\n' * ONES;

    private final Listener listener;
    private final byte[] head = new byte[HEAD_BYTES];
    private int headLength;

    /** Receives events. */
    public interface Listener {
        /**
         * An event that changes an object.
         *
         * @param revision the object's; 0 when it is not among the event's first 2 KiB
         */
        void onEvent(long revision);

        void onBookmark();

        /**
         * @param text the ERROR event's first 2 KiB
         */
        void onError(String text);
    }

    public EventScanner(Listener listener) {
        this.listener = listener;
    }

    @Override
    public void accept(ByteBuffer part) {
        while (part.hasRemaining()) {
            int newline = newline(part);
            int end = newline < 0 ? part.limit() : newline;
            int kept = Math.min(HEAD_BYTES - headLength, end - part.position());
            part.get(head, headLength, kept);
            headLength += kept;
            if (newline < 0) {
                part.position(end);
            } else {
                part.position(end + 1);
                report();
                headLength = 0;
            }
        }
    }

    private void report() {
        if (headLength <= TYPE_AT) {
            return;
        }
        switch (head[TYPE_AT]) {
            case 'B' -> listener.onBookmark();
            case 'E' -> listener.onError(new String(head, 0, headLength, StandardCharsets.UTF_8));
            default -> listener.onEvent(revision());
        }
    }

    /** Position of the next line's end; -1 for none. */
    static int newline(ByteBuffer part) {
        int at = part.position();
        int limit = part.limit();
        for (; at + Long.BYTES <= limit; at += Long.BYTES) {
            long different = part.getLong(at) ^ NEWLINES;
            // The lowest set bit marks the first byte that is zero, here a newline.
            long zero = (different - ONES) & ~different & HIGH_BITS;
            if (zero != 0) {
                return at + Long.numberOfTrailingZeros(zero) / Byte.SIZE;
            }
        }
        for (; at < limit; at++) {
            if (part.get(at) == '\n') {
                return at;
            }
        }
        return -1;
    }

    private long revision() {
        int last = headLength - RESOURCE_VERSION.length;
        for (int at = 0; at < last; at++) {
            if (head[at] == '"' && head[at + 1] == 'r' && matches(at)) {
                long revision = 0;
                for (int digit = at + RESOURCE_VERSION.length; digit < headLength; digit++) {
                    int value = head[digit] - '0';
                    if (value < 0 || value > 9) {
                        return revision;
                    }
                    revision = revision * 10 + value;
                }
                return 0;
            }
        }
        return 0;
    }

    private boolean matches(int at) {
        for (int i = 0; i < RESOURCE_VERSION.length; i++) {
            if (head[at + i] != RESOURCE_VERSION[i]) {
                return false;
            }
        }
        return true;
    }
}
