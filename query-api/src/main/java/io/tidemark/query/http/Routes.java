package io.tidemark.query.http;

import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import io.javalin.http.HttpResponseException;
import io.tidemark.http.metrics.MetricsRegistry;
import io.tidemark.kubernetes.KubernetesRoots;
import io.tidemark.query.access.MirroredRules;
import io.tidemark.query.audit.Auditor;
import io.tidemark.query.catalog.BuiltInResources;
import io.tidemark.query.catalog.Catalog;
import io.tidemark.query.catalog.CatalogSource;
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
import io.tidemark.query.http.exchange.ExchangeResources;
import io.tidemark.query.http.exchange.ServingContext;
import io.tidemark.query.http.health.ClusterEndpoint;
import io.tidemark.query.http.health.HealthEndpoint;
import io.tidemark.query.http.health.StartupGate;
import io.tidemark.query.http.watch.UpgradeFilter;
import io.tidemark.query.seats.Seats;
import io.tidemark.record.Bytes;
import io.tidemark.serving.freshness.ConsistentReadProbe;
import io.tidemark.serving.status.StatusErrors;
import jakarta.servlet.DispatcherType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Dispatches each {@link ApiPath} to its endpoint. */
public final class Routes {
    private static final Logger LOG = LoggerFactory.getLogger(Routes.class);
    private static final Set<String> READING = Set.of("GET", "HEAD");

    /** Subresources that an API server serves for as long as the client likes. */
    private static final Set<String> LONG_RUNNING =
            Set.of("attach", "exec", "log", "portforward", "proxy");

    /** The API server's limit in bytes. Bodies are ignored; longer ones are refused. */
    private static final long MAX_BODY = 3L << 20;

    private final RequestCatalogs catalogs;
    private final CatalogSource source;
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
    private final StartupGate startupGate;
    private final RequestRunner runner;

