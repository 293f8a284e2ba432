package io.tidemark.kubernetes.schema;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One field of a message: its wire number, when it is printed, and how.
 *
 * @param number 0 for a member that is never on the wire and always has its default
 * @param member {@code ,"name":}
 * @param shape one value, a list of values, or a map from strings to values
 * @param message the type of a message value; null for the others
 * @param byDefault printed when the field is absent or empty; null to follow {@code printed} then
 */
public record Field(
        int number,
        String jsonName,
        Text member,
        Printed printed,
        Shape shape,
        ValueType type,
        @Nullable MessageType message,
        @Nullable Text byDefault) {
    /** What stands before and after the name in {@code ,"name":}. */
    private static final int NAME_FROM = 2;

    private static final int AFTER_NAME = 2;

    /** Whether the name is {@code [from, to)} of a text. */
    boolean isNamed(byte[] text, int from, int to) {
        byte[] name = member.bytes;
        return to - from == name.length - NAME_FROM - AFTER_NAME
                && Arrays.equals(text, from, to, name, NAME_FROM, name.length - AFTER_NAME);
    }

    /** How many values a field has. */
    public enum Shape {
        ONE,
        LIST,
        MAP,
        /** A message whose members are printed among those of the enclosing message. */
        INLINE
    }

    /** When a field is printed, with the table's mark. */
    public enum Printed {
        /** {@code !}: always; an absent one as its type's zero value. */
        ALWAYS,
        /** {@code *}: when it was written, even if empty. */
        WHEN_PRESENT,
        /** {@code *!}: always; an absent one as null. */
        ALWAYS_OR_NULL,
        /** No mark: unless it is empty, zero or false. */
        UNLESS_EMPTY
    }

    /** Encoded ASCII; a class, as a record should not have an array component. */
    public static final class Text {
        private final byte[] bytes;

        Text(String ascii) {
            bytes = ascii.getBytes(StandardCharsets.US_ASCII);
        }

        /** Not a copy: callers only read it. */
        public byte[] bytes() {
            return bytes;
        }
    }
}
