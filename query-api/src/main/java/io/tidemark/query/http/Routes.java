package io.tidemark.query.http;

import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import io.javalin.http.HttpResponseException;
import io.tidemark.http.metrics.MetricsRegistry;
import io.tidemark.http.metrics.TraceParent;
import io.tidemark.kubernetes.KubernetesRoots;
import io.tidemark.query.access.MirroredRules;
import io.tidemark.query.audit.Auditor;
import io.tidemark.query.catalog.BuiltInResources;
import io.tidemark.query.catalog.Catalog;
import io.tidemark.query.catalog.LiveCatalog;
import io.tidemark.query.catalog.Resource;
import io.tidemark.query.catalog.Subresource;
import io.tidemark.query.cluster.ClusterNodes;
import io.tidemark.query.cluster.NodeStatus;
import io.tidemark.query.discovery.Discovery;
import io.tidemark.query.discovery.Discovery.DiscoveryRequest;
import io.tidemark.query.discovery.Discovery.DiscoveryResponse;
import io.tidemark.query.discovery.Discovery.Page;
import io.tidemark.query.http.ObjectsEndpoint.Verb;
import io.tidemark.query.http.access.AccessControl;
import io.tidemark.query.http.changes.ChangesEndpoint;
import io.tidemark.query.http.exchange.Exchange;
import io.tidemark.query.http.exchange.QueryMetrics;
import io.tidemark.query.http.exchange.ServingContext;
import io.tidemark.query.http.watch.UpgradeFilter;
import io.tidemark.query.seats.Seats;
import io.tidemark.record.Bytes;
import io.tidemark.serving.freshness.ConsistentReadProbe;
import io.tidemark.serving.read.ClientDisconnectedException;
import io.tidemark.serving.status.StatusErrors;
import io.tidemark.serving.status.StatusException;
import io.tidemark.view.object.StoredObject;
import jakarta.servlet.DispatcherType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Dispatches each {@link ApiPath} to its endpoint. An exception of an endpoint becomes a Status
 * here; once the response has begun it aborts the connection, so that no client mistakes a partial
 * response for a complete one.
 */
public final class Routes {
    private static final Logger LOG = LoggerFactory.getLogger(Routes.class);
    private static final Set<String> READING = Set.of("GET", "HEAD");

    /** The API server's limit in bytes. Bodies are ignored; longer ones are refused. */
    private static final long MAX_BODY = 3L << 20;

    /** Status in metrics of a request whose client disconnected first; never sent. */
    private static final int CLIENT_GONE = 499;

    private static final Duration POLL_INTERVAL = Duration.ofMillis(5);

    private final RequestCatalogs catalogs;
    private final BooleanSupplier catalogReady;
    private final Discovery discovery;
    private final ServingContext serving;
    private final ObjectsEndpoint objects;
    private final SchemalessKinds schemalessKinds;
    private final SchemalessEndpoint schemaless;
    private final KeyValueEndpoint keyValues;
    private final ChangesEndpoint changes;
    private final ConsoleEndpoint console = new ConsoleEndpoint();
    private final ClusterEndpoint cluster;
    private final HealthEndpoint health;
    private final Admission admission;
    private final SelfReviews reviews;
    private final Exchange.ExchangeResources exchangeResources;
    private final StartupGate startupGate;
    private final AtomicInteger inFlight = new AtomicInteger();

