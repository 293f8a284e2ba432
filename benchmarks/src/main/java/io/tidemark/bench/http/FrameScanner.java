package io.tidemark.bench.http;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Finds the events of a watch in Kubernetes' protobuf: four bytes of length and a {@code
 * WatchEvent} each. It skips all but the first bytes of each event, where type and resourceVersion
 * are.
 */
public final class FrameScanner implements BodySink {
    private static final int HEAD_BYTES = 2 << 10;
    private static final int LENGTH_BYTES = Integer.BYTES;

    /** The four bytes before every object. */
    private static final int MAGIC = 4;

    /** The fields that lead from an event to its object's envelope. */
    private static final int[] ENVELOPE = {2, 1};

    /** From there to the resourceVersion: content, metadata, resourceVersion. */
    private static final int[] REVISION = {2, 1, 6};

    private final EventScanner.Listener listener;
    private final byte[] head = new byte[HEAD_BYTES];
    private int headLength;
    private int lengthBytes;
    private int left;

    public FrameScanner(EventScanner.Listener listener) {
        this.listener = listener;
    }

    @Override
    public void accept(ByteBuffer part) {
        while (part.hasRemaining()) {
            if (lengthBytes < LENGTH_BYTES) {
                left = left << Byte.SIZE | part.get() & 0xff;
                lengthBytes++;
                continue;
            }
            int now = Math.min(left, part.remaining());
            int kept = Math.min(HEAD_BYTES - headLength, now);
            part.get(head, headLength, kept);
            part.position(part.position() + now - kept);
            headLength += kept;
            left -= now;
            if (left == 0) {
                report();
                headLength = 0;
                lengthBytes = 0;
            }
        }
    }

    private void report() {
        Range type = new Range(0, headLength).field(1);
        switch (type.from < type.to ? head[type.from] : 0) {
            case 'B' -> listener.onBookmark();
            case 'E' -> listener.onError(new String(head, 0, headLength, StandardCharsets.UTF_8));
            default -> listener.onEvent(revision());
        }
    }

    private long revision() {
        Range at = new Range(0, headLength);
        for (int field : ENVELOPE) {
            at = at.field(field);
        }
        at = new Range(at.from + MAGIC, at.to);
        for (int field : REVISION) {
            at = at.field(field);
        }
        long revision = 0;
        for (int i = at.from; i < at.to; i++) {
            revision = revision * 10 + head[i] - '0';
        }
        return revision;
    }

    /** A part of the head that is a message or a text; what lies beyond the head is cut off. */
    private final class Range {
        private final int from;
        private final int to;

        Range(int from, int to) {
            this.from = from;
            this.to = Math.min(to, headLength);
        }

        /** The content of the first field of this number; empty when there is none. */
        Range field(int number) {
            int at = from;
            while (at < to) {
                int tag = head[at++];
                long value = 0;
                for (int shift = 0; at < to; shift += 7) {
                    byte b = head[at++];
                    value |= (long) (b & 0x7f) << shift;
                    if (b >= 0) {
                        break;
                    }
                }
                if ((tag & 7) != 2) {
                    continue;
                }
                if (tag >> 3 == number) {
                    return new Range(at, (int) Math.min(at + value, headLength));
                }
                at = (int) Math.min(at + value, to);
            }
            return new Range(0, 0);
        }
    }
}
