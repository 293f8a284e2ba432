package io.tidemark.query.table;

import io.tidemark.query.table.Renderer.ListMeta;
import io.tidemark.view.Projection;
import io.tidemark.view.StoredObject;
import java.util.List;
import java.util.Optional;

/** What an answer shows, as compact JSON in pieces; how it is laid out is a renderer's business. */
interface Content {
    /** A LIST's document through the colon of the member that holds its items. */
    byte[] listHead(ListMeta meta);

    /** The name of that member. */
    String itemsMember();

    /** What stands for no items: {@code []} or {@code null}. */
    byte[] emptyItems();

    /** What comes after the items, through the document's last brace. */
    byte[] listTail();

    /** One item; empty when the object cannot be served in this version. */
    Optional<byte[]> item(StoredObject object);

    /** The items that only come at the list's end, as its order asks for. */
    default Iterable<byte[]> deferredItems() {
        return List.of();
    }

    /** One object as a document of its own; see {@link #item}. */
    Optional<byte[]> single(StoredObject object);

    /**
     * The object of a watch event.
     *
     * @param resourceVersion to show in place of the object's own
     */
    Optional<byte[]> event(StoredObject object, long resourceVersion);

    /** How much of the objects is looked at. */
    default Projection projection() {
        return Projection.WHOLE;
    }

    byte[] bookmark(long resourceVersion, boolean initialEventsEnd);
}