    /**
     * @param pastCatalog makes the catalogue of a time from its CustomResourceDefinitions
     * @param catalogReady whether the definitions have been read, so that an unknown resource does
     *     not exist
     * @param mirrored the prefix under which keys are mirrored
     * @param self status of this node
     * @param nodes status of the other nodes
     * @param readProbe probe of consistent reads
     * @param stopping whether the node is shutting down: each response closes its connection
     * @param access who may read what
     * @param rules the mirrored rules that it decides by, if it does
     * @param roots the etcd directories of Kubernetes objects
     * @param auditor records requests, if they are recorded
     * @param seats of requests that are served at once
     */
    public Routes(
            ServingContext serving,
            Supplier<Catalog> catalog,
            Function<List<StoredObject>, Catalog> pastCatalog,
            BooleanSupplier catalogReady,
            Discovery discovery,
            Bytes mirrored,
            Supplier<NodeStatus> self,
            ClusterNodes nodes,
            ConsistentReadProbe readProbe,
            BooleanSupplier stopping,
            AccessControl access,
            Optional<MirroredRules> rules,
            KubernetesRoots roots,
            Optional<Auditor> auditor,
            Seats seats) {
        this.catalogs =
                new RequestCatalogs(serving, catalog, pastCatalog, LiveCatalog.scope(mirrored));
        this.catalogReady = catalogReady;
        this.discovery = discovery;
        this.serving = serving;
        InstantSource clock = InstantSource.system();
        this.objects = new ObjectsEndpoint(serving, clock);
        this.schemalessKinds = new SchemalessKinds(serving, mirrored);
        this.schemaless = new SchemalessEndpoint(serving);
        this.keyValues = new KeyValueEndpoint(serving, mirrored);
        this.changes = new ChangesEndpoint(serving, mirrored);
        this.cluster = new ClusterEndpoint(serving.watermarks(), self, nodes, clock);
        this.exchangeResources =
                new Exchange.ExchangeResources(
                        serving.clock(),
                        serving.memory(),
                        serving.minimumRate(),
                        serving.compression(),
                        stopping,
                        auditor);
        this.startupGate =
                new StartupGate(
                        serving.watermarks(),
                        () ->
                                catalogReady.getAsBoolean()
                                        && rules.flatMap(MirroredRules::problem).isEmpty(),
                        stopping,
                        serving.times().startupHold());
        this.reviews = new SelfReviews(access);
        this.admission =
                new Admission(
                        access,
                        new RequestInfo(mirrored),
                        new KeyRights(catalog, roots, mirrored),
                        startupGate,
                        new Turns(seats),
                        console);
        this.health =
                new HealthEndpoint(
                        serving,
                        catalog,
                        catalogReady,
                        stopping,
                        clock,
                        nodes::selfCheck,
                        readProbe,
                        nodes::disk,
                        rules,
                        access.isOpen());
    }

    /** Registers all paths and the filter for WebSockets; once, before the server starts. */
    public void addTo(JavalinConfig config) {
        config.jetty.modifyServletContextHandler(context ->
                context.addFilter(new UpgradeFilter(), "/*", EnumSet.of(DispatcherType.REQUEST)));
        for (HandlerType method :
                new HandlerType[] {
                    HandlerType.GET,
                    HandlerType.HEAD,
                    HandlerType.POST,
                    HandlerType.PUT,
                    HandlerType.PATCH,
                    HandlerType.DELETE,
                    HandlerType.OPTIONS
                }) {
            config.routes.addHttpHandler(method, "*", this::handle);
        }
        // All paths have handlers, so an unhandled request has an unknown method.
        config.routes.exception(
                HttpResponseException.class, (_, context) -> handleUnknownMethod(context));
    }

    private void handleUnknownMethod(Context context) {
        try {
            handle(context);
        } catch (IOException e) {
            LOG.debug("client disconnected", e);
        }
    }

