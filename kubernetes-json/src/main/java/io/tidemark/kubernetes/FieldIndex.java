package io.tidemark.kubernetes;

import io.tidemark.kubernetes.schema.Field;
import io.tidemark.kubernetes.schema.Field.Shape;
import io.tidemark.kubernetes.schema.MessageType;
import io.tidemark.kubernetes.schema.ValueType;
import io.tidemark.kubernetes.wire.DecodeException;
import io.tidemark.kubernetes.wire.Wire;
import java.util.Arrays;

/**
 * The positions of a message's fields, found in one scan. Two ints per field of the table, in one
 * array that serves as a stack: a nested message pushes its entries.
 *
 * <p>The first int is the start of the value, and 0 for an absent field: position 0 belongs to the
 * envelope. The second is its end. For lists and maps they are the position of the first entry's
 * tag and the number of entries, which are found again by iterating from the first.
 */
final class FieldIndex {
    private final byte[] source;
    private int[] notes = new int[512];
    private int top;
    private int unknownFields;

    FieldIndex(byte[] source) {
        this.source = source;
    }

    /** Scans the message in {@code [from, to)}; returns its base for lookups and for closing. */
    int open(MessageType type, int from, int to) {
        int base = top;
        top += 2 * type.fieldCount();
        if (top > notes.length) {
            notes = Arrays.copyOf(notes, Math.max(top, notes.length * 2));
        }
        Arrays.fill(notes, base, top, 0);
        scan(type, base, from, to);
        return base;
    }

    /** Pops the message opened last. */
    void close(int base) {
        top = base;
    }

    int first(int base, int slot) {
        return notes[base + 2 * slot];
    }

    int second(int base, int slot) {
        return notes[base + 2 * slot + 1];
    }

    void setIfAbsent(int base, int slot, int first, int second) {
        if (first(base, slot) == 0) {
            notes[base + 2 * slot] = first;
            notes[base + 2 * slot + 1] = second;
        }
    }

    /** Number of unknown fields in all messages opened so far. */
    int unknownFields() {
        return unknownFields;
    }

    private void scan(MessageType type, int base, int from, int to) {
        int at = from;
        while (at < to) {
            int tagAt = at;
            long tag = source[at];
            if (tag >= 0) {
                at++;
            } else {
                tag = Wire.varint(source, at, to);
                at = Wire.afterVarint(source, at, to);
            }
            int wireType = (int) tag & 7;
            int end = Wire.afterValue(source, wireType, at, to);
            int slot = type.slotOf(tag >>> 3);
            if (slot < 0) {
                unknown(tag);
            } else {
                note(type, slot, base + 2 * slot, tagAt, wireType, at, end);
            }
            at = end;
        }
    }

    private void unknown(long tag) {
        if (tag >>> 3 == 0) {
            throw DecodeException.malformed("a field with the number 0");
        }
        unknownFields++;
    }

    private void note(
            MessageType type, int slot, int note, int tagAt, int wireType, int at, int end) {
        Field field = type.field(slot);
        boolean packed =
                field.shape() == Shape.LIST
                        && wireType == Wire.LENGTH
                        && field.type().wireType() != Wire.LENGTH;
        if (wireType != field.type().wireType() && !packed) {
            throw DecodeException.malformed(
                    "wire type " + wireType + " for " + type + "." + field.jsonName());
        }
        boolean first = notes[note] == 0;
        switch (field.shape()) {
            case LIST, MAP -> {
                notes[note] = first ? tagAt : notes[note];
                notes[note + 1]++;
            }
            case ONE, INLINE -> {
                if (!first && field.type() == ValueType.MESSAGE) {
                    // Protobuf would merge the two, but no API server writes this.
                    throw DecodeException.malformed(
                            type + "." + field.jsonName() + " occurs twice");
                }
                notes[note] = wireType == Wire.LENGTH ? Wire.afterVarint(source, at, end) : at;
                notes[note + 1] = end;
            }
        }
    }
}
