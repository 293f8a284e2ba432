package io.tidemark.kubernetes.schema;

import io.tidemark.kubernetes.schema.Field.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** One message type for decoding: its fields in printing order, and an index by field number. */
public final class MessageType {
    private final String name;
    private Field[] fields = {};
    private int[] slotByNumber = {};
    private List<Integer> labelsPath = List.of();
    private Member[] members = {};

    /**
     * A member of the message's JSON.
     *
     * @param inside the inline messages that the field belongs to, the outermost first; mostly none
     */
    public record Member(Field field, List<Field> inside) {}

    MessageType(String name) {
        this.name = name;
    }

    /** Messages refer to each other, so a type exists before its fields do. */
    void define(List<Field> definition) {
        fields = definition.toArray(Field[]::new);
        int highest = definition.stream().mapToInt(Field::number).max().orElse(0);
        slotByNumber = new int[highest + 1];
        Arrays.fill(slotByNumber, -1);
        for (int slot = 0; slot < fields.length; slot++) {
            slotByNumber[fields[slot].number()] = slot;
        }
        slotByNumber[0] = -1;
    }

    /** Lists the members of the JSON, once the messages that this one refers to are defined. */
    void link() {
        List<Member> found = new ArrayList<>();
        addMembers(List.of(), found);
        members = found.toArray(Member[]::new);
    }

    private void addMembers(List<Field> inside, List<Member> found) {
        for (Field field : fields) {
            MessageType message = field.message();
            if (field.shape() == Shape.INLINE && message != null) {
                List<Field> deeper = new ArrayList<>(inside);
                deeper.add(field);
                message.addMembers(List.copyOf(deeper), found);
            } else {
                found.add(new Member(field, inside));
            }
        }
    }

    /**
     * The index of the member with the name that is {@code [from, to)} of a text; -1 if there is
     * none.
     *
     * @param expected where to look first, as objects have their members in this order
     */
    public int memberAt(byte[] text, int from, int to, int expected) {
        for (int i = 0; i < members.length; i++) {
            int at = expected + i;
            if (at >= members.length) {
                at -= members.length;
            }
            if (members[at].field().isNamed(text, from, to)) {
                return at;
            }
        }
        return -1;
    }

    /** The member at an index, in printing order. */
    public Member member(int index) {
        return members[index];
    }

    /**
     * @param fieldNumbers from the object to its template's labels
     */
    public void labelsPath(List<Integer> fieldNumbers) {
        labelsPath = List.copyOf(fieldNumbers);
    }

    /**
     * For a kind whose objects without labels are served with those of their template: the field
     * numbers from the object to the template's labels. Else empty.
     */
    public List<Integer> labelsPath() {
        return labelsPath;
    }

    /** The full name in the tables, such as {@code core.v1.PodSpec}. */
    public String name() {
        return name;
    }

    public int fieldCount() {
        return fields.length;
    }

    /**
     * @param slot index in printing order, from 0 and below {@link #fieldCount}
     */
    public Field field(int slot) {
        return fields[slot];
    }

    /** The index of the field with this name; -1 if there is none. */
    public int slotOf(String jsonName) {
        for (int slot = 0; slot < fields.length; slot++) {
            if (fields[slot].jsonName().equals(jsonName)) {
                return slot;
            }
        }
        return -1;
    }

    /** The index of the field in printing order; -1 for an unknown number. */
    public int slotOf(long number) {
        return number >= 0 && number < slotByNumber.length ? slotByNumber[(int) number] : -1;
    }

    @Override
    public String toString() {
        return name;
    }
}
