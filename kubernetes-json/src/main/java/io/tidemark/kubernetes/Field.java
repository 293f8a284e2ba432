package io.tidemark.kubernetes;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * One field of a message: where it stands on the wire, when it is printed and how.
 *
 * @param number 0 for a member that is never on the wire and always has its default
 * @param member {@code ,"name":}
 * @param shape one value, a list of values, or a map from strings to values
 * @param message the type of a message value; null for the others
 * @param byDefault what is printed when the field is absent or empty; null when it then follows
 *     {@code printed}
 */
record Field(
        int number,
        String jsonName,
        Text member,
        Printed printed,
        Shape shape,
        ValueType type,
        @Nullable MessageType message,
        @Nullable Text byDefault) {

    enum Shape {
        ONE,
        LIST,
        MAP,
        /** A message whose members stand among those of the message around it. */
        INLINE
    }

    /** When a field is printed; the table's mark stands behind each. */
    enum Printed {
        /** {@code !}: always; an absent one as its type's zero value. */
        ALWAYS,
        /** {@code *}: when it was written, be it empty. */
        WHEN_PRESENT,
        /** {@code *!}: always; an absent one as null. */
        ALWAYS_OR_NULL,
        /** No mark: unless it is empty, zero or false. */
        UNLESS_EMPTY
    }

    /** ASCII ready to be copied; a class because a record has no array component. */
    static final class Text {
        private final byte[] bytes;

        Text(String ascii) {
            bytes = ascii.getBytes(StandardCharsets.US_ASCII);
        }

        byte[] bytes() {
            return bytes;
        }
    }
}
