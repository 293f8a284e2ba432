package io.tidemark.kubernetes;

import io.tidemark.kubernetes.schema.Field;
import io.tidemark.kubernetes.wire.DecodeException;
import io.tidemark.kubernetes.wire.FieldCursor;
import io.tidemark.kubernetes.wire.Wire;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The entries of one map field: positions of keys and values. The API server writes them sorted;
 * other writers may not, and of duplicate keys the last one counts.
 */
final class MapEntries {
    private static final int INTS = 4;

    private final byte[] source;
    private final Field field;
    private final int[] places;
    private int count;
    private boolean ordered = true;

    MapEntries(byte[] source, Field field, int capacity) {
        this.source = source;
        this.field = field;
        this.places = new int[INTS * capacity];
    }

    /** Reads one entry, a message of key (1) and value (2); an absent one is empty. */
    void add(int from, int to) {
        int place = INTS * count;
        FieldCursor fields = new FieldCursor(source, from, to);
        while (fields.next()) {
            long number = fields.number();
            if (number != 1 && number != 2) {
                continue;
            }
            if (fields.wireType() != (number == 1 ? Wire.LENGTH : field.type().wireType())) {
                throw DecodeException.malformed(
                        "wire type " + fields.wireType() + " in the map " + field.jsonName());
            }
            int offset = number == 1 ? 0 : 2;
            places[place + offset] = fields.from();
            places[place + offset + 1] = fields.to();
        }
        ordered = ordered && (count == 0 || compare(count - 1, count) < 0);
        count++;
    }

    /** The entries to print, in order. */
    int[] sorted() {
        if (ordered) {
            return IntStream.range(0, count).toArray();
        }
        Integer[] order = IntStream.range(0, count).boxed().toArray(Integer[]::new);
        Arrays.sort(order, this::compare);
        int[] kept = new int[count];
        int size = 0;
        for (int i = 0; i < count; i++) {
            if (i + 1 == count || compare(order[i], order[i + 1]) != 0) {
                kept[size++] = order[i];
            }
        }
        return Arrays.copyOf(kept, size);
    }

    private int compare(int one, int other) {
        return Arrays.compareUnsigned(
                source, keyFrom(one), keyTo(one), source, keyFrom(other), keyTo(other));
    }

    int keyFrom(int entry) {
        return places[INTS * entry];
    }

    int keyTo(int entry) {
        return places[INTS * entry + 1];
    }

    int valueFrom(int entry) {
        return places[INTS * entry + 2];
    }

    int valueTo(int entry) {
        return places[INTS * entry + 3];
    }
}
