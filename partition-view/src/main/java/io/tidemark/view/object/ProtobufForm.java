package io.tidemark.view.object;

import io.tidemark.view.object.ProtobufEncoding.Message;
import java.nio.ByteBuffer;

/**
 * The form of an object as a protobuf message, which a store may keep beside the JSON. Its type is
 * the apiVersion and the kind that the message was encoded for, separated by a blank. The object in
 * this form has the revisions and attributes of the whole one, so that selections apply to it. So
 * has a third form, which only says how long the message is.
 */
public final class ProtobufForm {
    private static final byte LENGTH = 'p';

    private ProtobufForm() {}

    /** The type of an object's message. */
    public static String type(String apiVersion, String kind) {
        return apiVersion + " " + kind;
    }

    /** A whole object without its value, for one that has no message. */
    public static StoredObject withoutMessage(StoredObject object) {
        return object.withoutValue();
    }

    /**
     * An object with the length of its message among the attributes.
     *
     * @param object from {@link #withoutMessage}
     */
    public static StoredObject length(StoredObject object, Message message) {
        return object.with(AttributeBlock.encode(LENGTH, message.type(), message.bytes().length));
    }

    /**
     * The object with its message as the value.
     *
     * @param length from {@link #length(StoredObject, Message)}
     */
    public static StoredObject of(StoredObject length, Message message) {
        byte[] head = length.stored();
        ByteBuffer out = ByteBuffer.allocate(head.length + message.bytes().length);
        out.put(head).put(message.bytes());
        out.put(1, (byte) (out.get(1) | StoredObject.PROTOBUF));
        return new StoredObject(length.key(), out.array());
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
