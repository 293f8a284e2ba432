package io.tidemark.query.watch;

import io.tidemark.query.compress.GzipPiece;
import io.tidemark.query.compress.SharedPieces;
import io.tidemark.query.compress.StreamCoding;
import io.tidemark.query.group.ObjectGroup;
import io.tidemark.serving.watch.event.EventEncoder;
import io.tidemark.serving.watch.event.EventType;
import io.tidemark.view.object.Projection;
import io.tidemark.view.object.StoredObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Compresses lines that no live event shares. Small ones are compressed together, which is faster
 * and smaller than one by one; they wait for {@link #flush} at most. The objects with which watches
 * begin are compressed in groups, which watches of the same form share. For one thread.
 */
public final class CodedSink implements EventSink {
    /** No more bytes than a connection's buffer holds back anyway. */
    static final int BATCH = 32 << 10;

    /** Of less, the checksums are not worth reading. */
    private static final long LONG = 128 << 10;

    private final EventSink sink;
    private final StreamCoding coding;
    private final Optional<SharedPieces> shared;
    private final ByteArrayOutputStream held = new ByteArrayOutputStream();
    private final ObjectGroup group = new ObjectGroup();

    /** Encodes the group's objects. */
    private @Nullable EventEncoder form;

    /** Whether objects with which the watch begins may be kept. */
    private boolean keeps;

    /** Of the form when the group began. */
    private Optional<Object> key = Optional.empty();

    /**
     * @param shares whether groups are shared if the coding allows it, which takes {@link
     *     SharedPieces#MEMORY}
     */
    public CodedSink(EventSink sink, StreamCoding coding, boolean shares) {
        this.sink = sink;
        this.coding = coding;
        this.shared = shares ? coding.shared() : Optional.empty();
    }

    @Override
    public void sendInitial(StoredObject object, EventEncoder form)
            throws IOException, InterruptedException {
        if (group.isEmpty()) {
            this.form = form;
            key = shared.flatMap(_ -> form.lastingKey());
        }
        if (key.isEmpty()) {
            EventSink.super.sendInitial(object, form);
            return;
        }
        sendHeld();
        boolean kept = form.isKept(object);
        keeps |= kept;
        if (group.add(object, kept)) {
            sendGroup();
        }
    }

    @Override
    public boolean copiesGroups(EventEncoder form, Object objects) {
        return shared.isPresent()
                && shared.get().hadParts(objects)
                && form.lastingKey().isPresent()
                && form.projection() instanceof Projection.Whole;
    }

    @Override
    public void sentInitial(Object objects, long bytes) {
        shared.ifPresent(pieces -> pieces.made(objects, keeps && bytes > LONG));
    }

    @Override
    public boolean copy(ObjectGroup next, EventEncoder form)
            throws IOException, InterruptedException {
        Optional<Object> lasting = form.lastingKey();
        if (!group.isEmpty()
                || shared.isEmpty()
                || lasting.isEmpty()
                || !next.objects().stream().allMatch(form::isKept)) {
            return false;
        }
        Optional<GzipPiece> piece = next.find(shared.get(), linesOf(lasting.get()));
        if (piece.isPresent()) {
            keeps = true;
            sendHeld();
            sink.send(coding.piece(piece.get()));
        }
        return piece.isPresent();
    }

    private static Object linesOf(Object form) {
        return List.of(EventType.ADDED, form);
    }

    private void sendGroup() throws IOException, InterruptedException {
        if (group.isEmpty()) {
            return;
        }
        EventEncoder encoder = Objects.requireNonNull(form);
        GzipPiece piece =
                group.take(
                        shared.orElseThrow(),
                        linesOf(key.orElseThrow()),
                        objects -> lines(objects, encoder));
        sink.send(coding.piece(piece));
    }

    private static byte[] lines(List<StoredObject> objects, EventEncoder encoder) {
        ByteArrayOutputStream lines = new ByteArrayOutputStream(SharedPieces.MOST);
        for (StoredObject object : objects) {
            lines.writeBytes(encoder.line(EventType.ADDED, object, object.revision()));
        }
        return lines.toByteArray();
    }

    @Override
    public void send(byte[] line) throws IOException, InterruptedException {
        sendGroup();
        if (held.size() + line.length > BATCH) {
            sendHeld();
        }
        if (line.length > BATCH) {
            sink.send(coding.line(line));
        } else {
            held.writeBytes(line);
        }
    }

    @Override
    public void flush() throws IOException, InterruptedException {
        sendGroup();
        sendHeld();
        sink.flush();
    }

    private void sendHeld() throws IOException, InterruptedException {
        if (held.size() > 0) {
            byte[] lines = held.toByteArray();
            held.reset();
            sink.send(coding.line(lines));
        }
    }
}
