package io.tidemark.store.fold;

import io.tidemark.record.Bytes;
import io.tidemark.store.engine.KeyValueEngine;
import io.tidemark.store.engine.KeyValueEngine.Cursor;
import io.tidemark.store.engine.KeyValueEngine.Family;
import io.tidemark.store.engine.KeyValueEngine.Snapshot;
import io.tidemark.store.engine.WriteBatch;
import io.tidemark.view.object.ProtobufEncoding;
import io.tidemark.view.object.ProtobufEncoding.Message;
import io.tidemark.view.object.ProtobufForm;
import io.tidemark.view.object.StoredObject;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the newest version of each key to {@code protobuf} and {@code protobuf_length}, in a store
 * that keeps this form. Each key has an entry in both, so that one scan finds all; that of an
 * object without a message has no value and no length.
 *
 * <p>An existing store gets the form when it is opened, and again when another encoding makes it.
 * What made it is stored beside it, and deleted before the first entry changes: a rebuild that was
 * interrupted starts over at the next open.
 */
final class ProtobufFamily {
    private static final Logger LOG = LoggerFactory.getLogger(ProtobufFamily.class);
    private static final int MAX_BATCH_ENTRIES = 1_000;

    private final Optional<ProtobufEncoding> encoding;

    /**
     * @param encoding empty to keep JSON only
     */
    ProtobufFamily(Optional<ProtobufEncoding> encoding) {
        this.encoding = encoding;
    }

    /** Never fails because of the object: readers encode one without a message. */
    void put(WriteBatch batch, StoredObject object) {
        if (encoding.isEmpty()) {
            return;
        }
        StoredObject length = ProtobufForm.withoutMessage(object);
        StoredObject form = length;
        Optional<Message> message = message(encoding.get(), object);
        if (message.isPresent()) {
            length = ProtobufForm.length(length, message.get());
            form = ProtobufForm.of(length, message.get());
        }
        batch.put(Family.PROTOBUF, object.key(), Bytes.wrap(form.stored()));
        batch.put(Family.PROTOBUF_LENGTH, object.key(), Bytes.wrap(length.stored()));
    }

    private static Optional<Message> message(ProtobufEncoding encoding, StoredObject object) {
        try {
            return encoding.encode(object);
        } catch (RuntimeException e) {
            LOG.error("a bug: encoding {} as protobuf failed; the store keeps its JSON", object, e);
            return Optional.empty();
        }
    }

    void remove(WriteBatch batch, Bytes key) {
        if (encoding.isPresent()) {
            batch.delete(Family.PROTOBUF, key);
            batch.delete(Family.PROTOBUF_LENGTH, key);
        }
    }

    /** Notes, in a store that is cleared by the same batch, what makes the form from now on. */
    static void describe(WriteBatch batch, Optional<ProtobufEncoding> encoding) {
        encoding.ifPresent(present ->
                batch.put(
                        Family.META, KeyValueEngine.PROTOBUF_MAKER, Bytes.utf8(present.version())));
    }

    /** Makes the form of all objects, unless the engine has it already. */
    static void rebuildIfChanged(KeyValueEngine engine, Optional<ProtobufEncoding> encoding) {
        Optional<String> found =
                Optional.ofNullable(engine.get(Family.META, KeyValueEngine.PROTOBUF_MAKER))
                        .map(text -> Bytes.wrap(text).utf8());
        if (found.equals(encoding.map(ProtobufEncoding::version))) {
            return;
        }
        WriteBatch outdated = new WriteBatch();
        outdated.delete(Family.META, KeyValueEngine.PROTOBUF_MAKER);
        engine.write(outdated);
        if (encoding.isPresent()) {
            rebuild(engine, new ProtobufFamily(encoding));
            WriteBatch complete = new WriteBatch();
            describe(complete, encoding);
            engine.write(complete);
        }
    }

    private static void rebuild(KeyValueEngine engine, ProtobufFamily family) {
        LOG.info("encoding all objects as protobuf, to keep this form too");
        WriteBatch batch = new WriteBatch();
        try (Snapshot snapshot = engine.snapshot()) {
            try (Cursor old = snapshot.scan(Family.PROTOBUF_LENGTH, Bytes.EMPTY, Bytes.EMPTY)) {
                for (; old.isValid(); old.next()) {
                    family.remove(batch, old.key());
                    batch = writtenIfFull(engine, batch);
                }
            }
            try (Cursor objects = snapshot.scan(Family.OBJECTS, Bytes.EMPTY, Bytes.EMPTY)) {
                for (; objects.isValid(); objects.next()) {
                    family.put(batch, new StoredObject(objects.key(), objects.value()));
                    batch = writtenIfFull(engine, batch);
                }
            }
        }
        engine.write(batch);
    }

    private static WriteBatch writtenIfFull(KeyValueEngine engine, WriteBatch batch) {
        if (batch.entries() < MAX_BATCH_ENTRIES) {
            return batch;
        }
        engine.write(batch);
        return new WriteBatch();
    }
}
