package io.tidemark.kubernetes.wire;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The envelope of every stored object: apiVersion, kind, and the range of the object's message
 * ({@code [from, to)} of the source), which itself holds neither.
 */
public final class Envelope {
    /** The bytes before every envelope. */
    private static final byte[] MAGIC = {'k', '8', 's', 0};

    /** How many bytes there are before an envelope. */
    public static final int START = MAGIC.length;

    private static final int TYPE_META = 1;
    private static final int RAW = 2;
    private static final int CONTENT_ENCODING = 3;
    private static final int CONTENT_TYPE = 4;
    private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";

    private final byte[] source;
    private String apiVersion = "";
    private String kind = "";
    private int from;
    private int to;

    private Envelope(byte[] source) {
        this.source = source;
    }

    /**
     * @param start of the envelope in {@code source}, after its prefix; it extends to the end
     * @throws DecodeException when it is malformed, or lacks apiVersion, kind or content
     */
    public static Envelope parse(byte[] source, int start) {
        Envelope envelope = new Envelope(source);
        FieldCursor fields = new FieldCursor(source, start, source.length);
        while (fields.next()) {
            if (fields.isBytes()) {
                envelope.field(fields.number(), fields.from(), fields.to());
            }
        }
        if (envelope.kind.isEmpty() || envelope.apiVersion.isEmpty()) {
            throw DecodeException.malformed("the envelope has no apiVersion or kind");
        }
        if (envelope.from == 0) {
            throw DecodeException.malformed("the envelope is empty");
        }
        return envelope;
    }

    /** Whether a value begins with the bytes before an envelope. */
    public static boolean begins(byte[] source) {
        return source.length >= START && Arrays.equals(source, 0, START, MAGIC, 0, START);
    }

    /** Begins an object of a kind; its message follows. Returns what {@link #close} takes. */
    public static int open(String apiVersion, String kind, ProtobufWriter out) {
        typeMeta(apiVersion, kind, out);
        return out.open(RAW);
    }

    /** Ends the object that was begun last. */
    public static void close(int opened, ProtobufWriter out) {
        out.close(opened);
        writeTail(out);
    }

    /** The bytes before a message whose length is known; it and {@link #writeTail} follow. */
    public static void writeHead(
            String apiVersion, String kind, long messageBytes, ProtobufWriter out) {
        typeMeta(apiVersion, kind, out);
        out.tag(RAW, Wire.LENGTH);
        out.varint(messageBytes);
    }

    /** The bytes behind the message. An API server writes the two empty texts. */
    public static void writeTail(ProtobufWriter out) {
        out.text(CONTENT_ENCODING, "");
        out.text(CONTENT_TYPE, "");
    }

    private static void typeMeta(String apiVersion, String kind, ProtobufWriter out) {
        out.raw(MAGIC, 0, START);
        int typeMeta = out.open(TYPE_META);
        out.text(1, apiVersion);
        out.text(2, kind);
        out.close(typeMeta);
    }

    private void field(long number, int start, int end) {
        if (number == TYPE_META) {
            typeMeta(start, end);
        } else if (number == RAW) {
            from = start;
            to = end;
        } else if (number == CONTENT_ENCODING && start < end) {
            throw DecodeException.malformed("content encoding " + text(start, end));
        } else if (number == CONTENT_TYPE && start < end && !text(start, end).equals(PROTOBUF)) {
            throw DecodeException.malformed("content type " + text(start, end));
        }
    }

    private void typeMeta(int start, int end) {
        FieldCursor fields = new FieldCursor(source, start, end);
        while (fields.next()) {
            if (fields.isBytes() && fields.number() == 1) {
                apiVersion = text(fields.from(), fields.to());
            } else if (fields.isBytes() && fields.number() == 2) {
                kind = text(fields.from(), fields.to());
            }
        }
    }

    /** At most 200 bytes: a longer text is not a name, and it may be quoted in a message. */
    private String text(int start, int end) {
        return new String(source, start, Math.min(end - start, 200), StandardCharsets.UTF_8);
    }

    /** The parsed array, not a copy. */
    public byte[] source() {
        return source;
    }

    public String apiVersion() {
        return apiVersion;
    }

    public String kind() {
        return kind;
    }

    /** Start of the object's message in {@link #source}. */
    public int from() {
        return from;
    }

    /** End of the object's message, exclusive. */
    public int to() {
        return to;
    }
}
