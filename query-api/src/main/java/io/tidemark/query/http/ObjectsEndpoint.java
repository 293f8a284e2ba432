package io.tidemark.query.http;

import io.tidemark.query.catalog.Catalog;
import io.tidemark.query.catalog.Resource;
import io.tidemark.query.catalog.ServedVersion;
import io.tidemark.query.read.Freshness;
import io.tidemark.query.read.KeyScope;
import io.tidemark.query.read.PartitionSet;
import io.tidemark.query.read.ReadPoint;
import io.tidemark.query.select.FieldSelectors;
import io.tidemark.query.select.LabelSelectors;
import io.tidemark.query.status.Refusals;
import io.tidemark.query.table.Representation;
import io.tidemark.query.table.Representation.Format;
import io.tidemark.query.table.Representation.Shape;
import io.tidemark.query.table.Representation.View;
import io.tidemark.query.watch.Interest;
import io.tidemark.query.wire.EventForm;
import io.tidemark.query.wire.GoDuration;
import io.tidemark.query.wire.JsonEventForm;
import io.tidemark.query.wire.JsonListForm;
import io.tidemark.query.wire.ListForm;
import io.tidemark.query.wire.ListOptions;
import io.tidemark.query.wire.RenderedEventForm;
import io.tidemark.query.wire.RenderedListForm;
import io.tidemark.record.Bytes;
import io.tidemark.view.Selection;
import io.tidemark.view.Selection.Operator;
import io.tidemark.view.Selection.Requirement;
import io.tidemark.view.StoredObject;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Kubernetes objects: GET of one, LIST and WATCH of many. */
final class ObjectsEndpoint {
    private final Reading reading;
    private final ListService lists;
    private final WatchService watches;
    private final LongPollService longPolls;
    private final InstantSource clock;

    ObjectsEndpoint(Reading reading, InstantSource clock) {
        this.reading = reading;
        this.lists = new ListService(reading);
        this.watches = new WatchService(reading);
        this.longPolls = new LongPollService(reading);
        this.clock = clock;
    }

    /** What was done, for counting. */
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
     * @throws io.tidemark.query.status.StatusException 404 for a path that no object of the
     *     resource can have, and whatever else speaks against it
     */
    void handle(Exchange exchange, ApiPath.Objects path, Resource resource)
            throws IOException, InterruptedException {
        switch (verb(path, exchange)) {
            case GET -> get(exchange, path, resource);
            case LIST -> list(exchange, path, resource);
            case WATCH -> watch(exchange, path, resource);
        }
    }

    /** Whether an object of the resource can have the path: one has a namespace, another none. */
    static boolean fits(ApiPath.Objects path, Resource resource) {
        return resource.namespaced()
                ? path.name().isEmpty() || !path.namespace().isEmpty()
                : path.namespace().isEmpty();
    }

    private void get(Exchange exchange, ApiPath.Objects path, Resource resource)
            throws IOException, InterruptedException {
        Duration timeout = timeout(exchange);
        Representation representation =
                negotiate(exchange, resource, Shape.GET, exchange.pretty(true));
        String requested = exchange.parameters().text("resourceVersion");
        long revision = ListOptions.revisionOf(requested);
        Bytes key = key(resource, path.namespace(), path.name());
        PartitionSet partitions = reading.tides().partitionsOf(KeyScope.exact(key));
        Freshness freshness = reading.freshness().within(timeout);
        ReadPoint at =
                requested.isEmpty()
                        ? freshness.latest(partitions)
                        : revision == 0
                                ? freshness.any(partitions)
                                : freshness.notOlderThan(partitions, revision, requested);
        exchange.asOf(at.asOfMillis());
        Optional<StoredObject> stored = reading.view().get(key, at);
        if (stored.isPresent() && stored.get().isUnreadable()) {
            throw Refusals.unreadable(
                    resource.qualifiedName(),
                    resource.group(),
                    resource.plural(),
                    path.name(),
                    stored.get().reason());
        }
        Optional<StoredObject> object =
                stored.filter(Selection.OBJECTS::matches).filter(o -> servable(resource, o));
        if (object.isEmpty()) {
            throw Refusals.notFound(
                    resource.qualifiedName(), resource.group(), resource.plural(), path.name());
        }
        exchange.answer(
                200, representation.contentType(), single(representation, resource, object.get()));
    }

    private static boolean servable(Resource resource, StoredObject object) {
        return !(ServedVersion.of(resource, object) instanceof ServedVersion.Unservable);
    }

