package io.tidemark.chaos.load;

import java.nio.charset.StandardCharsets;

/**
 * The few parts of an object's JSON that are read: name, namespace, resourceVersion, and a hash of
 * all the rest from its metadata on. The writer's and the reader's bytes have the same hash exactly
 * when they are equal except for the resourceVersion, which is compared separately. For the values
 * of {@link ObjectSpace}: compact JSON that names metadata first.
 */
public final class ObjectText {
    private static final byte[] METADATA = ascii("\"metadata\":{");
    private static final byte[] VERSION = ascii("\"resourceVersion\":\"");
    private static final byte[] NAME = ascii("\"name\":\"");
    private static final byte[] NAMESPACE = ascii("\"namespace\":\"");
    private static final byte[] APP = ascii("\"app\":\"");

    private ObjectText() {}

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** An object of the run, by its number. */
    public record ParsedObject(int index, long revision, long hash) {}

    /**
     * Reads the object in {@code json[from, to)}; the number is -1 when the run did not write it.
     */
    public static ParsedObject read(ObjectSpace space, byte[] json, int from, int to) {
        String name = text(json, from, to, NAME);
        String namespace = text(json, from, to, NAMESPACE);
        return new ParsedObject(
                space.index(namespace, name), revision(json, from, to), hash(json, from, to));
    }

    /** The first resourceVersion; 0 when there is none. */
    public static long revision(byte[] json, int from, int to) {
        String revision = text(json, from, to, VERSION);
        return revision.isEmpty() ? 0 : Long.parseLong(revision);
    }

    /** The value of the one label. */
    public static String app(byte[] json, int from, int to) {
        return text(json, from, to, APP);
    }

    /** The string that follows {@code mark}, without escapes; empty when there is none. */
    public static String text(byte[] json, int from, int to, byte[] mark) {
        int at = find(json, from, to, mark);
        if (at < 0) {
            return "";
        }
        int start = at + mark.length;
        int end = start;
        while (end < to && json[end] != '"') {
            end++;
        }
        return new String(json, start, end - start, StandardCharsets.UTF_8);
    }

    /**
     * Of everything from the metadata on, without its resourceVersion and one comma beside that.
     */
    public static long hash(byte[] json, int from, int to) {
        int start = Math.max(from, find(json, from, to, METADATA));
        int version = find(json, start, to, VERSION);
        if (version < 0) {
            return mix(0xcbf29ce484222325L, json, start, to);
        }
        int end = version + VERSION.length;
        while (end < to && json[end] != '"') {
            end++;
        }
        end++;
        int before = version;
        if (end < to && json[end] == ',') {
            end++;
        } else if (json[version - 1] == ',') {
            before--;
        }
        return mix(mix(0xcbf29ce484222325L, json, start, before), json, end, to);
    }

    /** FNV-1a. */
    private static long mix(long seed, byte[] bytes, int from, int to) {
        long hash = seed;
        for (int i = from; i < to; i++) {
            hash = (hash ^ (bytes[i] & 0xff)) * 0x100000001b3L;
        }
        return hash;
    }

    /** Where {@code mark} begins; -1 when it is not there. */
    public static int find(byte[] bytes, int from, int to, byte[] mark) {
        for (int i = from; i <= to - mark.length; i++) {
            int k = 0;
            while (k < mark.length && bytes[i + k] == mark[k]) {
                k++;
            }
            if (k == mark.length) {
                return i;
            }
        }
        return -1;
    }
}
