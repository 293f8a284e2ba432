package io.tidemark.query.http;

import io.tidemark.query.catalog.Catalog;
import io.tidemark.query.catalog.Resource;
import io.tidemark.query.catalog.ServedVersion;
import io.tidemark.query.catalog.Subresource;
import io.tidemark.query.encode.ObjectEncoders;
import io.tidemark.query.http.access.WebSocketHandshake;
import io.tidemark.query.http.exchange.Exchange;
import io.tidemark.query.http.exchange.ReadPoints;
import io.tidemark.query.http.exchange.ServingContext;
import io.tidemark.query.http.exchange.SingleRead;
import io.tidemark.query.http.list.ContinueKeyCodec;
import io.tidemark.query.http.list.ListQuery;
import io.tidemark.query.http.list.ListService;
import io.tidemark.query.http.watch.LongPollService;
import io.tidemark.query.http.watch.WatchQuery;
import io.tidemark.query.http.watch.WatchService;
import io.tidemark.query.past.Moment;
import io.tidemark.query.past.TimeBase;
import io.tidemark.query.representation.Representation;
import io.tidemark.query.representation.Representation.Shape;
import io.tidemark.query.representation.ScaleObject;
import io.tidemark.query.select.FieldSelectors;
import io.tidemark.query.select.LabelSelectors;
import io.tidemark.query.select.SelectorBounds;
import io.tidemark.query.shard.ShardSelector;
import io.tidemark.query.wire.GoDuration;
import io.tidemark.query.wire.ListOptions;
import io.tidemark.query.wire.ListOptionsRules;
import io.tidemark.query.wire.TimeTravelOptions;
import io.tidemark.record.Bytes;
import io.tidemark.serving.read.KeyScope;
import io.tidemark.serving.status.StatusErrors;
import io.tidemark.serving.status.StatusException;
import io.tidemark.serving.watch.WatchFilter;
import io.tidemark.view.object.Projection;
import io.tidemark.view.object.Selection;
import io.tidemark.view.object.Selection.Requirement;
import io.tidemark.view.object.StoredObject;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Kubernetes objects: GET of one, LIST and WATCH of many. */
final class ObjectsEndpoint {
    private final ServingContext serving;
    private final ListService lists;
    private final WatchService watches;
    private final LongPollService longPolls;
    private final ObjectHistories histories;
    private final InstantSource clock;

    ObjectsEndpoint(ServingContext serving, InstantSource clock) {
        this.serving = serving;
        this.lists = new ListService(serving);
        this.watches = new WatchService(serving);
        this.longPolls = new LongPollService(serving);
        this.histories = new ObjectHistories(serving, clock);
        this.clock = clock;
    }

    /** The verb of a request in metrics. */
    enum Verb {
        GET,
        LIST,
        WATCH
    }

    Verb verb(ApiPath.Objects path, Exchange exchange) {
        boolean watch = path.watch() || exchange.parameters().flag("watch");
        if (watch && (path.watch() || path.name().isEmpty())) {
            return Verb.WATCH;
        }
        return path.name().isEmpty() ? Verb.LIST : Verb.GET;
    }

    /**
     * @param part the requested part of an object
     * @throws io.tidemark.serving.status.StatusException any error of the request
     */
    void handle(Exchange exchange, ApiPath.Objects path, Resource resource, Subresource part)
            throws IOException, InterruptedException {
        PathRules.requireNames(path);
        switch (verb(path, exchange)) {
            case GET -> get(exchange, path, resource, part);
            case LIST -> list(exchange, path, resource);
            case WATCH -> watch(exchange, path, resource);
        }
    }

