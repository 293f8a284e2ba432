package io.tidemark.query.http.changes;

import io.tidemark.query.catalog.Catalog;
import io.tidemark.query.catalog.FixedCatalog;
import io.tidemark.query.catalog.LiveCatalog;
import io.tidemark.query.catalog.Resource;
import io.tidemark.query.changes.ChangeDocuments;
import io.tidemark.query.changes.ChangeDocuments.ChangePage;
import io.tidemark.query.changes.ChangeFilter;
import io.tidemark.query.changes.ChangeItem;
import io.tidemark.query.changes.ChangesQuery;
import io.tidemark.query.changes.ChangesQuery.ResourceName;
import io.tidemark.query.http.exchange.Exchange;
import io.tidemark.query.http.exchange.ReadPoints;
import io.tidemark.query.http.exchange.ResponseBody;
import io.tidemark.query.http.exchange.ServingContext;
import io.tidemark.record.Bytes;
import io.tidemark.serving.read.PartitionSet;
import io.tidemark.serving.read.ReadPoint;
import io.tidemark.serving.read.RevisionExpiredException;
import io.tidemark.serving.status.StatusErrors;
import io.tidemark.serving.status.StatusException;
import io.tidemark.view.object.StoredObject;
import io.tidemark.view.request.ChangePosition;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Serves {@code /changes}: what changed in a range of the history, a page at a time. */
public final class ChangesEndpoint {
    private final ServingContext serving;
    private final Bytes mirrored;

    /**
     * @param mirrored the prefix under which keys are mirrored
     */
    public ChangesEndpoint(ServingContext serving, Bytes mirrored) {
        this.serving = serving;
        this.mirrored = mirrored;
    }

    /** The resources of the time that a request sees. */
    public interface Catalogs {
        /**
         * At least as new as a revision: waits for the definitions.
         *
         * @throws StatusException 504 when they do not come
         */
        Catalog through(long epoch, long revision) throws InterruptedException;

        /**
         * As of exactly this state of the partitions with the definitions; empty when it cannot be
         * read any more, or is inside a gap.
         *
         * @throws StatusException 429 when there is no memory for the definitions, 503 when no
         *     replica answers in time, 504 when others read them for too long
         */
        Optional<Catalog> at(ReadPoint then) throws InterruptedException;

        /** With these custom resources only. */
        Catalog with(List<StoredObject> definitions);
    }

    /**
     * What a request asks for.
     *
     * @throws StatusException 400 for an invalid parameter
     */
    public static ChangesQuery query(Exchange exchange) {
        return ChangesQuery.parse(
                exchange.parameters(), exchange.header("Accept"), exchange.arrival());
    }

    /**
     * Writes the whole answer; for a watch, until it ends.
     *
     * @param catalog the resources of the time that the request sees
     * @param catalogs the same, also as of other revisions
     * @throws StatusException the error to answer with
     * @throws IOException if the client has disconnected
     */
    public void serve(Exchange exchange, Catalog catalog, Catalogs catalogs)
            throws IOException, InterruptedException {
        ChangesQuery query = query(exchange);
        List<Resource> named = named(query, catalog);
        requireNamespaces(query, named);
        ChangeScope scope = ChangeScope.of(query, named, mirrored);
        PartitionSet partitions = serving.watermarks().partitionsOf(scope.keys());
        ReadPoints points = ReadPoints.of(serving, exchange, serving.times().freshness());
        if (query.watch()) {
            new ChangeStream(
                            serving,
                            exchange,
                            points,
                            query,
                            scope.keys(),
                            (at, known) -> owners(points, at, query, known))
                    .serve((from, newest) ->
                            new StreamCatalog(
                                    named.isEmpty()
                                            ? begin(catalogs, points, from, newest)
                                            : catalog,
                                    LiveCatalog.scope(mirrored),
                                    catalogs::with));
            return;
        }
        try {
            page(exchange, query, catalog, catalogs, named, scope, points, partitions);
        } catch (RevisionExpiredException e) {
            throw e.status();
        }
    }

    /** What a stream of all resources begins with; its changes hold the later definitions. */
    private Catalog begin(Catalogs catalogs, ReadPoints points, long from, ReadPoint newest)
            throws InterruptedException {
        Optional<Catalog> exact =
                definedAt(catalogs, points, newest, Math.min(from, newest.revision()));
        return exact.isPresent()
                ? exact.get()
                : catalogs.through(newest.epoch(), newest.revision());
    }

    /** All resources now, and at both ends of a range: a definition may have ended since. */
    private Catalog during(Catalogs catalogs, ReadPoints points, ChangeRange range)
            throws InterruptedException {
        ReadPoint to = range.to();
        Catalog now = catalogs.through(to.epoch(), to.revision());
        Catalog known = joined(now, definedAt(catalogs, points, to, to.revision()));
        return range.from() < to.revision()
                ? joined(known, definedAt(catalogs, points, to, range.from()))
                : known;
    }