    /**
     * Waits until no request is in flight and no watch is open.
     *
     * @param deadline as of {@link System#nanoTime}
     */
    public void awaitIdle(long deadline) {
        try {
            while ((inFlight.get() > 0 || serving.hub().watches() > 0)
                    && System.nanoTime() - deadline < 0) {
                Thread.sleep(POLL_INTERVAL);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void handle(Context context) throws IOException {
        inFlight.incrementAndGet();
        boolean goesOn = false;
        try {
            goesOn = handleOne(context);
        } finally {
            if (!goesOn) {
                inFlight.decrementAndGet();
            }
        }
    }

    /** Whether the response goes on without this thread. */
    private boolean handleOne(Context context) throws IOException {
        Request request = new Request(context.header("traceparent"));
        Exchange exchange;
        try {
            exchange = new Exchange(context, exchangeResources);
        } catch (StatusException e) {
            try (Exchange refused = Exchange.withoutParameters(context, exchangeResources)) {
                refused.refuse(e);
            }
            return false;
        }
        Optional<CompletableFuture<?>> end = Optional.empty();
        try {
            int status = answerOrRefuse(exchange, () -> answer(exchange, request));
            end = exchange.continuation();
            if (end.isEmpty()) {
                exchange.ended(status);
                request.ended(serving.metrics(), status);
            }
        } finally {
            if (end.isEmpty()) {
                exchange.close();
            }
        }
        if (end.isEmpty()) {
            return false;
        }
        CompletableFuture<?> later = end.get();
        int begun = exchange.status();
        exchange.begun(begun);
        CompletableFuture<Void> over = new CompletableFuture<>();
        context.future(() -> over);
        CompletableFuture<Void> _ =
                later.handle((_, failure) -> {
                    try {
                        end(exchange, request, begun, failure);
                    } catch (RuntimeException e) {
                        // Nothing waits for this future.
                        LOG.error("cannot end a response", e);
                    }
                    if (!exchange.isEndedByClient()) {
                        over.complete(null);
                    }
                    return null;
                });
        return true;
    }

    /**
     * Ends a response that went on without a thread.
     *
     * @param status with which it began
     */
    private void end(Exchange exchange, Request request, int status, @Nullable Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException wrapped ? wrapped.getCause() : failure;
        try (exchange) {
            boolean gone = cause instanceof ClientDisconnectedException;
            if (gone) {
                exchange.audit().complete(CLIENT_GONE, "the client has disconnected");
            }
            if (cause != null) {
                abort(exchange, cause);
            }
            request.ended(serving.metrics(), gone ? CLIENT_GONE : status);
        } finally {
            inFlight.decrementAndGet();
        }
    }

    /** Breaks a response off that has begun. */
    private static void abort(Exchange exchange, Throwable why) {
        if (why instanceof ClientDisconnectedException || Exchange.clientGone(why).isPresent()) {
            LOG.debug("client disconnected", why);
        } else {
            LOG.warn("response aborted after it had begun", why);
            exchange.audit().panic();
        }
        exchange.abort(why);
    }

    /** Writes a response, or a part of it. */
    private interface Answer {
        void write() throws IOException, InterruptedException;
    }

    private int answerOrRefuse(Exchange exchange, Answer answer) throws IOException {
        try {
            answer.write();
        } catch (StatusException e) {
            refuse(exchange, e);
        } catch (ClientDisconnectedException e) {
            exchange.audit().complete(CLIENT_GONE, "the client has disconnected");
            exchange.abort(e);
            return CLIENT_GONE;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            refuse(exchange, StatusErrors.tooManyRequests("the server is stopping"));
        } catch (IOException | RuntimeException | StackOverflowError | AssertionError e) {
            fail(exchange, e);
        }
        return exchange.status();
    }

    private void answer(Exchange exchange, Request request)
            throws IOException, InterruptedException {
        ApiPath path = ApiPath.parse(exchange.rawPath());
        if (serving.hub().closed() && !(path instanceof ApiPath.Health)) {
            // A late request on an open connection: closing it makes clients retry elsewhere, while
            // they would show an error to their users.
            exchange.refuseSilently();
            return;
        }
        boolean reads = READING.contains(exchange.method());
        request.verb = reads ? exchange.method() : "OTHER";
        if (exchange.contentLength() > MAX_BODY) {
            throw StatusErrors.bodyTooLarge(MAX_BODY);
        }
        boolean allowed = admission.admit(exchange, path);
        if (path.needsPartitions()) {
            startupGate.await();
        }
        switch (path) {
            case ApiPath.Health(String check, String part) ->
                    health.handle(exchange, check, part, allowed);
            case ApiPath.Metrics _ -> {
                requirePresent(exchange, "metrics");
                answerMetrics(exchange);
            }
            case ApiPath.Cluster _ -> {
                requirePresent(exchange, "the status of the nodes");
                cluster.handle(exchange);
            }
            case ApiPath.Console(String file) -> {
                if (!console.serves(exchange, file)) {
                    notFound(exchange);
                } else if (reads) {
                    console.answer(exchange, file);
                } else {
                    throw StatusErrors.readOnly();
                }
            }
            case ApiPath.Changes _ -> {
                if (!reads) {
                    throw StatusErrors.readOnly();
                }
                request.resource = "changes";
                changes.serve(exchange, catalogs.of(exchange));
            }
            case ApiPath.KeyValue keyValue -> {
                if (!reads) {
                    throw StatusErrors.readOnly();
                }
                request.verb = keyValues.verb(keyValue, exchange).name();
                request.resource = "kv";
                keyValues.handle(exchange, keyValue);
            }
            case ApiPath.Objects requested -> {
                if (!reviews.answer(exchange, requested)) {
                    answerObjects(exchange, requested, request);
                }
            }
            case ApiPath.UnknownObjectsPath(String group, String version, _) ->
                    refuseUnknown(exchange, group, version);
            case ApiPath.DiscoveryPath(String about) -> answerAbout(exchange, about);
            case ApiPath.Unknown _ -> notFound(exchange);
        }
    }

    private static void requirePresent(Exchange exchange, String what) {
        if (!exchange.timeBase().isPresent()) {
            throw StatusErrors.badRequest("%s: of the present only".formatted(what));
        }
    }

    private void answerMetrics(Exchange exchange) throws IOException {
        String accept = exchange.header("Accept");
        byte[] text =
                serving.metrics()
                        .scrape(serving.watermarks(), accept)
                        .getBytes(StandardCharsets.UTF_8);
        exchange.memory().take(text.length);
        exchange.answer(200, MetricsRegistry.contentType(accept), text);
    }

    private void answerObjects(Exchange exchange, ApiPath.Objects requested, Request request)
            throws IOException, InterruptedException {
        String method = exchange.method();
        Optional<Resource> described = ObjectsEndpoint.find(catalogs.of(exchange), requested);
        if (described.isEmpty()) {
            refuseAction(requested, method);
            refuseUnstored(exchange, requested);
        }
        Optional<Resource> found =
                described.isPresent() ? described : schemalessKinds.find(exchange, requested);
        if (found.isEmpty()) {
            refuseUnknown(exchange, requested.group(), requested.version());
            return;
        }
        Resource resource = found.get();
        if (!PathRules.fits(requested, resource)) {
            if (resource.custom()) {
                notFound(exchange);
                return;
            }
            throw StatusErrors.unknownResource();
        }
        Subresource part = PathRules.part(requested, resource);
        PathRules.requireReading(method, requested, resource, part);
        if (!resource.warning().isEmpty()) {
            exchange.warn(resource.warning());
        }
        Verb verb = objects.verb(requested, exchange);
        request.verb = verb.name();
        request.resource = resource.qualifiedName();
        if (described.isPresent()) {
            objects.handle(exchange, requested, resource, part);
        } else {
            schemaless.handle(exchange, requested, resource, verb);
        }
    }

    /** Refuses kinds that can only be created; their paths support POST only. */
    private static void refuseAction(ApiPath.Objects requested, String method) {
        if (requested.name().isEmpty()
                && !requested.watch()
                && BuiltInResources.isAction(
                        requested.group(),
                        requested.version(),
                        requested.plural(),
                        requested.inNamespace())) {
            throw method.equals("POST") ? StatusErrors.readOnly() : StatusErrors.methodNotAllowed();
        }
    }

    /** Refuses watches of componentstatuses, which API servers compute and do not store. */
    private void refuseUnstored(Exchange exchange, ApiPath.Objects requested) {
        if (requested.group().isEmpty()
                && requested.version().equals("v1")
                && requested.plural().equals("componentstatuses")
                && objects.verb(requested, exchange) == Verb.WATCH) {
            exchange.warn("v1 ComponentStatus is deprecated in v1.19+");
            throw StatusErrors.watchNotSupported(requested.plural());
        }
    }

    private void answerAbout(Exchange exchange, String path)
            throws IOException, InterruptedException {
        Optional<Page> page = discovery.find(catalogs.of(exchange), path);
        if (page.isPresent()) {
            if (page.get().getOnly() && !exchange.method().equals("GET")) {
                throw StatusErrors.methodNotAllowed();
            }
            DiscoveryRequest ask =
                    new DiscoveryRequest(
                            exchange.header("Accept"),
                            exchange.header("If-None-Match"),
                            exchange.header("Host"));
            DiscoveryResponse answer = page.get().answer().apply(ask);
            exchange.setHeaders(answer.headers());
            exchange.answer(answer.status(), answer.contentType(), answer.body());
            return;
        }
        String[] segments = path.split("/", -1);
        boolean core = segments.length > 1 && segments[1].equals("api");
        if (!core && !(segments.length > 2 && segments[1].equals("apis"))) {
            notFound(exchange);
            return;
        }
        refuseUnknown(exchange, core ? "" : segments[2], "");
    }

    /**
     * Like the API server, responds with a Status in built-in groups and with a plain 404
     * elsewhere, unless the definitions have not been read yet.
     */
    private void refuseUnknown(Exchange exchange, String group, String version)
            throws IOException, InterruptedException {
        if (catalogs.of(exchange).servesBuiltIn(group)) {
            throw StatusErrors.unknownResource();
        }
        if (!catalogReady.getAsBoolean()) {
            LOG.debug("refused {}/{}: definitions not read yet", group, version);
            throw StatusErrors.initializing();
        }
        notFound(exchange);
    }

    private static void notFound(Exchange exchange) throws IOException {
        exchange.answerText(404, "404 page not found\n");
    }

    private static void refuse(Exchange exchange, StatusException refused) throws IOException {
        if (exchange.isCommitted()) {
            LOG.info("response aborted after it had begun: {}", refused.getMessage());
            exchange.abort(refused);
        } else {
            exchange.refuse(refused);
        }
    }

    private static void fail(Exchange exchange, Throwable failure) throws IOException {
        if (exchange.isCommitted()) {
            abort(exchange, failure);
            return;
        }
        String id = UUID.randomUUID().toString();
        LOG.error("request failed, id {}", id, failure);
        exchange.audit().panic();
        exchange.refuse(StatusErrors.internal(id));
    }

    /** Labels of a request's metrics, as far as they are known. */
    private static final class Request {
        private String verb = "unknown";
        private String resource = "";
        private final long began = System.nanoTime();
        private final @Nullable String traceParent;

        Request(@Nullable String traceParent) {
            this.traceParent = traceParent;
        }

        private void ended(QueryMetrics metrics, int status) {
            metrics.request(
                    verb,
                    resource,
                    status,
                    System.nanoTime() - began,
                    Optional.ofNullable(traceParent).flatMap(TraceParent::parse));
        }
    }
}
