package io.tidemark.view.object;

import io.tidemark.record.BigEndian;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Encodes and finds the attributes in a {@link StoredObject}, which documents the layout. */
final class AttributeBlock {
    private static final int MAX_NAME = 0xffff;

    private AttributeBlock() {}

    /** What a cut takes: kind, lengths of name and value, and two offsets. */
    private static final int CUT_LENGTH = 7 + 2 * Integer.BYTES;

    static byte[] encode(
            Map<String, String> labels,
            Map<String, String> fields,
            Optional<ManagedFieldsCut> managedFields,
            String unreadable) {
        ByteBuffer out =
                ByteBuffer.allocate(
                        sizeOf(fields)
                                + sizeOf(labels)
                                + (managedFields.isPresent() ? CUT_LENGTH : 0)
                                + (unreadable.isEmpty() ? 0 : sizeOf(Map.of("", unreadable))));
        putAll(out, 'f', fields);
        putAll(out, 'l', labels);
        if (managedFields.isPresent()) {
            out.put((byte) 'm').putShort((short) 0).putInt(2 * Integer.BYTES);
            out.putInt(managedFields.get().from()).putInt(managedFields.get().to());
        }
        if (!unreadable.isEmpty()) {
            putAll(out, 'r', Map.of("", unreadable));
        }
        return Arrays.copyOf(out.array(), out.position());
    }

    /** An attribute whose value is one number or several. */
    static byte[] encode(byte kind, String name, int... values) {
        byte[] text = name.getBytes(StandardCharsets.UTF_8);
        int length = values.length * Integer.BYTES;
        ByteBuffer out =
                ByteBuffer.allocate(7 + text.length + length)
                        .put(kind)
                        .putShort((short) text.length)
                        .put(text)
                        .putInt(length);
        for (int value : values) {
            out.putInt(value);
        }
        return out.array();
    }

    /** Finds a value; allocates nothing but the answer. */
    static @Nullable String find(byte[] stored, int from, int to, byte kind, String name) {
        int valueAt = valueOf(stored, from, to, kind, name);
        return valueAt < 0
                ? null
                : new String(
                        stored,
                        valueAt,
                        BigEndian.intAt(stored, valueAt - 4),
                        StandardCharsets.UTF_8);
    }

    /** Where the value of an attribute begins; -1 when there is none. */
    static int valueOf(byte[] stored, int from, int to, byte kind, String name) {
        int at = start(stored, from, to, kind);
        for (; at < to && stored[at] == kind; at = next(stored, at)) {
            int nameAt = at + 3;
            int valueAt = valueAt(stored, at);
            if (isText(stored, nameAt, valueAt - 4 - nameAt, name)) {
                return valueAt;
            }
        }
        return -1;
    }

    /** The attributes of a kind, by name. */
    static Map<String, String> all(byte[] stored, int from, int to, byte kind) {
        Map<String, String> found = new LinkedHashMap<>();
        int at = start(stored, from, to, kind);
        for (; at < to && stored[at] == kind; at = next(stored, at)) {
            int nameAt = at + 3;
            int valueAt = valueAt(stored, at);
            found.put(
                    new String(stored, nameAt, valueAt - 4 - nameAt, StandardCharsets.UTF_8),
                    new String(
                            stored, valueAt, next(stored, at) - valueAt, StandardCharsets.UTF_8));
        }
        return found;
    }

    /** Where the attributes of a kind begin, which lie together; where they would, for none. */
    static int start(byte[] stored, int from, int to, byte kind) {
        int at = from;
        while (at < to && stored[at] < kind) {
            at = next(stored, at);
        }
        return at;
    }

    /** Where the attributes of a kind end. */
    static int end(byte[] stored, int from, int to, byte kind) {
        return start(stored, from, to, (byte) (kind + 1));
    }

    private static int valueAt(byte[] stored, int at) {
        return at + 3 + BigEndian.shortAt(stored, at + 1) + 4;
    }

    private static int next(byte[] stored, int at) {
        int valueAt = valueAt(stored, at);
        return valueAt + BigEndian.intAt(stored, valueAt - 4);
    }

    /** Whether bytes are a text in UTF-8. */
    private static boolean isText(byte[] stored, int from, int length, String text) {
        for (int i = 0; i < text.length(); i++) {
            char character = text.charAt(i);
            if (character >= 0x80) {
                byte[] wanted = text.getBytes(StandardCharsets.UTF_8);
                return Arrays.equals(stored, from, from + length, wanted, 0, wanted.length);
            }
            if (i >= length || stored[from + i] != character) {
                return false;
            }
        }
        return length == text.length();
    }

    private static void putAll(ByteBuffer out, char kind, Map<String, String> attributes) {
        List<Map.Entry<String, String>> sorted = new ArrayList<>(attributes.entrySet());
        sorted.sort(Map.Entry.comparingByKey());
        for (Map.Entry<String, String> attribute : sorted) {
            byte[] name = attribute.getKey().getBytes(StandardCharsets.UTF_8);
            if (name.length > MAX_NAME) {
                continue; // No selector can name it, because a request line is shorter.
            }
            byte[] value = attribute.getValue().getBytes(StandardCharsets.UTF_8);
            out.put((byte) kind).putShort((short) name.length).put(name);
            out.putInt(value.length).put(value);
        }
    }

    /** An upper bound: UTF-8 takes at most three bytes for each char. */
    private static int sizeOf(Map<String, String> attributes) {
        int size = 0;
        for (Map.Entry<String, String> attribute : attributes.entrySet()) {
            size += 7 + 3 * (attribute.getKey().length() + attribute.getValue().length());
        }
        return size;
    }
}