    /**
     * @param source of the catalogues of the present and of the past
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
            CatalogSource source,
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
        this.catalogs = new RequestCatalogs(serving, source, LiveCatalog.scope(mirrored));
        this.source = source;
        this.discovery = discovery;
        this.serving = serving;
        InstantSource clock = InstantSource.system();
        this.objects = new ObjectsEndpoint(serving, clock);
        this.schemalessKinds = new SchemalessKinds(serving, mirrored);
        this.schemaless = new SchemalessEndpoint(serving);
        this.keyValues = new KeyValueEndpoint(serving, mirrored);
        this.changes = new ChangesEndpoint(serving, mirrored);
        this.cluster = new ClusterEndpoint(serving.watermarks(), self, nodes, clock);
        this.runner =
                new RequestRunner(
                        new ExchangeResources(
                                serving.clock(),
                                serving.memory(),
                                serving.minimumRate(),
                                serving.compression(),
                                stopping,
                                auditor),
                        serving.hub(),
                        serving.metrics(),
                        this::answer);
        this.startupGate =
                new StartupGate(
                        serving.watermarks(),
                        () -> source.ready() && rules.flatMap(MirroredRules::missing).isEmpty(),
                        stopping,
                        serving.times().startupHold());
        this.reviews = new SelfReviews(access);
        this.admission =
                new Admission(
                        access,
                        new RequestInfo(mirrored),
                        new KeyRights(source::current, roots, mirrored),
                        startupGate,
                        new Turns(seats),
                        console);
        this.health =
                new HealthEndpoint(
                        serving,
                        source::current,
                        source::ready,
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
            config.routes.addHttpHandler(method, "*", runner::run);
        }
        // All paths have handlers, so an unhandled request has an unknown method.
        config.routes.exception(
                HttpResponseException.class, (_, context) -> runUnknownMethod(context));
    }

    private void runUnknownMethod(Context context) {
        try {
            runner.run(context);
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
        runner.awaitIdle(deadline);
    }

    private void answer(Exchange exchange, RequestMetrics measured)
            throws IOException, InterruptedException {
        ApiPath path = ApiPath.parse(exchange.rawPath());
        if (serving.hub().closed() && !(path instanceof ApiPath.Health)) {
            // A late request on an open connection: closing it makes clients retry elsewhere, while
            // they would show an error to their users.
            exchange.refuseSilently();
            return;
        }
        boolean reads = READING.contains(exchange.method());
        measured.verb(reads ? exchange.method() : "OTHER");
        if (exchange.contentLength() > MAX_BODY) {
            throw StatusErrors.bodyTooLarge(MAX_BODY);
        }
        boolean allowed = admission.admit(exchange, path);
        requireTimeout(exchange, path);
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
                    exchange.response().answerNotFound();
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
                measured.resource("changes");
                Catalog catalog = catalogs.of(exchange);
                changes.serve(exchange, catalog, catalogs.others(exchange, catalog));
            }
            case ApiPath.KeyValue keyValue -> {
                if (!reads) {
                    throw StatusErrors.readOnly();
                }
                measured.verb(keyValues.verb(keyValue, exchange).name());
                measured.resource("kv");
                keyValues.handle(exchange, keyValue);
            }
            case ApiPath.Objects requested -> {
                if (!reviews.answer(exchange, requested)) {
                    answerObjects(exchange, requested, measured);
                }
            }
            case ApiPath.UnknownObjectsPath(String group, String version, _) ->
                    refuseUnknown(exchange, group, version);
            case ApiPath.DiscoveryPath(String about) -> answerAbout(exchange, about);
            case ApiPath.Unknown _ -> exchange.response().answerNotFound();
        }
    }

    /** Like a filter before an API server's routes, refuses a timeout that cannot be parsed. */
    private void requireTimeout(Exchange exchange, ApiPath path) {
        Optional<ApiPath.Objects> asked = ApiPath.likeness(path);
        boolean inTime =
                switch (path) {
                    case ApiPath.Objects _,
                            ApiPath.UnknownObjectsPath _,
                            ApiPath.DiscoveryPath _,
                            ApiPath.Unknown _ ->
                            asked.filter(of -> isLongRunning(exchange, of)).isEmpty();
                    case ApiPath.Health _,
                            ApiPath.Metrics _,
                            ApiPath.Cluster _,
                            ApiPath.Console _,
                            ApiPath.Changes _,
                            ApiPath.KeyValue _ ->
                            false;
                };
        if (inTime) {
            Duration _ = ObjectsEndpoint.timeout(serving, exchange);
        }
    }

    private boolean isLongRunning(Exchange exchange, ApiPath.Objects asked) {
        return objects.verb(asked, exchange) == Verb.WATCH
                || LONG_RUNNING.contains(asked.subresource());
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
        exchange.response().answer(200, MetricsRegistry.contentType(accept), text);
    }

    private void answerObjects(
            Exchange exchange, ApiPath.Objects requested, RequestMetrics measured)
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
                exchange.response().answerNotFound();
                return;
            }
            throw StatusErrors.unknownResource();
        }
        Subresource part = PathRules.part(requested, resource);
        PathRules.requireReading(method, requested, resource, part);
        if (!resource.warning().isEmpty()) {
            exchange.response().warn(resource.warning());
        }
        Verb verb = objects.verb(requested, exchange);
        measured.verb(verb.name());
        measured.resource(resource.qualifiedName());
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
            exchange.response().warn("v1 ComponentStatus is deprecated in v1.19+");
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
                            exchange.header("Host"),
                            exchange.pretty());
            DiscoveryResponse answer = page.get().answer().apply(ask);
            exchange.memory().take(answer.body().length);
            exchange.response().setHeaders(answer.headers());
            exchange.response().answer(answer.status(), answer.contentType(), answer.body());
            return;
        }
        String[] segments = path.split("/", -1);
        boolean core = segments.length > 1 && segments[1].equals("api");
        if (!core && !(segments.length > 2 && segments[1].equals("apis"))) {
            exchange.response().answerNotFound();
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
        if (!source.ready()) {
            LOG.debug("refused {}/{}: definitions not read yet", group, version);
            throw StatusErrors.initializing();
        }
        exchange.response().answerNotFound();
    }
}
