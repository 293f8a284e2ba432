package io.tidemark.query.http;

import io.tidemark.query.catalog.Catalog;
import io.tidemark.query.catalog.CatalogSource;
import io.tidemark.query.http.changes.ChangesEndpoint.Catalogs;
import io.tidemark.query.http.exchange.Exchange;
import io.tidemark.query.http.exchange.ReadPoints;
import io.tidemark.query.http.exchange.ServingContext;
import io.tidemark.record.Bytes;
import io.tidemark.serving.freshness.RequestedState;
import io.tidemark.serving.read.KeyScope;
import io.tidemark.serving.read.MergedScan;
import io.tidemark.serving.read.ReadPoint;
import io.tidemark.serving.read.RevisionExpiredException;
import io.tidemark.serving.status.StatusErrors;
import io.tidemark.view.object.Projection;
import io.tidemark.view.object.Selection;
import io.tidemark.view.object.StoredObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The catalogue of each request: the current one, or for a request of the past, with the custom
 * resources that were defined then. Thread-safe.
 */
final class RequestCatalogs {
    /** Definitions seldom change, so few sets of them are in use at a time. */
    private static final int KEPT = 4;

    /** How long a request waits for another that makes a catalogue. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final ServingContext serving;
    private final CatalogSource source;
    private final KeyScope definitions;

    /** The last ones used; guarded by itself. */
    private final Map<Definitions, Catalog> kept = new LinkedHashMap<>(16, 0.75f, true);

    /** Held while a catalogue is made: clients that ask for the same time make one of it. */
    private final ReentrantLock making = new ReentrantLock();

    /** The custom resources that were defined at a time, by the revisions of their definitions. */
    private record Definitions(long epoch, Map<Bytes, Long> revisions) {}

    /**
     * @param definitions the keys of the definitions
     */
    RequestCatalogs(ServingContext serving, CatalogSource source, KeyScope definitions) {
        this.serving = serving;
        this.source = source;
        this.definitions = definitions;
    }

    /**
     * The catalogue of the time that a request sees.
     *
     * @throws io.tidemark.serving.status.StatusException 410 when that time is below the floor, 429
     *     when there is no memory for the definitions, and others of {@link ReadPoints#await}
     */
    Catalog of(Exchange exchange) throws InterruptedException {
        if (exchange.timeBase().isPresent()) {
            return source.current();
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

    /**
     * The catalogues of the time that a request sees, as of other revisions.
     *
     * @param catalog what {@link #of} returned
     */
    Catalogs others(Exchange exchange, Catalog catalog) {
        boolean present = exchange.timeBase().isPresent();
        return new Catalogs() {
            @Override
            public Catalog through(long epoch, long revision) throws InterruptedException {
                return present ? newest(epoch, revision) : catalog;
            }

            @Override
            public Optional<Catalog> at(ReadPoint then) throws InterruptedException {
                try {
                    return Optional.of(RequestCatalogs.this.at(exchange, then));
                } catch (RevisionExpiredException _) {
                    return Optional.empty();
                }
            }

            @Override
            public Catalog with(List<StoredObject> definitions) {
                return source.with(definitions);
            }
        };
    }

    /** A change of an object may come before the node has read its definition. */
    private Catalog newest(long epoch, long revision) throws InterruptedException {
        if (!source.await(epoch, revision, serving.times().freshness())) {
            throw StatusErrors.requestTimedOut();
        }
        return source.current();
    }

    private Catalog at(Exchange exchange, ReadPoint then) throws InterruptedException {
        Map<Bytes, Long> revisions = new TreeMap<>();
        MergedScan versions = scan(exchange, then, Projection.METADATA);
        each(
                versions,
                object -> {
                    revisions.put(object.key(), object.revision());
                    versions.release(object);
                });
        Definitions defined = new Definitions(then.epoch(), revisions);
        Catalog known = known(defined);
        if (known != null) {
            return known;
        }
        if (!making.tryLock(PATIENCE.toNanos(), TimeUnit.NANOSECONDS)) {
            throw StatusErrors.requestTimedOut();
        }
        try {
            known = known(defined);
            return known != null ? known : make(exchange, then, defined);
        } finally {
            making.unlock();
        }
    }

    private @Nullable Catalog known(Definitions defined) {
        synchronized (kept) {
            return kept.get(defined);
        }
    }

    private Catalog make(Exchange exchange, ReadPoint then, Definitions defined)
            throws InterruptedException {
        MergedScan scan = scan(exchange, then, Projection.WHOLE);
        List<StoredObject> objects = new ArrayList<>();
        Catalog made;
        try {
            each(scan, objects::add);
            made = source.with(objects);
        } finally {
            objects.forEach(scan::release);
        }
        synchronized (kept) {
            kept.put(defined, made);
            if (kept.size() > KEPT) {
                kept.remove(kept.keySet().iterator().next());
            }
        }
        return made;
    }

    private MergedScan scan(Exchange exchange, ReadPoint then, Projection projection) {
        return serving.view()
                .scan(
                        definitions,
                        Selection.ALL,
                        Bytes.EMPTY,
                        then,
                        serving.limits().scanPage(),
                        projection,
                        exchange.allowance());
    }

    private static void each(MergedScan scan, Consumer<StoredObject> visitor)
            throws InterruptedException {
        try {
            for (StoredObject object = scan.next(); object != null; object = scan.next()) {
                visitor.accept(object);
            }
        } finally {
            scan.abandon();
        }
    }
}