    private byte[] single(Representation representation, Resource resource, StoredObject object) {
        boolean asStored = ServedVersion.of(resource, object) instanceof ServedVersion.AsStored;
        if (!passesBytes(representation) || !asStored) {
            return representation.renderer(resource, clock).single(object).orElseThrow();
        }
        byte[] body = new byte[object.valueLength() + 1];
        System.arraycopy(object.stored(), object.valueOffset(), body, 0, object.valueLength());
        body[body.length - 1] = '\n';
        return body;
    }

    private void list(Exchange exchange, ApiPath.Objects path, Resource resource)
            throws IOException, InterruptedException {
        Duration timeout = timeout(exchange);
        ListOptions options = ListOptions.parse(exchange.parameters());
        Representation representation =
                negotiate(exchange, resource, Shape.LIST, exchange.pretty(false));
        Selection selection = selection(options, path, resource);
        ListQuery query =
                new ListQuery(
                        scope(resource, path.namespace(), selection),
                        prefix(resource, path.namespace()),
                        TokenKeys.PATHS,
                        selection,
                        options,
                        representation.contentType(),
                        () -> listForm(representation, resource),
                        resource.qualifiedName());
        lists.serve(exchange, query, timeout);
    }

    private void watch(Exchange exchange, ApiPath.Objects path, Resource resource)
            throws IOException, InterruptedException {
        ListOptions asked = ListOptions.parse(exchange.parameters());
        if (exchange.isHead()) {
            throw Refusals.methodNotAllowed();
        }
        Representation representation = negotiate(exchange, resource, Shape.WATCH, false);
        Selection selection = selection(asked, path, resource);
        Interest interest =
                new Interest(
                        scope(resource, path.namespace(), selection),
                        selection,
                        Optional.of(resource));
        ListOptions options = asked.longPoll() ? asked : asked.asWatch().withWatchDefaults();
        WatchQuery query =
                new WatchQuery(
                        interest,
                        options,
                        representation.contentType(),
                        eventForm(representation, resource),
                        resource.qualifiedName());
        if (asked.longPoll()) {
            longPolls.serve(exchange, query);
        } else {
            watches.serve(exchange, query);
        }
    }

    private ListForm listForm(Representation representation, Resource resource) {
        return passesBytes(representation)
                ? new JsonListForm(resource)
                : new RenderedListForm(representation.renderer(resource, clock));
    }

    private EventForm eventForm(Representation representation, Resource resource) {
        if (passesBytes(representation)) {
            return new JsonEventForm(resource, () -> representation.renderer(resource, clock));
        }
        Object key = List.of(representation, resource.apiVersion());
        return new RenderedEventForm(key, representation.renderer(resource, clock));
    }

    private static boolean passesBytes(Representation representation) {
        return representation.format() == Format.JSON
                && representation.view() instanceof View.Whole
                && !representation.pretty();
    }

    private static Representation negotiate(
            Exchange exchange, Resource resource, Shape shape, boolean pretty) {
        return Representation.negotiate(
                exchange.header("Accept"),
                exchange.parameters().text("includeObject"),
                pretty,
                resource,
                shape);
    }

    /** The {@code timeout} parameter, at most what the server allows itself. */
    private Duration timeout(Exchange exchange) {
        Duration longest = reading.times().freshness();
        String text = exchange.parameters().text("timeout");
        if (text.isEmpty()) {
            return longest;
        }
        Duration asked = GoDuration.parse(text);
        return asked.isPositive() && asked.compareTo(longest) < 0 ? asked : longest;
    }

    private static Selection selection(
            ListOptions options, ApiPath.Objects path, Resource resource) {
        List<Requirement> requirements =
                new ArrayList<>(LabelSelectors.parse(options.labelSelector()));
        List<Requirement> fields = FieldSelectors.parse(options.fieldSelector(), resource);
        requirements.addAll(fields);
        if (!path.name().isEmpty()) {
            Requirement named = ObjectScopes.named(path.name());
            if (fields.stream().anyMatch(field -> contradicts(field, named))) {
                throw Refusals.badRequest(
                        "fieldSelector metadata.name doesn't match requested name");
            }
            requirements.add(named);
        }
        return new Selection(true, requirements);
    }

    private static boolean contradicts(Requirement field, Requirement named) {
        return field.name().equals(named.name())
                && field.operator() == Operator.IN
                && !field.values().equals(named.values());
    }

    private static KeyScope scope(Resource resource, String namespace, Selection selection) {
        return ObjectScopes.of(resource, namespace, selection);
    }

    private static Bytes prefix(Resource resource, String namespace) {
        return ObjectScopes.prefix(resource, namespace);
    }

    private static Bytes key(Resource resource, String namespace, String name) {
        return ObjectScopes.prefix(resource, namespace).concat(Bytes.utf8(name));
    }

    static Optional<Resource> find(Catalog catalog, ApiPath.Objects path) {
        return catalog.find(path.group(), path.version(), path.plural());
    }
}
