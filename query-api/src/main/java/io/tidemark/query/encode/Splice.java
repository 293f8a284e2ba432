package io.tidemark.query.encode;

import io.tidemark.query.catalog.ServedVersion.Renamed;
import io.tidemark.serving.watch.event.EventType;
import io.tidemark.view.object.StoredObject;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Copies a stored value and replaces bytes at known offsets: its resourceVersion and its
 * apiVersion. Most objects are changed in no other way between store and wire.
 */
public final class Splice {
    private Splice() {}

    /**
     * @param renamed the apiVersion to write; null to keep it
     */
    static byte[] line(
            EventType type, StoredObject object, long resourceVersion, @Nullable Renamed renamed) {
        byte[] stored = object.stored();
        boolean ownRevision =
                resourceVersion == object.revision() || object.resourceVersionOffset() == 0;
        if (ownRevision && renamed == null) {
            return whole(type, stored, object.valueOffset());
        }
        Out out = new Out(stored.length - object.valueOffset() + 96);
        out.writeBytes(type.start());
        int at = object.valueOffset();
        int revisionAt = ownRevision ? Integer.MAX_VALUE : object.resourceVersionOffset();
        if (renamed != null && renamed.fromInclusive() < revisionAt) {
            at = rename(out, stored, at, renamed);
        }
        if (!ownRevision) {
            out.write(stored, at, revisionAt - at);
            out.writeBytes(Long.toString(resourceVersion).getBytes(StandardCharsets.US_ASCII));
            at = revisionAt + Long.toString(object.revision()).length();
        }
        if (renamed != null && renamed.fromInclusive() > revisionAt) {
            at = rename(out, stored, at, renamed);
        }
        out.write(stored, at, stored.length - at);
        out.writeBytes(EventType.end());
        return out.toByteArray();
    }

    private static int rename(Out out, byte[] stored, int from, Renamed renamed) {
        out.write(stored, from, renamed.fromInclusive() - from);
        out.writeBytes(renamed.apiVersion());
        return renamed.toExclusive();
    }

    private static byte[] whole(EventType type, byte[] stored, int from) {
        byte[] start = type.start();
        byte[] end = EventType.end();
        int length = stored.length - from;
        byte[] line = new byte[start.length + length + end.length];
        System.arraycopy(start, 0, line, 0, start.length);
        System.arraycopy(stored, from, line, start.length, length);
        System.arraycopy(end, 0, line, start.length + length, end.length);
        return line;
    }

    /** Returns its array without a copy if it is exactly full. */
    private static final class Out extends ByteArrayOutputStream {
        Out(int size) {
            super(size);
        }

        @Override
        public synchronized byte[] toByteArray() {
            return count == buf.length ? buf : super.toByteArray();
        }
    }
}
