package io.tidemark.query.representation;

import io.tidemark.query.representation.Renderer.ListMeta;
import io.tidemark.view.object.Projection;
import io.tidemark.view.object.StoredObject;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Optional;

/** The content of a response as compact JSON in pieces; a {@link Renderer} formats it. */
interface Content {
    /** A LIST's document through the colon of the member that holds its items. */
    byte[] listHead(ListMeta meta);

    /** The name of the member that holds the items. */
    String itemsMember();

    /** The value for no items: {@code []} or {@code null}. */
    byte[] emptyItems();

    /** The text after the items, through the document's last brace. */
    byte[] listTail();

    /** One item; empty when the object cannot be served in this version. */
    Optional<byte[]> item(StoredObject object);

    /**
     * Writes what {@link #item} returns.
     *
     * @param before is written first, if there is an item
     * @return whether there is one
     */
    default boolean writeItem(char before, StoredObject object, OutputStream out)
            throws IOException {
        Optional<byte[]> item = item(object);
        if (item.isPresent()) {
            out.write(before);
            out.write(item.get());
        }
        return item.isPresent();
    }

    /** Items that must be sorted and therefore come at the list's end. */
    default Iterable<byte[]> deferredItems() {
        return List.of();
    }

    /** One object as a complete document; see {@link #item}. */
    Optional<byte[]> single(StoredObject object);

    /**
     * The object of a watch event.
     *
     * @param resourceVersion to show in place of the object's own
     */
    Optional<byte[]> event(StoredObject object, long resourceVersion);

    /** The part of each object that it needs. */
    default Projection projection() {
        return Projection.WHOLE;
    }

    byte[] bookmark(long resourceVersion, boolean initialEventsEnd);
}
