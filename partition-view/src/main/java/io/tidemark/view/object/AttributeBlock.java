package io.tidemark.view.object;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Encodes and finds the attributes in a {@link StoredObject}, which documents the layout. */
final class AttributeBlock {
    private static final int MAX_NAME = 0xffff;

    private AttributeBlock() {}

    static byte[] encode(
            Map<String, String> labels, Map<String, String> fields, String unreadable) {
        ByteBuffer out =
                ByteBuffer.allocate(
                        sizeOf(fields)
                                + sizeOf(labels)
                                + (unreadable.isEmpty() ? 0 : sizeOf(Map.of("", unreadable))));
        putAll(out, 'f', fields);
        putAll(out, 'l', labels);
        if (!unreadable.isEmpty()) {
            putAll(out, 'r', Map.of("", unreadable));
        }
        return Arrays.copyOf(out.array(), out.position());
    }

    /** Finds a value; allocates nothing but the answer. */
    static @Nullable String find(byte[] stored, int from, int to, byte kind, String name) {
        byte[] wanted = name.getBytes(StandardCharsets.UTF_8);
        ByteBuffer in = ByteBuffer.wrap(stored);
        int at = from;
        while (at < to) {
            int nameAt = at + 3;
            int nameLength = in.getShort(at + 1) & MAX_NAME;
            int valueAt = nameAt + nameLength + 4;
            int valueLength = in.getInt(nameAt + nameLength);
            if (stored[at] == kind
                    && Arrays.equals(
                            stored, nameAt, nameAt + nameLength, wanted, 0, wanted.length)) {
                return new String(stored, valueAt, valueLength, StandardCharsets.UTF_8);
            }
            at = valueAt + valueLength;
        }
        return null;
    }

    private static void putAll(ByteBuffer out, char kind, Map<String, String> attributes) {
        for (Map.Entry<String, String> attribute : new TreeMap<>(attributes).entrySet()) {
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
