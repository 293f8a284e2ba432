package io.tidemark.query.encode;

import io.tidemark.kubernetes.wire.ProtobufWriter;
import io.tidemark.serving.status.StatusException.FailureStatus;
import io.tidemark.serving.status.StatusProtobuf;
import io.tidemark.serving.watch.event.EventEncoder;
import io.tidemark.serving.watch.event.EventType;
import io.tidemark.view.object.Projection;
import io.tidemark.view.object.StoredObject;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Encodes watch events as protobuf: a frame each, the length in four bytes and the message {@code
 * meta.v1.WatchEvent}, in which the object is a whole document.
 */
final class ProtobufEventEncoder implements EventEncoder {
    private static final int LENGTH_BYTES = Integer.BYTES;
    private static final int TYPE = 1;
    private static final int OBJECT = 2;
    private static final int RAW = 1;

    private final Supplier<Object> key;
    private final ObjectMessages objects;
    private final boolean supportsEvents;

    /**
     * @param key gives what is equal for encoders whose frames are equal
     * @param supportsEvents false for a form of lists only
     */
    ProtobufEventEncoder(Supplier<Object> key, ObjectMessages objects, boolean supportsEvents) {
        this.key = key;
        this.objects = objects;
        this.supportsEvents = supportsEvents;
    }

    @Override
    public Optional<Object> shareKey() {
        return Optional.of(key.get());
    }

    @Override
    public Projection projection() {
        return objects.isWhole() ? Projection.WHOLE : objects.projection();
    }

    @Override
    public boolean supportsEvents() {
        return supportsEvents;
    }

    @Override
    public Optional<Object> lastingKey() {
        return objects.sharedForm();
    }

    @Override
    public boolean isKept(StoredObject object) {
        return objects.isKept(object);
    }

    @Override
    public byte[] line(EventType type, StoredObject object, long resourceVersion) {
        return frame(type, objects.document(object, resourceVersion).orElseThrow());
    }

    @Override
    public byte[] bookmark(long resourceVersion, boolean initialEventsEnd) {
        return frame(EventType.BOOKMARK, objects.bookmark(resourceVersion, initialEventsEnd));
    }

    @Override
    public byte[] error(FailureStatus refusal) {
        return frame(EventType.ERROR, StatusProtobuf.write(refusal));
    }

    private static byte[] frame(EventType type, byte[] document) {
        ProtobufWriter out = new ProtobufWriter(document.length + 64);
        out.raw(new byte[LENGTH_BYTES], 0, LENGTH_BYTES);
        out.text(TYPE, type.name());
        int object = out.open(OBJECT);
        out.field(RAW, document, 0, document.length);
        out.close(object);
        byte[] frame = out.toByteArray();
        int length = frame.length - LENGTH_BYTES;
        for (int i = 0; i < LENGTH_BYTES; i++) {
            frame[i] = (byte) (length >>> Byte.SIZE * (LENGTH_BYTES - 1 - i));
        }
        return frame;
    }
}
