package io.tidemark.query.http;

import io.tidemark.query.encode.KeyValueEventEncoder;
import io.tidemark.query.encode.KeyValueListEncoder;
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
import io.tidemark.query.wire.HistoryDocument.VersionContent;
import io.tidemark.query.wire.KeyValueJson;
import io.tidemark.query.wire.ListOptions;
import io.tidemark.query.wire.Parameters;
import io.tidemark.query.wire.TimeTravelOptions;
import io.tidemark.record.Bytes;
import io.tidemark.serving.read.KeyScope;
import io.tidemark.serving.read.PartitionSetStatus;
import io.tidemark.serving.status.StatusErrors;
import io.tidemark.serving.status.StatusException;
import io.tidemark.serving.watch.WatchFilter;
import io.tidemark.view.object.Projection;
import io.tidemark.view.object.Selection;
import io.tidemark.view.object.StoredObject;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;

/**
 * Plain keys and values for users of etcd: {@code /kv/KEY} is one key, {@code /kv/PREFIX/} or
 * {@code /kv/PREFIX?prefix=true} all keys with a prefix. Both are percent-encoded; a key with a
 * zero byte, which no path can hold, is passed as {@code /kv?key=KEY}. Parameters have the same
 * meaning as for Kubernetes objects: {@code resourceVersion}, {@code resourceVersionMatch}, {@code
 * limit}, {@code continue}, {@code watch}, {@code longPoll}, {@code allowWatchBookmarks}, {@code
 * sendInitialEvents}, {@code timeoutSeconds}, {@code at}, {@code history}. A list may also begin at
 * {@code from=KEY}, and with {@code values=false} it has no values.
 *
 * <p>GET of a key returns the value's bytes, with X-Etcd-Mod-Revision, X-Etcd-Create-Revision,
 * X-Etcd-Version and X-Etcd-Lease; {@code output=json} returns the JSON document of lists and
 * events, see {@link KeyValueJson}. Kubernetes objects are returned as mirrored: compact JSON with
 * their resourceVersion.
 */
final class KeyValueEndpoint {
    private static final String LABEL = "kv";
    private static final String JSON = "application/json";

    private final ServingContext serving;
    private final Bytes mirrored;
    private final ListService lists;
    private final WatchService watches;
    private final LongPollService longPolls;
    private final HistoryService histories;

    /**
     * @param mirrored the prefix under which keys are mirrored
     */
    KeyValueEndpoint(ServingContext serving, Bytes mirrored) {
        this.serving = serving;
        this.mirrored = mirrored;
        this.lists = new ListService(serving);
        this.watches = new WatchService(serving);
        this.longPolls = new LongPollService(serving);
        this.histories = new HistoryService(serving);
    }

    ObjectsEndpoint.Verb verb(ApiPath.KeyValue path, Exchange exchange) {
        if (exchange.parameters().flag("watch")) {
            return ObjectsEndpoint.Verb.WATCH;
        }
        return isPrefix(path, exchange.parameters())
                ? ObjectsEndpoint.Verb.LIST
                : ObjectsEndpoint.Verb.GET;
    }

    /**
     * @throws StatusException 404 for a key that does not exist, is not mirrored or is a Secret
     *     that is not served, and any other error
     */
    void handle(Exchange exchange, ApiPath.KeyValue path) throws IOException, InterruptedException {
        exchange.response().nameHistory();
        KeyScope scope = scope(path, exchange.parameters(), mirrored);
        requireMirrored(scope);
        switch (verb(path, exchange)) {
            case GET -> get(exchange, scope.key());
            case LIST -> list(exchange, scope);
            case WATCH -> watch(exchange, scope);
        }
    }

    private void get(Exchange exchange, Bytes key) throws IOException, InterruptedException {
        TimeTravelOptions past = TimeTravelOptions.forGet(exchange.parameters());
        if (past.history()) {
            history(exchange, key, past);
            return;
        }
        Optional<StoredObject> found =
                new SingleRead(
                                serving,
                                ReadPoints.of(serving, exchange, serving.times().freshness()))
                        .get(exchange, key, past, Projection.WHOLE);
        if (found.isEmpty()) {
            throw notFound(key);
        }
        if (found.get().isWithheld()) {
            throw withheld(key);
        }
        if (found.get().isUndecrypted()) {
            throw StatusErrors.unreadable("key", "", "key", key.toString(), found.get().reason());
        }
        StoredObject object = found.get();
        exchange.response().setHeader("X-Etcd-Mod-Revision", Long.toString(object.revision()));
        exchange.response()
                .setHeader("X-Etcd-Create-Revision", Long.toString(object.createRevision()));
        exchange.response().setHeader("X-Etcd-Version", Long.toString(object.version()));
        exchange.response().setHeader("X-Etcd-Lease", Long.toHexString(object.lease()));
        if (exchange.parameters().text("output").equals("json")) {
            byte[] document = KeyValueJson.of(object, object.revision());
            exchange.memory().take(document.length);
            exchange.response().answer(200, JSON, document, 0, "\n");
        } else {
            String type = object.isKubernetes() ? JSON : "application/octet-stream";
            exchange.response().answer(200, type, object.stored(), object.valueOffset(), "");
        }
    }

