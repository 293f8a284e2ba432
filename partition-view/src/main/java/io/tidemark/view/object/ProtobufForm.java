package io.tidemark.view.object;

import java.nio.ByteBuffer;

/**
 * The form of an object as a protobuf message, which a store may keep beside the JSON. Its type is
 * the apiVersion and the kind that the message was encoded for, separated by a blank. The object in
 * this form has the revisions and attributes of the whole one, so that selections apply to it; its
 * metadata says how long the message is.
 */
public final class ProtobufForm {
    private static final byte LENGTH = 'p';

    private ProtobufForm() {}

    /** The type of an object's message. */
    public static String type(String apiVersion, String kind) {
        return apiVersion + " " + kind;
    }

    /**
     * The object with its message as the value.
     *
     * @param object whole, or its metadata
     */
    public static StoredObject of(StoredObject object, String type, byte[] message) {
        StoredObject announced = announcing(withoutMessage(object), type, message.length);
        int head = announced.valueOffset();
        ByteBuffer out = ByteBuffer.allocate(head + message.length);
        out.put(announced.stored(), 0, head).put(message);
        out.put(1, (byte) (out.get(1) | StoredObject.PROTOBUF));
        return new StoredObject(object.key(), out.array());
    }

    /** The object without a value: it has no message. */
    public static StoredObject withoutMessage(StoredObject object) {
        return object.withoutValue();
    }

    /** The object with the length of its message among the attributes, in bytes. */
    public static StoredObject announcing(StoredObject object, String type, int length) {
        return object.with(AttributeBlock.encode(LENGTH, type, length));
    }

    /** The object without that length, as a store that keeps no messages has it. */
    static StoredObject withoutLength(StoredObject object) {
        return object.without(LENGTH);
    }

    /** Whether the value is a message. */
    public static boolean isMessage(StoredObject object) {
        return (object.stored()[1] & StoredObject.PROTOBUF) != 0;
    }

    /** The length of the message of a type in bytes; -1 if none of that type is kept. */
    public static int length(StoredObject object, String type) {
        return object.number(LENGTH, type);
    }
}
