package io.tidemark.store;

import io.tidemark.view.object.ProtobufEncoding;
import io.tidemark.view.object.StoredObject;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Makes messages of two types, which name their encoding and object; some objects have none. */
record MarkedMessages(String version) implements ProtobufEncoding {
    static final String TYPE = "v1 Pod";

    @Override
    public Optional<Message> encode(StoredObject object) {
        int choice = Math.floorMod(object.key().hashCode() + (int) object.revision(), 5);
        if (!object.isKubernetes() || choice == 0) {
            return Optional.empty();
        }
        String message = version + " of " + object.valueText();
        return Optional.of(
                new Message(
                        choice == 1 ? "v2 Pod" : TYPE, message.getBytes(StandardCharsets.UTF_8)));
    }
}