    private static Catalog joined(Catalog known, Optional<Catalog> then) {
        return then.isPresent() ? FixedCatalog.joined(known, then.get()) : known;
    }

    private Optional<Catalog> definedAt(
            Catalogs catalogs, ReadPoints points, ReadPoint newest, long revision)
            throws InterruptedException {
        PartitionSet partitions = serving.watermarks().partitionsOf(LiveCatalog.scope(mirrored));
        return catalogs.at(points.earlier(newest, partitions, revision));
    }

    private static List<Resource> named(ChangesQuery query, Catalog catalog) {
        List<Resource> named = new ArrayList<>();
        for (ResourceName name : query.resources()) {
            named.add(
                    catalog.resources().stream()
                            .filter(each -> each.group().equals(name.group()))
                            .filter(each -> each.plural().equals(name.plural()))
                            .findFirst()
                            .orElseThrow(() ->
                                    StatusErrors.badRequest(
                                            ("unknown resource %s: write pods, or"
                                                            + " deployments.apps")
                                                    .formatted(name))));
        }
        return named;
    }

    /** The right to a namespace is none to what is outside of all. */
    private static void requireNamespaces(ChangesQuery query, List<Resource> named) {
        for (Resource each : named) {
            if (!query.namespace().isEmpty() && !each.namespaced()) {
                throw StatusErrors.badRequest(
                        "%s are not in namespaces: ask for them without namespace"
                                .formatted(new ResourceName(each.group(), each.plural())));
            }
        }
    }

    private void page(
            Exchange exchange,
            ChangesQuery query,
            Catalog early,
            Catalogs catalogs,
            List<Resource> named,
            ChangeScope scope,
            ReadPoints points,
            PartitionSet partitions)
            throws IOException, InterruptedException {
        long floor = serving.watermarks().status(partitions).floor();
        ChangeRange range = ChangeRange.of(query, partitions, points, floor);
        Catalog catalog = named.isEmpty() ? during(catalogs, points, range) : early;
        ChangesFound found = found(exchange, query, catalog, named, scope, points, range);
        RootOwners owners = owners(points, range.to(), query, catalog);
        List<ChangeItem> items = new ArrayList<>();
        for (ChangeItem each : found.items()) {
            items.add(owners.withRoot(each));
        }
        Map<Long, Instant> times = times(points, range, items);
        exchange.response().asOf(range.to().asOfMillis());
        ChangePage page =
                new ChangePage(
                        items,
                        range.from(),
                        range.to().revision(),
                        range.floor(),
                        range.complete(),
                        found.hidden(),
                        range.token(found.end()));
        try (ResponseBody body = exchange.response().body(200, query.form().contentType())) {
            new ChangeDocuments(revision -> time(times, revision)).write(page, query.form(), body);
            body.finish();
        }
    }

    private ChangesFound found(
            Exchange exchange,
            ChangesQuery query,
            Catalog catalog,
            List<Resource> named,
            ChangeScope scope,
            ReadPoints points,
            ChangeRange range)
            throws InterruptedException {
        ChangeFilter filter = new ChangeFilter(query, catalog);
        ChangesRead read =
                ChangesRead.begin(
                        serving.view(),
                        exchange,
                        scope,
                        filter,
                        query.limit(),
                        serving.limits().listPageBytes());
        ReadPoint to = range.to();
        if (query.compare()) {
            ComparedStates states =
                    new ComparedStates(
                            read,
                            ChangeScope.compared(query, named, catalog, mirrored),
                            (at, keys) ->
                                    points.earlier(
                                            at,
                                            serving.watermarks().partitionsOf(keys),
                                            at.revision()));
            return states.page(
                    points.earlier(to, to.partitions(), range.from()),
                    to,
                    range.begin(states::key).orElse(Bytes.EMPTY));
        }
        ChangePages pages = new ChangePages(read);
        Optional<ChangePosition> begin = range.begin(ChangePages::position);
        return query.oldestFirst()
                ? pages.oldest(to, begin.orElse(ChangePosition.endOf(range.from())))
                : pages.newest(to, range.from(), begin.orElse(ChangePosition.endOf(to.revision())));
    }

    private RootOwners owners(
            ReadPoints points, ReadPoint at, ChangesQuery query, Catalog catalog) {
        return new RootOwners(serving, points, at, catalog, query::covers);
    }

    private static Map<Long, Instant> times(
            ReadPoints points, ChangeRange range, List<ChangeItem> items)
            throws InterruptedException {
        TreeSet<Long> revisions = new TreeSet<>();
        revisions.add(range.from());
        revisions.add(range.floor());
        revisions.add(range.to().revision());
        items.forEach(item -> revisions.add(item.revision()));
        return points.timesOf(range.to(), List.copyOf(revisions));
    }

    private static Instant time(Map<Long, Instant> times, long revision) {
        @Nullable Instant time = times.get(revision);
        if (time == null) {
            throw new IllegalStateException("no time of " + revision);
        }
        return time;
    }
}