    private void get(Exchange exchange, ApiPath.Objects path, Resource resource, Subresource part)
            throws IOException, InterruptedException {
        if (part instanceof Subresource.NotStored) {
            throw unstored(exchange, path, resource);
        }
        Duration timeout = timeout(serving, exchange);
        Shape shape =
                TimeTravelOptions.asksForHistory(exchange.parameters()) ? Shape.HISTORY : Shape.GET;
        Representation representation = negotiate(exchange, resource, shape);
        TimeTravelOptions past = TimeTravelOptions.forGet(exchange.parameters());
        Bytes key = ObjectScopes.key(resource, path.namespace(), path.name());
        if (past.history() && part instanceof Subresource.Scale) {
            // A right to the scale is none to the object.
            throw StatusErrors.badRequest("the history is that of the object, not of its scale");
        }
        if (past.history()) {
            histories.serve(exchange, path, resource, key, representation, past, timeout);
            return;
        }
        Optional<StoredObject> stored =
                new SingleRead(serving, ReadPoints.of(serving, exchange, timeout))
                        .get(exchange, key, past, projection(representation, resource, part));
        if (stored.isPresent() && stored.get().isUnreadable()) {
            throw StatusErrors.unreadable(
                    resource.qualifiedName(),
                    resource.group(),
                    resource.plural(),
                    path.name(),
                    stored.get().reason());
        }
        Optional<StoredObject> object =
                stored.filter(Selection.OBJECTS::matches).filter(o -> servable(resource, o));
        if (object.isEmpty()) {
            throw notFound(path, resource);
        }
        if (!(part instanceof Subresource.Scale)
                && passesAsStored(representation, resource, object.get())) {
            StoredObject whole = representation.shown(object.get());
            exchange.response()
                    .answer(
                            200,
                            representation.contentType(),
                            whole.stored(),
                            whole.valueOffset(),
                            "\n");
            return;
        }
        byte[] body =
                part instanceof Subresource.Scale scale
                        ? scale(representation, resource, object.get(), scale)
                        : encoders(exchange)
                                .single(representation, resource, object.get())
                                .orElseThrow();
        exchange.memory().take(body.length);
        exchange.response().answer(200, representation.contentType(), body);
    }

    /** Like the API server, looks for the object first. */
    private StatusException unstored(Exchange exchange, ApiPath.Objects path, Resource resource)
            throws InterruptedException {
        String name = path.name();
        if (path.subresource().equals("proxy")) {
            // [SCHEME:]NAME:PORT
            String[] parts = name.split(":", -1);
            name = parts[parts.length == 3 ? 1 : 0];
        }
        boolean exists =
                new SingleRead(
                                serving,
                                ReadPoints.of(serving, exchange, serving.times().freshness()))
                        .get(
                                exchange,
                                ObjectScopes.key(resource, path.namespace(), name),
                                TimeTravelOptions.forGet(exchange.parameters()),
                                Projection.METADATA)
                        .isPresent();
        return exists
                ? StatusErrors.notMirrored(resource.qualifiedName() + "/" + path.subresource())
                : StatusErrors.notFound(
                        resource.qualifiedName(), resource.group(), resource.plural(), name);
    }

    private ObjectEncoders encoders(Exchange exchange) {
        return new ObjectEncoders(clock(exchange), serving.encoded());
    }

    /** In a Table of the past an object is as old as it was then, if the time is known. */
    private InstantSource clock(Exchange exchange) {
        return exchange.timeBase() instanceof TimeBase.At(Moment.Time(Instant then))
                ? InstantSource.fixed(then)
                : clock;
    }

    /** A scale needs the whole object, even if only its metadata is returned. */
    private Projection projection(
            Representation representation, Resource resource, Subresource part) {
        return part instanceof Subresource.Scale
                ? Projection.WHOLE
                : new ObjectEncoders(clock, serving.encoded()).projection(representation, resource);
    }

    private byte[] scale(
            Representation representation,
            Resource resource,
            StoredObject object,
            Subresource.Scale scale) {
        StoredObject scaled =
                ScaleObject.of(resource, object, scale)
                        .orElseThrow(
                                () -> StatusErrors.specReplicasMissing("." + scale.specReplicas()));
        return new ObjectEncoders(clock, serving.encoded())
                .single(representation, ScaleObject.RESOURCE, scaled)
                .orElseThrow();
    }

    static StatusException notFound(ApiPath.Objects path, Resource resource) {
        return StatusErrors.notFound(
                resource.qualifiedName(), resource.group(), resource.plural(), path.name());
    }

    private static boolean servable(Resource resource, StoredObject object) {
        return !(ServedVersion.of(resource, object) instanceof ServedVersion.Unservable);
    }

    private static boolean passesAsStored(
            Representation representation, Resource resource, StoredObject object) {
        return ObjectEncoders.passesBytes(representation)
                && ServedVersion.of(resource, object) instanceof ServedVersion.AsStored;
    }

    private void list(Exchange exchange, ApiPath.Objects path, Resource resource)
            throws IOException, InterruptedException {
        Duration timeout = timeout(serving, exchange);
        Representation representation = negotiate(exchange, resource, Shape.LIST);
        ListOptions options = ListOptions.parse(exchange.parameters());
        requireReadableSelectors(options);
        ListOptionsRules.checkListTogether(options);
        List<Requirement> requirements = requirements(options, resource);
        Optional<ShardSelector> shard = ShardSelector.parse(options.shardSelector());
        Selection selection = selection(requirements, shard, path);
        ListQuery query =
                new ListQuery(
                        scope(resource, path.namespace(), selection),
                        Bytes.EMPTY,
                        ObjectScopes.prefix(
                                resource,
                                ObjectScopes.namespace(resource, path.namespace(), selection)),
                        ContinueKeyCodec.PATHS,
                        selection,
                        options,
                        representation.contentType(),
                        () -> encoders(exchange).list(representation, resource, exchange.memory()),
                        resource.qualifiedName(),
                        TimeTravelOptions.forList(exchange.parameters()).at(),
                        shard.map(ShardSelector::text).orElse(""));
        lists.serve(exchange, query, timeout);
    }

