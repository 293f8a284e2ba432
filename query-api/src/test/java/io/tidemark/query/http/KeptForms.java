package io.tidemark.query.http;

import io.tidemark.kubernetes.wire.ProtobufWriter;
import io.tidemark.query.encode.StoredMessages;
import io.tidemark.store.layout.StoreSettings;
import io.tidemark.view.object.ProtobufEncoding;
import io.tidemark.view.object.StoredObject;
import java.util.Optional;

/** What stores keep of each object: its JSON, or its protobuf message too. */
enum KeptForms {
    JSON,
    PROTOBUF_TOO;

    /** In a field that no kind has; so a kept message can be told from one that is encoded. */
    static final String MARK = "this message was kept";

    private static final int MARK_FIELD = 9_999;

    StoreSettings settings() {
        return this == JSON
                ? StoreSettings.DEFAULT
                : StoreSettings.DEFAULT.withProtobuf(new Marked(new StoredMessages()));
    }

    private record Marked(ProtobufEncoding messages) implements ProtobufEncoding {
        @Override
        public String version() {
            return "marked " + messages.version();
        }

        @Override
        public Optional<Message> encode(StoredObject object) {
            return messages.encode(object).map(Marked::marked);
        }

        private static Message marked(Message message) {
            ProtobufWriter out = new ProtobufWriter(message.bytes().length + 64);
            out.raw(message.bytes(), 0, message.bytes().length);
            out.text(MARK_FIELD, MARK);
            return new Message(message.type(), out.toByteArray());
        }
    }
}
