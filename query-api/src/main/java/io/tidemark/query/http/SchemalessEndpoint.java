package io.tidemark.query.http;

import io.tidemark.query.catalog.Resource;
import io.tidemark.query.encode.EnvelopeObjects;
import io.tidemark.query.encode.StoredEnvelope;
import io.tidemark.query.http.ObjectsEndpoint.Verb;
import io.tidemark.query.http.exchange.Exchange;
import io.tidemark.query.http.exchange.ReadPoints;
import io.tidemark.query.http.exchange.ServingContext;
import io.tidemark.query.http.exchange.SingleRead;
import io.tidemark.query.http.list.ContinueKeyCodec;
import io.tidemark.query.http.list.ListQuery;
import io.tidemark.query.http.list.ListService;
import io.tidemark.query.http.watch.WatchQuery;
import io.tidemark.query.http.watch.WatchService;
import io.tidemark.query.representation.Representation;
import io.tidemark.query.representation.Representation.Shape;
import io.tidemark.query.select.FieldSelectors;
import io.tidemark.query.select.LabelSelectors;
import io.tidemark.query.shard.ShardSelector;
import io.tidemark.query.wire.ListOptions;
import io.tidemark.query.wire.ListOptionsRules;
import io.tidemark.query.wire.TimeTravelOptions;
import io.tidemark.record.Bytes;
import io.tidemark.serving.read.KeyScope;
import io.tidemark.serving.status.StatusErrors;
import io.tidemark.serving.watch.WatchFilter;
import io.tidemark.view.object.Projection;
import io.tidemark.view.object.Selection;
import io.tidemark.view.object.Selection.Requirement;
import io.tidemark.view.object.StoredObject;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Objects of kinds that no schema describes: GET, LIST and WATCH in protobuf, as they are stored.
 * Without a schema there is no JSON, and no label or field to select by but the names in a key.
 */
final class SchemalessEndpoint {
    private final ServingContext serving;
    private final ListService lists;
    private final WatchService watches;

    SchemalessEndpoint(ServingContext serving) {
        this.serving = serving;
        this.lists = new ListService(serving);
        this.watches = new WatchService(serving);
    }

    /** Matches stored objects of a kind in a version. */
    private record StoredAs(String apiVersion, String kind) implements Predicate<StoredObject> {
        private static StoredAs of(Resource resource) {
            return new StoredAs(resource.apiVersion(), resource.kind());
        }

        @Override
        public boolean test(StoredObject object) {
            return StoredEnvelope.of(object)
                    .filter(stored -> stored.is(apiVersion, kind))
                    .isPresent();
        }
    }

    /**
     * @throws io.tidemark.serving.status.StatusException 406 unless the client accepts protobuf,
     *     400 for a selector that needs more than the key, and any other error of the request
     */
    void handle(Exchange exchange, ApiPath.Objects path, Resource resource, Verb verb)
            throws IOException, InterruptedException {
        PathRules.requireNames(path);
        switch (verb) {
            case GET -> get(exchange, path, resource);
            case LIST -> list(exchange, path, resource);
            case WATCH -> watch(exchange, path, resource);
        }
    }

    private void get(Exchange exchange, ApiPath.Objects path, Resource resource)
            throws IOException, InterruptedException {
        Duration timeout = ObjectsEndpoint.timeout(serving, exchange);
        Shape shape =
                TimeTravelOptions.asksForHistory(exchange.parameters()) ? Shape.HISTORY : Shape.GET;
        Representation form = negotiate(exchange, resource, shape);
        TimeTravelOptions past = TimeTravelOptions.forGet(exchange.parameters());
        Bytes key = ObjectScopes.key(resource, path.namespace(), path.name());
        byte[] document =
                new SingleRead(serving, ReadPoints.of(serving, exchange, timeout))
                        .get(exchange, key, past, Projection.WHOLE)
                        .flatMap(object ->
                                new EnvelopeObjects(resource, form)
                                        .document(object, object.revision()))
                        .orElseThrow(() -> ObjectsEndpoint.notFound(path, resource));
        exchange.memory().take(document.length);
        exchange.response().answer(200, form.contentType(), document);
    }

    private void list(Exchange exchange, ApiPath.Objects path, Resource resource)
            throws IOException, InterruptedException {
        Duration timeout = ObjectsEndpoint.timeout(serving, exchange);
        Representation form = negotiate(exchange, resource, Shape.LIST);
        ListOptions options = ListOptions.parse(exchange.parameters());
        ListOptionsRules.checkListTogether(options);
        Selection named = named(options, resource, path);
        EnvelopeObjects objects = new EnvelopeObjects(resource, form);
        ListQuery query =
                new ListQuery(
                        scope(resource, path, named),
                        Bytes.EMPTY,
                        ObjectScopes.prefix(
                                resource,
                                ObjectScopes.namespace(resource, path.namespace(), named)),
                        ContinueKeyCodec.PATHS,
                        Selection.ALL,
                        options,
                        form.contentType(),
                        () -> objects.list(exchange.memory()),
                        resource.qualifiedName(),
                        TimeTravelOptions.forList(exchange.parameters()).at(),
                        "");
        lists.serve(exchange, query, timeout);
    }

    private void watch(Exchange exchange, ApiPath.Objects path, Resource resource)
            throws IOException, InterruptedException {
        TimeTravelOptions.rejectForWatch(exchange.parameters());
        Representation form = negotiate(exchange, resource, ObjectsEndpoint.watchShape(exchange));
        ListOptions options =
                ListOptions.parse(exchange.parameters()).withWatchDefaults().asWatch();
        ListOptionsRules.checkWatchTogether(options);
        Selection named = named(options, resource, path);
        FieldSelectors.requireName(options.fieldSelector(), path.name());
        KeyScope scope = scope(resource, path, named);
        if (options.startsAtRevision()) {
            ReadPoints.of(serving, exchange, serving.times().freshness())
                    .requireSince(scope, options.revision());
        }
        watches.serve(
                exchange,
                new WatchQuery(
                        new WatchFilter(scope, Selection.ALL, StoredAs.of(resource)),
                        options,
                        form.contentType(Shape.WATCH),
                        new EnvelopeObjects(resource, form).events(),
                        resource.qualifiedName()));
    }

    private static Representation negotiate(Exchange exchange, Resource resource, Shape shape) {
        return Representation.negotiateProtobuf(exchange.header("Accept"), resource, shape);
    }

    private static KeyScope scope(Resource resource, ApiPath.Objects path, Selection named) {
        return ObjectScopes.of(resource, path.namespace(), named);
    }

    /** The names that the path and the field selector require. */
    private static Selection named(ListOptions options, Resource resource, ApiPath.Objects path) {
        List<Requirement> requirements =
                new ArrayList<>(FieldSelectors.parse(options.fieldSelector(), resource));
        boolean more =
                !LabelSelectors.parse(options.labelSelector()).isEmpty()
                        || ShardSelector.parse(options.shardSelector()).isPresent();
        if (!path.name().isEmpty()) {
            requirements.add(ObjectScopes.named(path.name()));
        }
        Selection named = new Selection(true, requirements);
        if (more || !ObjectScopes.decides(resource, path.namespace(), named)) {
            throw StatusErrors.badRequest(
                    "%s can only be selected by a namespace and a name in it: no schema of %s %s is known"
                            .formatted(
                                    resource.qualifiedName(),
                                    resource.apiVersion(),
                                    resource.kind()));
        }
        return named;
    }
}
