package io.tidemark.view.object;

import io.tidemark.json.JsonMembers;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Writes an object's metadata as an API server shows it in a metadata-only response: the members
 * common to all kinds, in one order, for any stored order (custom resources are stored with sorted
 * members). Copies bytes; decodes nothing.
 */
final class MetadataText {
    private final byte[] json;
    private final ByteArrayOutputStream out;

    private MetadataText(byte[] json, int size) {
        this.json = json;
        this.out = new ByteArrayOutputStream(size);
    }

    /** The metadata between two offsets, in order. */
    static byte[] ordered(byte[] json, int from, int to) {
        MetadataText text = new MetadataText(json, to - from);
        text.writeMembers(from, to, MetadataOrder.OBJECT);
        return text.out.toByteArray();
    }

    private void writeMembers(int from, int to, List<String> order) {
        int[] froms = new int[order.size()];
        int[] tos = new int[order.size()];
        JsonMembers members = new JsonMembers(json, from, to);
        int place = 0;
        while (members.next()) {
            place = placeOf(members, order, place);
            if (place >= 0) {
                froms[place] = members.valueFrom();
                tos[place] = members.valueTo();
            }
        }
        out.write('{');
        boolean any = false;
        for (int i = 0; i < froms.length; i++) {
            if (tos[i] > 0 && !isLeftOut(froms[i], tos[i], order == MetadataOrder.OBJECT)) {
                any |= writeMember(order.get(i), froms[i], tos[i], any);
            }
        }
        out.write('}');
    }

    /** Its index in the order, searched from the last one found; -1 for none. */
    private static int placeOf(JsonMembers members, List<String> order, int last) {
        for (int i = 0; i < order.size(); i++) {
            int candidate = (Math.max(last, 0) + i) % order.size();
            if (members.isNamed(order.get(candidate))) {
                return candidate;
            }
        }
        return -1;
    }

    /** Omits null; in the object's own metadata also empty strings, lists and objects. */
    private boolean isLeftOut(int from, int to, boolean orEmpty) {
        int length = to - from;
        return (length == 4 && json[from] == 'n')
                || (orEmpty && length == 2 && json[from] != '-' && !isDigit(json[from]));
    }

    private static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }

    /** Writes a member; returns false when all of it is omitted. */
    private boolean writeMember(String name, int from, int to, boolean any) {
        boolean annotations = name.equals("annotations");
        List<int[]> entries = List.of();
        boolean map = (annotations || name.equals("labels")) && json[from] == '{';
        if (map) {
            entries = sorted(from, to, annotations);
            if (entries.isEmpty()) {
                return false;
            }
        }
        if (any) {
            out.write(',');
        }
        out.write('"');
        out.writeBytes(name.getBytes(StandardCharsets.US_ASCII));
        out.write('"');
        out.write(':');
        if (map) {
            writeEntries(entries);
        } else if (name.equals("ownerReferences")) {
            writeElements(from, to, MetadataOrder.OWNER);
        } else if (name.equals("managedFields")) {
            writeElements(from, to, MetadataOrder.MANAGER);
        } else {
            out.write(json, from, to - from);
        }
        return true;
    }

    /** The entries of a map by name, each as (name from, name to, value from, value to). */
    private List<int[]> sorted(int from, int to, boolean withoutDerived) {
        List<int[]> entries = new ArrayList<>();
        JsonMembers members = new JsonMembers(json, from, to);
        while (members.next()) {
            if (!withoutDerived || !members.isNamed(MetadataOrder.DERIVED_ANNOTATION)) {
                entries.add(
                        new int[] {
                            members.nameFrom(),
                            members.nameTo(),
                            members.valueFrom(),
                            members.valueTo()
                        });
            }
        }
        entries.sort((a, b) -> Arrays.compareUnsigned(json, a[0], a[1], json, b[0], b[1]));
        return entries;
    }

    private void writeEntries(List<int[]> entries) {
        out.write('{');
        for (int i = 0; i < entries.size(); i++) {
            int[] entry = entries.get(i);
            if (i > 0) {
                out.write(',');
            }
            out.write(json, entry[0] - 1, entry[1] - entry[0] + 2);
            out.write(':');
            out.write(json, entry[2], entry[3] - entry[2]);
        }
        out.write('}');
    }

    private void writeElements(int from, int to, List<String> order) {
        if (json[from] != '[') {
            out.write(json, from, to - from);
            return;
        }
        out.write('[');
        JsonMembers elements = new JsonMembers(json, from, to);
        boolean any = false;
        while (elements.next()) {
            if (any) {
                out.write(',');
            }
            any = true;
            if (json[elements.valueFrom()] == '{') {
                writeMembers(elements.valueFrom(), elements.valueTo(), order);
            } else {
                out.write(json, elements.valueFrom(), elements.valueTo() - elements.valueFrom());
            }
        }
        out.write(']');
    }
}
