package io.tidemark.simulation.node;

import io.tidemark.query.encode.StoredMessages;
import io.tidemark.view.object.ProtobufEncoding;
import io.tidemark.view.object.ProtobufForm;
import io.tidemark.view.object.StoredObject;
import java.util.Optional;

/** Production's messages; every third revision has none, as of an object without an encoding. */
public record SimulatedMessages(StoredMessages all) implements ProtobufEncoding {
    /** The type of all messages. */
    public static final String TYPE = ProtobufForm.type("v1", "Pod");

    public SimulatedMessages() {
        this(new StoredMessages());
    }

    @Override
    public String version() {
        return all.version();
    }

    @Override
    public Optional<Message> encode(StoredObject object) {
        return object.revision() % 3 > 0 ? all.encode(object) : Optional.empty();
    }
}
