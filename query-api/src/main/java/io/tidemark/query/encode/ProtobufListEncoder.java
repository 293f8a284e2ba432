package io.tidemark.query.encode;

import io.tidemark.kubernetes.wire.Envelope;
import io.tidemark.kubernetes.wire.ProtobufWriter;
import io.tidemark.kubernetes.wire.Wire;
import io.tidemark.query.compress.GzipPiece;
import io.tidemark.query.compress.PieceOutput;
import io.tidemark.query.compress.SharedPieces;
import io.tidemark.query.group.ObjectGroup;
import io.tidemark.query.representation.Renderer.ListMeta;
import io.tidemark.serving.read.ByteBudget;
import io.tidemark.view.object.Projection;
import io.tidemark.view.object.ProtobufForm;
import io.tidemark.view.object.StoredObject;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Encodes a list as protobuf. Its envelope announces the length of all objects before the first
 * one. A list that fits a buffer is held until its length is known. Of a longer one, or when no
 * memory is free, a pass only measures the objects, and another one over the same state writes
 * them. Where stores keep messages, measuring reads their lengths, and the first pass ends when it
 * holds no more.
 */
final class ProtobufListEncoder implements ListEncoder, GroupedItems.Form {
    /** Bytes of plain objects that are held: as many as a page of a list has at most. */
    static final int BUFFER = 8 << 20;

    /** The buffer grows by segments, as larger arrays would cost the collector more. */
    private static final int SEGMENT = 256 << 10;

    private static final int LIST_METADATA = 1;
    private static final int ITEMS = 2;

    /** What a pass over the objects does. */
    private enum Pass {
        /** Encodes objects and holds them; only measures them once it may hold no more. */
        HOLD,
        /** Reads the lengths of kept messages, and measures other objects. */
        MEASURE,
        /** Writes objects, behind the length of all of them. */
        WRITE
    }

    private final ObjectMessages objects;
    private final ByteBudget.Share memory;

    private final Pass pass;

    /** The bytes of all items, which a pass before has measured. */
    private final long announced;

    private final ProtobufWriter head = new ProtobufWriter(256);
    private final ProtobufWriter items = new ProtobufWriter(SEGMENT);

    /** Taken before any object is encoded. */
    private final Optional<Object> sharedForm;

    private final GroupedItems grouped = new GroupedItems(this);
    private final List<Segment> held = new ArrayList<>();
    private long heldBytes;
    private boolean holds;

    /**
     * Whether messages are kept of what has been read, by this pass or one before. Then no group is
     * copied: checksums are those of the JSON, and the length must be what was measured.
     */
    private boolean kept;

    private long measured;

    /**
     * @param memory of the response; without free memory nothing is held
     */
    ProtobufListEncoder(ObjectMessages objects, ByteBudget.Share memory) {
        this(objects, memory, Pass.HOLD, false, 0);
    }

    private ProtobufListEncoder(
            ObjectMessages objects,
            ByteBudget.Share memory,
            Pass pass,
            boolean kept,
            long announced) {
        this.objects = objects;
        this.sharedForm = objects.sharedForm();
        this.memory = memory;
        this.pass = pass;
        this.kept = kept;
        this.announced = announced;
        this.holds = pass == Pass.HOLD;
    }

    @Override
    public Projection projection() {
        return pass == Pass.MEASURE ? objects.lengthProjection() : objects.projection();
    }

    @Override
    public boolean isFull() {
        return pass == Pass.HOLD && !holds && kept;
    }

    @Override
    public boolean measures() {
        return pass != Pass.WRITE;
    }