    private void watch(Exchange exchange, ApiPath.Objects path, Resource resource)
            throws IOException, InterruptedException {
        TimeTravelOptions.rejectForWatch(exchange.parameters());
        if (exchange.isHead()) {
            throw StatusErrors.methodNotAllowed();
        }
        Representation representation = negotiate(exchange, resource, watchShape(exchange));
        ListOptions requested = ListOptions.parse(exchange.parameters());
        ListOptions options =
                requested.longPoll() ? requested : requested.withWatchDefaults().asWatch();
        requireReadableSelectors(options);
        if (!requested.longPoll()) {
            ListOptionsRules.checkWatchTogether(options);
        }
        List<Requirement> requirements = requirements(requested, resource);
        FieldSelectors.requireName(options.fieldSelector(), path.name());
        Selection selection =
                selection(requirements, ShardSelector.parse(requested.shardSelector()), path);
        WatchFilter filter =
                new WatchFilter(
                        scope(resource, path.namespace(), selection),
                        selection,
                        new ServedIn(resource));
        WatchQuery query =
                new WatchQuery(
                        filter,
                        options,
                        representation.contentType(Shape.WATCH),
                        encoders(exchange).events(representation, resource),
                        resource.qualifiedName());
        if (options.startsAtRevision()) {
            ReadPoints.of(serving, exchange, serving.times().freshness())
                    .requireSince(filter.scope(), options.revision());
        }
        if (requested.longPoll()) {
            longPolls.serve(exchange, query);
        } else {
            watches.serve(exchange, query);
        }
    }

    /** Long polls are one JSON document, and a WebSocket's events are texts. */
    static Shape watchShape(Exchange exchange) {
        return exchange.parameters().flag("longPoll") || WebSocketHandshake.isRequested(exchange)
                ? Shape.TEXT_WATCH
                : Shape.WATCH;
    }

    private static Representation negotiate(Exchange exchange, Resource resource, Shape shape) {
        String accept = exchange.header("Accept");
        Representation.requireRoute(accept, resource, shape);
        return Representation.negotiate(
                accept,
                exchange.parameters().text("includeObject"),
                exchange.pretty(),
                resource,
                shape);
    }

    /** The {@code timeout} parameter, capped by the server's own limit. */
    static Duration timeout(ServingContext serving, Exchange exchange) {
        Duration longest = serving.times().freshness();
        String text = exchange.parameters().text("timeout");
        if (text.isEmpty()) {
            return longest;
        }
        Duration requested = GoDuration.parse(text);
        return requested.isPositive() && requested.compareTo(longest) < 0 ? requested : longest;
    }

    /**
     * Checks the syntax first, before what the options are together and before the fields: in the
     * API server's order, as only the first error is reported.
     */
    private static void requireReadableSelectors(ListOptions options) {
        LabelSelectors.parse(options.labelSelector());
        FieldSelectors.requireReadable(options.fieldSelector());
    }

    /** What the label and the field selector require. */
    private static List<Requirement> requirements(ListOptions options, Resource resource) {
        List<Requirement> requirements =
                new ArrayList<>(LabelSelectors.parse(options.labelSelector()));
        requirements.addAll(FieldSelectors.parse(options.fieldSelector(), resource));
        return requirements;
    }

    private static Selection selection(
            List<Requirement> selectors, Optional<ShardSelector> shard, ApiPath.Objects path) {
        List<Requirement> requirements = new ArrayList<>(selectors);
        shard.map(ShardSelector::requirement).ifPresent(requirements::add);
        SelectorBounds.check(requirements);
        if (!path.name().isEmpty()) {
            requirements.add(ObjectScopes.named(path.name()));
        }
        return new Selection(true, requirements);
    }

    private static KeyScope scope(Resource resource, String namespace, Selection selection) {
        return ObjectScopes.of(resource, namespace, selection);
    }

    static Optional<Resource> find(Catalog catalog, ApiPath.Objects path) {
        return catalog.find(path.group(), path.version(), path.plural());
    }
}
