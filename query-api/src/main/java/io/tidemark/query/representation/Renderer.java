package io.tidemark.query.representation;

import io.tidemark.view.object.Projection;
import io.tidemark.view.object.StoredObject;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;

/**
 * Writes the objects of one response in one format, piece by piece so that a LIST can stream. The
 * parts of a LIST must be requested in order: start, items, end. For one response and one thread.
 */
public abstract class Renderer {
    final Content content;

    Renderer(Content content) {
        this.content = content;
    }

    /** The part of each object that it needs. */
    public final Projection projection() {
        return content.projection();
    }

    /** A LIST's beginning. */
    public abstract byte[] listStart(ListMeta meta);

    /**
     * Writes the next object of a LIST, with its separator; nothing when it cannot be served in
     * this version or is deferred to the end.
     */
    public abstract void listItem(StoredObject object, OutputStream out) throws IOException;

    /** A LIST's end, with a line feed where the API server's has one. */
    public abstract byte[] listEnd();

    /** The response to GET; empty when the object cannot be served in this version. */
    public abstract Optional<byte[]> single(StoredObject object);

    /**
     * The {@code object} of a watch event, compact JSON without a line feed; empty when the object
     * cannot be served in this version. Once a Table has shown its columns, later ones do not.
     *
     * @param resourceVersion to show in place of the object's own: the event's revision
     */
    public final Optional<byte[]> eventObject(StoredObject object, long resourceVersion) {
        return content.event(object, resourceVersion);
    }

    /** The {@code object} of a BOOKMARK event, compact JSON without a line feed. */
    public final byte[] bookmark(long resourceVersion, boolean initialEventsEnd) {
        return content.bookmark(resourceVersion, initialEventsEnd);
    }

    /**
     * Metadata of a list.
     *
     * @param continueToken empty for none
     * @param remainingItemCount 0 for none
     * @param shard the selector of the shard that the list holds; empty for none. Only lists of
     *     whole built-in objects show it, as in the API server
     */
    public record ListMeta(
            String resourceVersion, String continueToken, long remainingItemCount, String shard) {
        /** Of a list of all shards. */
        public ListMeta(String resourceVersion, String continueToken, long remainingItemCount) {
            this(resourceVersion, continueToken, remainingItemCount, "");
        }
    }
}
