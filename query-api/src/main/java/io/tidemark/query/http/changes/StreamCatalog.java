package io.tidemark.query.http.changes;

import io.tidemark.query.catalog.Catalog;
import io.tidemark.query.catalog.FixedCatalog;
import io.tidemark.query.catalog.Resource;
import io.tidemark.serving.read.KeyScope;
import io.tidemark.serving.watch.event.Delivery;
import io.tidemark.view.object.StoredObject;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * The resources of a stream of changes: those that were defined when it began, and those that its
 * changes define. The node's catalogue would be of another revision. What has ended stays, since
 * the stream of a definition's objects may end later. For one thread.
 */
final class StreamCatalog {
    /** Beyond, resources that ended are forgotten. */
    private static final int MOST = 50_000;

    private final KeyScope definitions;
    private final Function<List<StoredObject>, Catalog> defined;
    private final Catalog begin;
    private Catalog known;

    /**
     * @param begin the resources as of the stream's begin, or newer if that state is not known
     * @param definitions the keys of the definitions
     * @param defined the catalogue with given definitions
     */
    StreamCatalog(
            Catalog begin, KeyScope definitions, Function<List<StoredObject>, Catalog> defined) {
        this.begin = begin;
        this.known = begin;
        this.definitions = definitions;
        this.defined = defined;
    }

    /** The catalogue for the next changes, with the definitions among them; the same if none is. */
    Catalog with(List<Delivery> deliveries) {
        List<StoredObject> objects = new ArrayList<>();
        for (Delivery each : deliveries) {
            StoredObject current = each.event().change().current();
            if (current != null && definitions.contains(current.key())) {
                objects.removeIf(earlier -> earlier.key().equals(current.key()));
                objects.add(current);
            }
        }
        if (!objects.isEmpty()) {
            add(defined.apply(objects).resources().stream().filter(Resource::custom).toList());
        }
        return known;
    }

    private void add(List<Resource> added) {
        Catalog before = known.resources().size() > MOST ? begin : known;
        known = FixedCatalog.joined(FixedCatalog.of(added), before);
    }
}