    @Override
    public void start(ListMeta meta, PieceOutput out) throws IOException {
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
    public void item(StoredObject object, PieceOutput out) throws IOException {
        int length = objects.keptLength(object);
        kept |= length >= 0;
        if (pass == Pass.MEASURE && length >= 0) {
            measured += ProtobufWriter.fieldLength(ITEMS, length);
            return;
        }
        grouped.add(object, shared(out), out);
    }

    @Override
    public boolean isKept(StoredObject object) {
        return objects.isKept(object);
    }

    @Override
    public void writeAlone(StoredObject object, PieceOutput out) throws IOException {
        if (!measures() && ProtobufForm.isMessage(object)) {
            copy(object, objects.keptLength(object), out);
            return;
        }
        measured += encode(object);
        if (!measures()) {
            write(items, out);
            items.truncate(0);
        } else if (items.size() >= SEGMENT) {
            hold(new Plain(items.toByteArray()));
            items.truncate(0);
        }
    }

    /** Adds an object to the items; returns how many bytes it takes, 0 if it cannot be served. */
    private int encode(StoredObject object) {
        int before = items.size();
        int item = items.open(ITEMS);
        if (!objects.write(object, object.revision(), items)) {
            items.truncate(before);
            return 0;
        }
        items.close(item);
        return items.size() - before;
    }

    private Optional<SharedPieces> shared(PieceOutput out) {
        return sharedForm.isPresent() ? out.shared() : Optional.empty();
    }

    @Override
    public void expect(long atLeast, PieceOutput out) {
        grouped.expect(atLeast, out);
    }

    @Override
    public boolean copiesGroups(PieceOutput out) {
        return !kept && objects.areSummed() && shared(out).isPresent();
    }

    @Override
    public boolean copy(ObjectGroup group, PieceOutput out) throws IOException {
        return grouped.copy(group, shared(out), out);
    }

    @Override
    public Object sharedForm() {
        return sharedForm.orElseThrow();
    }

    @Override
    public void write(GzipPiece piece, PieceOutput out) throws IOException {
        measured += piece.length();
        if (measures()) {
            hold(new Compressed(piece));
        } else {
            out.write(piece);
        }
    }

    @Override
    public byte[] encode(List<StoredObject> group) {
        group.forEach(this::encode);
        byte[] encoded = items.toByteArray();
        items.truncate(0);
        return encoded;
    }

    private void copy(StoredObject object, int length, OutputStream out) throws IOException {
        items.tag(ITEMS, Wire.LENGTH);
        items.varint(length);
        measured += items.size() + length;
        write(items, out);
        items.truncate(0);
        out.write(object.stored(), object.valueOffset(), length);
    }

    /** Keeps what was encoded, or gives up and only measures from now on. */
    private void hold(Segment segment) {
        int bytes = segment.bytes();
        if (holds && heldBytes + bytes <= segment.most() && memory.tryTake(bytes, false)) {
            held.add(segment);
            heldBytes += bytes;
        } else {
            holds = false;
            memory.release(heldBytes);
            heldBytes = 0;
            held.clear();
        }
    }

    @Override
    public void end(PieceOutput out) throws IOException {
        if (!isFull()) {
            grouped.end(shared(out), out);
        }
        if (measures() && !holds) {
            return;
        }
        if (measures()) {
            writeHead(measured, out);
            for (Segment segment : held) {
                segment.writeTo(out);
            }
            write(items, out);
        } else if (measured != announced) {
            throw new IOException(
                    "a list of %d bytes has %d in its second pass".formatted(announced, measured));
        }
        ProtobufWriter tail = new ProtobufWriter(16);
        Envelope.writeTail(tail);
        write(tail, out);
    }

    @Override
    public Optional<ListEncoder> nextPass() {
        if (!measures() || holds) {
            return Optional.empty();
        }
        return Optional.of(
                isFull()
                        ? new ProtobufListEncoder(objects, memory, Pass.MEASURE, kept, 0)
                        : new ProtobufListEncoder(objects, memory, Pass.WRITE, kept, measured));
    }

    private void writeHead(long itemBytes, OutputStream out) throws IOException {
        ProtobufWriter envelope = new ProtobufWriter(256);
        Envelope.writeHead(
                objects.apiVersion(), objects.listKind(), head.size() + itemBytes, envelope);
        write(envelope, out);
        write(head, out);
    }

    private static void write(ProtobufWriter bytes, OutputStream out) throws IOException {
        out.write(bytes.array(), 0, bytes.size());
    }

    /** Some of the items, which are held until the length of all is known. */
    private sealed interface Segment {
        /** What it takes in memory. */
        int bytes();

        /** Bytes that are held at most. */
        int most();

        void writeTo(PieceOutput out) throws IOException;
    }

    @SuppressWarnings("ArrayRecordComponent")
    private record Plain(byte[] items) implements Segment {
        @Override
        public int bytes() {
            return items.length;
        }

        @Override
        public int most() {
            return BUFFER;
        }

        @Override
        public void writeTo(PieceOutput out) throws IOException {
            out.write(items);
        }
    }

    private record Compressed(GzipPiece piece) implements Segment {
        @Override
        public int bytes() {
            return piece.bytes().length;
        }

        /** Other lists share most of them, so holding them takes hardly more memory. */
        @Override
        public int most() {
            return 8 * BUFFER;
        }

        @Override
        public void writeTo(PieceOutput out) throws IOException {
            out.write(piece);
        }
    }
}
