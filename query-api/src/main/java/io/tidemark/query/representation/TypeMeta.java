package io.tidemark.query.representation;

import io.tidemark.json.JsonMembers;
import io.tidemark.json.JsonMembers.Member;
import io.tidemark.query.json.GoJson;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Optional;

/**
 * Removes {@code kind} and {@code apiVersion} from the items of a typed list, which has both once
 * for all items. Stored objects usually begin with them: then the first bytes tell where the rest
 * begins, and the rest is copied.
 */
public final class TypeMeta {
    private static final String KIND = "kind";
    private static final String API_VERSION = "apiVersion";
    private static final byte[] KIND_START = GoJson.utf8("\"kind\":\"");
    private static final byte[] API_VERSION_START = GoJson.utf8("\"apiVersion\":\"");

    /** Longer than any kind or version; longer values take the slow path. */
    private static final int MAX_VALUE = 512;

    private TypeMeta() {}

    /**
     * Writes the object in {@code json} from {@code from} to the end, without kind and apiVersion.
     *
     * @param json compact, as stored objects are
     */
    public static void writeWithout(byte[] json, int from, OutputStream out) throws IOException {
        int rest = restOf(json, from);
        if (rest > 0) {
            out.write('{');
            out.write(json, rest, json.length - rest);
        } else {
            out.write(cut(cut(json, from, KIND), 0, API_VERSION));
        }
    }

    /** As {@link #writeWithout}, to a new array. */
    static byte[] without(byte[] json) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(json.length);
        try {
            writeWithout(json, 0, out);
        } catch (IOException e) {
            throw new IllegalStateException("memory cannot fail to be written", e);
        }
        return out.toByteArray();
    }

    /** Offset of the third member when the first two are these, in either order; else 0. */
    private static int restOf(byte[] json, int from) {
        int afterKind = after(json, from + 1, KIND_START);
        if (afterKind > 0) {
            return after(json, afterKind, API_VERSION_START);
        }
        int afterVersion = after(json, from + 1, API_VERSION_START);
        return afterVersion > 0 ? after(json, afterVersion, KIND_START) : 0;
    }

    /**
     * Offset after the comma of the member at {@code at}, if it begins so and is a plain string; or
     * 0.
     */
    private static int after(byte[] json, int at, byte[] start) {
        int value = at + start.length;
        if (value > json.length || !Arrays.equals(json, at, value, start, 0, start.length)) {
            return 0;
        }
        int end = Math.min(json.length - 1, value + MAX_VALUE);
        int i = value;
        while (i < end && json[i] != '"' && json[i] != '\\') {
            i++;
        }
        return i < end && json[i] == '"' && json[i + 1] == ',' ? i + 2 : 0;
    }

    /** The object from {@code from} on, without one member. */
    private static byte[] cut(byte[] json, int from, String name) {
        Optional<Member> member = JsonMembers.find(json, from, json.length, name);
        ByteArrayOutputStream out = new ByteArrayOutputStream(json.length - from);
        if (member.isEmpty()) {
            out.write(json, from, json.length - from);
            return out.toByteArray();
        }
        int begin = member.get().from();
        int end = member.get().valueTo();
        if (end < json.length && json[end] == ',') {
            end++;
        } else if (json[begin - 1] == ',') {
            begin--;
        }
        out.write(json, from, begin - from);
        out.write(json, end, json.length - end);
        return out.toByteArray();
    }
}
