package io.tidemark.store.fold;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.record.Bytes;
import io.tidemark.record.ContentType;
import io.tidemark.store.engine.KeyValueEngine.Family;
import io.tidemark.store.engine.WriteBatch;
import io.tidemark.view.object.ProtobufEncoding;
import io.tidemark.view.object.ProtobufForm;
import io.tidemark.view.object.StoredObject;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ProtobufFamilyTest {
    private static final Bytes KEY = Bytes.utf8("/registry/pods/a/b");

    /** A bug of the encoder must not stop the store. */
    @Test
    void keepsAnObjectThatCannotBeEncoded() {
        ProtobufEncoding broken =
                new ProtobufEncoding() {
                    @Override
                    public String version() {
                        return "broken";
                    }

                    @Override
                    public Optional<Message> encode(StoredObject object) {
                        throw new IndexOutOfBoundsException("a bug, for the test");
                    }
                };
        WriteBatch batch = new WriteBatch();

        new ProtobufFamily(Optional.of(broken)).put(batch, object());

        for (Family family : new Family[] {Family.PROTOBUF, Family.PROTOBUF_LENGTH}) {
            Bytes stored = batch.writesOf(family).get(KEY);
            assertThat(stored).as("%s", family).isNotNull();
            StoredObject kept = new StoredObject(KEY, stored.array());
            assertThat(kept.revision()).isEqualTo(7);
            assertThat(kept.labels()).isEqualTo(Map.of("app", "web"));
            assertThat(ProtobufForm.isMessage(kept)).isFalse();
        }
    }

    private static StoredObject object() {
        String json = "{\"kind\":\"Pod\",\"metadata\":{\"resourceVersion\":\"7\"}}";
        return StoredObject.encode(
                KEY,
                Bytes.utf8(json),
                ContentType.KUBERNETES_JSON,
                7,
                7,
                1,
                0,
                "",
                Map.of("app", "web"),
                Map.of(),
                json.indexOf("7\"}"));
    }
}
