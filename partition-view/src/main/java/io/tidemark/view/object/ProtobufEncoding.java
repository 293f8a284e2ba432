package io.tidemark.view.object;

import java.util.Optional;

/** Encodes objects as protobuf, for a store that keeps this form beside the JSON. Thread-safe. */
public interface ProtobufEncoding {
    /**
     * Names what {@link #encode} makes: it changes whenever the same object may get another
     * message.
     */
    String version();

    /**
     * The message of a whole object; empty when it has none, or is a Secret.
     *
     * @param object its value is only read
     */
    Optional<Message> encode(StoredObject object);

    /**
     * A message.
     *
     * @param type see {@link ProtobufForm}
     * @param bytes for reading only
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Message(String type, byte[] bytes) {}
}
