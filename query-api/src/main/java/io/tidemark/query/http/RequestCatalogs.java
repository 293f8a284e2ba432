package io.tidemark.query.http;

import io.tidemark.query.catalog.Catalog;
import io.tidemark.query.http.exchange.Exchange;
import io.tidemark.query.http.exchange.ReadPoints;
import io.tidemark.query.http.exchange.ServingContext;
import io.tidemark.record.Bytes;
import io.tidemark.serving.freshness.RequestedState;
import io.tidemark.serving.read.KeyScope;
import io.tidemark.serving.read.MergedScan;
import io.tidemark.serving.read.ReadPoint;
import io.tidemark.serving.read.RevisionExpiredException;
import io.tidemark.view.object.Projection;
import io.tidemark.view.object.Selection;
import io.tidemark.view.object.StoredObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The catalogue of each request: the current one, or for a request of the past, with the custom
 * resources that were defined then. Thread-safe.
 */
final class RequestCatalogs {
    /** Definitions seldom change, so few sets of them are in use at a time. */
    private static final int KEPT = 4;

    private final ServingContext serving;
    private final Supplier<Catalog> current;
    private final Function<List<StoredObject>, Catalog> past;
    private final KeyScope definitions;

    /** By the revisions of all definitions; guarded by this. The last ones used are kept. */
    private final Map<Map<Bytes, Long>, Catalog> kept = new LinkedHashMap<>(16, 0.75f, true);

    /**
     * @param past makes a catalogue from the definitions of a time
     * @param definitions the keys of the definitions
     */
    RequestCatalogs(
            ServingContext serving,
            Supplier<Catalog> current,
            Function<List<StoredObject>, Catalog> past,
            KeyScope definitions) {
        this.serving = serving;
        this.current = current;
        this.past = past;
        this.definitions = definitions;
    }

    /** The catalogue of the present. */
    Catalog current() {
        return current.get();
    }

    /**
     * The catalogue of the time that a request sees.
     *
     * @throws io.tidemark.serving.status.StatusException 410 when that time is below the floor, and
     *     others of {@link ReadPoints#await}
     */
    Catalog of(Exchange exchange) throws InterruptedException {
        if (exchange.timeBase().isPresent()) {
            return current.get();
        }
        ReadPoint then =
                ReadPoints.of(serving, exchange, serving.times().freshness())
                        .await(
                                serving.watermarks().partitionsOf(definitions),
                                new RequestedState.Latest());
        try {
            return at(exchange, then);
        } catch (RevisionExpiredException e) {
            throw e.status();
        }
    }

    private Catalog at(Exchange exchange, ReadPoint then) throws InterruptedException {
        Map<Bytes, Long> revisions = new TreeMap<>();
        for (StoredObject object : read(exchange, then, Projection.METADATA)) {
            revisions.put(object.key(), object.revision());
        }
        synchronized (kept) {
            Catalog known = kept.get(revisions);
            if (known != null) {
                return known;
            }
        }
        Catalog made = past.apply(read(exchange, then, Projection.WHOLE));
        synchronized (kept) {
            kept.put(revisions, made);
            if (kept.size() > KEPT) {
                kept.remove(kept.keySet().iterator().next());
            }
        }
        return made;
    }

    private List<StoredObject> read(Exchange exchange, ReadPoint then, Projection projection)
            throws InterruptedException {
        MergedScan scan =
                serving.view()
                        .scan(
                                definitions,
                                Selection.ALL,
                                Bytes.EMPTY,
                                then,
                                serving.limits().scanPage(),
                                projection,
                                exchange.allowance());
        List<StoredObject> objects = new ArrayList<>();
        for (StoredObject object = scan.next(); object != null; object = scan.next()) {
            objects.add(object);
            scan.release(object);
        }
        return objects;
    }
}
