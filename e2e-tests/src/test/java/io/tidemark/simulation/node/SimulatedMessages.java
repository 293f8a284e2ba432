package io.tidemark.simulation.node;

import io.tidemark.view.object.ProtobufEncoding;
import io.tidemark.view.object.StoredObject;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Messages that name their object and its revision, in place of protobuf: how a store keeps them
 * does not depend on what they are. Every third revision has none.
 */
public record SimulatedMessages() implements ProtobufEncoding {
    /** The type of all messages. */
    public static final String TYPE = "v1 Pod";

    @Override
    public String version() {
        return "simulated";
    }

    @Override
    public Optional<Message> encode(StoredObject object) {
        String text = "message of " + object;
        return object.isKubernetes() && object.revision() % 3 > 0
                ? Optional.of(new Message(TYPE, text.getBytes(StandardCharsets.UTF_8)))
                : Optional.empty();
    }
}