    private void history(Exchange exchange, Bytes key, TimeTravelOptions past)
            throws IOException, InterruptedException {
        histories.serve(
                exchange,
                new HistoryService.Query(
                        key,
                        past,
                        (object, revision) ->
                                object.isWithheld() || object.isUndecrypted()
                                        ? new VersionContent.Problem(object.reason())
                                        : new VersionContent.Json(
                                                KeyValueJson.of(object, revision)),
                        JSON,
                        json -> Bytes.wrap(json).concat(Bytes.utf8("\n")).array(),
                        () -> notFound(key)),
                serving.times().freshness());
    }

    private static StatusException withheld(Bytes key) {
        return refusal("%s is not served: it is a Secret, see --include-secrets".formatted(key));
    }

    private static StatusException refusal(String why) {
        return new StatusException(new StatusException.FailureStatus(404, "NotFound", why));
    }

    private static StatusException notFound(Bytes key) {
        return StatusErrors.notFound("key", "", "key", key.toString());
    }

    private void list(Exchange exchange, KeyScope scope) throws IOException, InterruptedException {
        Parameters parameters = exchange.parameters();
        boolean values = !parameters.has("values") || parameters.flag("values");
        ListQuery query =
                new ListQuery(
                        scope,
                        from(scope, parameters, mirrored),
                        scope.key(),
                        ContinueKeyCodec.ANY,
                        Selection.ALL,
                        ListOptions.parse(parameters),
                        JSON,
                        () -> new KeyValueListEncoder(values),
                        LABEL,
                        TimeTravelOptions.forList(parameters).at(),
                        "");
        lists.serve(exchange, query, serving.times().freshness());
    }

    /** Where a list begins; empty for the beginning of its prefix. */
    private static Bytes from(KeyScope scope, Parameters parameters, Bytes mirrored) {
        Bytes named = parameters.bytes("from");
        Bytes from = named.length() == 0 ? named : withSlash(named, mirrored);
        if (from.length() > 0 && !parameters.text("continue").isEmpty()) {
            throw StatusErrors.badRequest("from may not be given with continue");
        }
        return from.compareTo(scope.key()) > 0 ? from : Bytes.EMPTY;
    }

    private void watch(Exchange exchange, KeyScope scope) throws IOException, InterruptedException {
        if (exchange.isHead()) {
            throw StatusErrors.methodNotAllowed();
        }
        TimeTravelOptions.rejectForWatch(exchange.parameters());
        ListOptions asked = ListOptions.parse(exchange.parameters());
        WatchFilter filter = new WatchFilter(scope, Selection.ALL, WatchFilter.WITHOUT_VERSIONS);
        ListOptions options = asked.longPoll() ? asked : asked.withWatchDefaults();
        WatchQuery query =
                new WatchQuery(
                        filter,
                        options,
                        JSON,
                        new KeyValueEventEncoder(revision -> asOf(scope, revision)),
                        LABEL);
        if (options.startsAtRevision()) {
            ReadPoints.of(serving, exchange, serving.times().freshness())
                    .requireSince(filter.scope(), options.revision());
        }
        if (asked.longPoll()) {
            longPolls.serve(exchange, query);
        } else {
            watches.serve(exchange, query);
        }
    }

    /** Keys of etcd have no other source of this time than the state that all partitions have. */
    private Optional<Instant> asOf(KeyScope scope, long revision) {
        PartitionSetStatus status =
                serving.watermarks().status(serving.watermarks().partitionsOf(scope));
        return status.ready() && status.watermark() <= revision
                ? Optional.of(Instant.ofEpochMilli(status.asOfMillis()))
                : Optional.empty();
    }

    /**
     * The keys that a request names. A leading slash, which most keys have and clients often omit,
     * is added.
     *
     * @param mirrored the prefix under which keys are mirrored
     */
    static KeyScope scope(ApiPath.KeyValue path, Parameters parameters, Bytes mirrored) {
        Bytes key = withSlash(named(path, parameters), mirrored);
        return isPrefix(path, parameters) ? KeyScope.prefix(key) : KeyScope.exact(key);
    }

    /** The first slash may be left out. */
    private static Bytes withSlash(Bytes key, Bytes mirrored) {
        Bytes slash = Bytes.utf8("/");
        boolean omitted = mirrored.startsWith(slash) && !key.startsWith(slash);
        return omitted ? slash.concat(key) : key;
    }

    /** A trailing slash means prefix, unless the {@code prefix} parameter says otherwise. */
    private static boolean isPrefix(ApiPath.KeyValue path, Parameters parameters) {
        if (parameters.has("prefix")) {
            return parameters.flag("prefix");
        }
        Bytes key = named(path, parameters);
        return key.length() == 0 || key.at(key.length() - 1) == '/';
    }

    private static Bytes named(ApiPath.KeyValue path, Parameters parameters) {
        return path.rawKey().isEmpty()
                ? parameters.bytes("key")
                : Parameters.decode(path.rawKey(), false);
    }

    private void requireMirrored(KeyScope scope) {
        boolean inside = scope.key().startsWith(mirrored);
        boolean around = scope.kind() == KeyScope.Kind.PREFIX && mirrored.startsWith(scope.key());
        if (!inside && !around) {
            throw refusal(
                    "%s is not mirrored: only keys that begin with %s are"
                            .formatted(scope.key(), mirrored));
        }
        if (serving.view().hides(scope)) {
            // An empty list would claim that there are none.
            throw withheld(scope.key());
        }
    }
}
