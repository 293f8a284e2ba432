package io.tidemark.query.encode;

import io.tidemark.kubernetes.encode.KubernetesEncoder;
import io.tidemark.kubernetes.wire.ProtobufWriter;
import io.tidemark.query.representation.Renderer.ListMeta;
import io.tidemark.view.object.Projection;
import io.tidemark.view.object.StoredObject;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;
import java.util.function.LongConsumer;

/**
 * Encodes a list as protobuf. Its envelope announces the length of all objects before the first
 * one. A list that fits a buffer is held until its length is known; of a longer one the first pass
 * only measures the objects, and a second pass over the same state writes them.
 */
final class ProtobufListEncoder implements ListEncoder {
    /** Bytes of objects that are held. */
    static final int BUFFER = 1 << 20;

    private static final int LIST_METADATA = 1;
    private static final int ITEMS = 2;
    private static final int UNKNOWN = -1;

    private final ProtobufObjects objects;
    private final LongConsumer memory;

    /** The bytes of all items, from a pass before; or {@link #UNKNOWN}. */
    private final long announced;

    private final ProtobufWriter head = new ProtobufWriter(256);
    private final ProtobufWriter items = new ProtobufWriter(64 << 10);
    private long measured;
    private long booked;

    /**
     * @param memory is called with the number of bytes before the buffer holds more; it refuses by
     *     an exception
     */
    ProtobufListEncoder(ProtobufObjects objects, LongConsumer memory) {
        this(objects, memory, UNKNOWN);
    }

    private ProtobufListEncoder(ProtobufObjects objects, LongConsumer memory, long announced) {
        this.objects = objects;
        this.memory = memory;
        this.announced = announced;
    }

    @Override
    public Projection projection() {
        return objects.projection();
    }

    @Override
    public boolean measures() {
        return announced == UNKNOWN;
    }

    @Override
    public void start(ListMeta meta, OutputStream out) throws IOException {
        int metadata = head.open(LIST_METADATA);
        head.text(1, "");
        head.text(2, meta.resourceVersion());
        head.text(3, meta.continueToken());
        if (meta.remainingItemCount() > 0) {
            head.number(4, meta.remainingItemCount());
        }
        if (objects.isWhole() && !meta.shard().isEmpty()) {
            int shard = head.open(5);
            head.text(1, meta.shard());
            head.close(shard);
        }
        head.close(metadata);
        if (!measures()) {
            writeHead(announced, out);
        }
    }

    @Override
    public void item(StoredObject object, OutputStream out) throws IOException {
        int before = items.size();
        int item = items.open(ITEMS);
        if (!objects.write(object, items)) {
            items.truncate(before);
            return;
        }
        items.close(item);
        measured += items.size() - before;
        if (!measures()) {
            write(items, out);
            items.truncate(0);
        } else if (measured > BUFFER) {
            items.truncate(0);
        } else if (items.size() > booked) {
            long more = Math.min(BUFFER, Math.max(items.size(), 2 * booked)) - booked;
            memory.accept(more);
            booked += more;
        }
    }

    @Override
    public void end(OutputStream out) throws IOException {
        if (measures() && measured > BUFFER) {
            return;
        }
        if (measures()) {
            writeHead(measured, out);
            write(items, out);
        } else if (measured != announced) {
            throw new IOException(
                    "a list of %d bytes has %d in its second pass".formatted(announced, measured));
        }
        ProtobufWriter tail = new ProtobufWriter(16);
        KubernetesEncoder.envelopeTail(tail);
        write(tail, out);
    }

    @Override
    public Optional<ListEncoder> nextPass() {
        return measures() && measured > BUFFER
                ? Optional.of(new ProtobufListEncoder(objects, memory, measured))
                : Optional.empty();
    }

    private void writeHead(long itemBytes, OutputStream out) throws IOException {
        ProtobufWriter envelope = new ProtobufWriter(256);
        KubernetesEncoder.envelopeHead(
                objects.apiVersion(), objects.listKind(), head.size() + itemBytes, envelope);
        write(envelope, out);
        write(head, out);
    }

    private static void write(ProtobufWriter bytes, OutputStream out) throws IOException {
        out.write(bytes.array(), 0, bytes.size());
    }
}
