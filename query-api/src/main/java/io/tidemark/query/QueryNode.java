package io.tidemark.query;

import io.tidemark.credentials.MutualTls;
import io.tidemark.http.HttpServer;
import io.tidemark.http.HttpServerSettings;
import io.tidemark.http.metrics.CertificateMetrics;
import io.tidemark.http.metrics.MetricsRegistry;
import io.tidemark.kubernetes.SecretKeys;
import io.tidemark.query.access.AccessRefresh;
import io.tidemark.query.access.AccessSettings.Authorization.Mirrored;
import io.tidemark.query.access.MirroredRules;
import io.tidemark.query.audit.AuditLog;
import io.tidemark.query.audit.AuditSettings;
import io.tidemark.query.audit.Auditor;
import io.tidemark.query.catalog.Catalog;
import io.tidemark.query.catalog.CatalogSource;
import io.tidemark.query.catalog.LiveCatalog;
import io.tidemark.query.cluster.ClusterNodes;
import io.tidemark.query.cluster.NodeConnection;
import io.tidemark.query.cluster.NodeStatus;
import io.tidemark.query.compress.Compression;
import io.tidemark.query.discovery.Discovery;
import io.tidemark.query.encode.EncodedObjects;
import io.tidemark.query.http.Routes;
import io.tidemark.query.http.access.AccessControl;
import io.tidemark.query.http.exchange.EndedWatches;
import io.tidemark.query.http.exchange.MinimumRate;
import io.tidemark.query.http.exchange.QueryMetrics;
import io.tidemark.query.http.exchange.ServingContext;
import io.tidemark.query.http.exchange.StatusBody;
import io.tidemark.query.http.exchange.WatchWriters;
import io.tidemark.query.seats.Seats;
import io.tidemark.serving.freshness.BarrierSource;
import io.tidemark.serving.freshness.Barriers;
import io.tidemark.serving.freshness.ConsistentReadProbe;
import io.tidemark.serving.freshness.Freshness;
import io.tidemark.serving.freshness.RecentRevisions;
import io.tidemark.serving.freshness.TimeTravel;
import io.tidemark.serving.freshness.WatermarkTracker;
import io.tidemark.serving.read.ByteBudget;
import io.tidemark.serving.read.ClusterView;
import io.tidemark.serving.read.FanOut;
import io.tidemark.serving.read.PartitionSet;
import io.tidemark.serving.read.SecretFilter;
import io.tidemark.serving.watch.WatchHub;
import io.tidemark.view.PartitionDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Serves LIST, GET, WATCH and long polls over HTTP from partition views. It owns and closes what it
 * starts, but not the views.
 */
public final class QueryNode implements AutoCloseable {
    private static final Duration FINAL_EVENTS = Duration.ofSeconds(1);

    /** How far back an API server shows states; older ones are the past. */
    private static final Duration PRESENT = Duration.ofMinutes(5);

    /** Interval of the consistent read probe. */
    private static final Duration READ_PROBE_INTERVAL = Duration.ofSeconds(5);

    private final QueryConfig config;
    private final MetricsRegistry registry;
    private final QueryMetrics metrics;
    private final WatermarkTracker watermarks;
    private final WatchHub hub;
    private final ByteBudget memory;
    private final MinimumRate minimumRate;
    private final Compression compression;
    private final WatchWriters watchWriters = new WatchWriters();
    private final ConsistentReadProbe readProbe;
    private final Routes routes;
    private final HttpServer server;
    private final Optional<MirroredRules> rules;
    private final AccessRefresh refresh;
    private final Optional<AuditLog> auditLog;
    private final Runnable startCatalog;
    private final Runnable closeOwned;
    private final ClusterNodes nodes;
    private final CatalogSource catalog;
    private volatile boolean stopping;

    /**
     * Creates a node that reads custom resource definitions from the mirror.
     *
     * @param nodes status of this node and the others, for {@code /cluster}
     * @param barriers takes barriers from the connector; owned by the caller
     */
    public QueryNode(
            QueryConfig config,
            PartitionDirectory directory,
            ClusterNodes nodes,
            BarrierSource barriers) {
        this(
                config,
                directory,
                nodes,
                new LiveCatalog(
                        directory,
                        config.prefix(),
                        config.includeSecrets(),
                        config.apis(),
                        config.indexes()::withIndexedFields),
                barriers);
    }

    private QueryNode(
            QueryConfig config,
            PartitionDirectory directory,
            ClusterNodes nodes,
            LiveCatalog catalog,
            BarrierSource barriers) {
        this(
                config,
                directory,
                nodes,
                barriers,
                catalog,
                InstantSource.system(),
                READ_PROBE_INTERVAL,
                catalog::start,
                catalog::close);
    }

    /** Creates a node with a catalogue that its caller starts and closes, for tests. */
    QueryNode(
            QueryConfig config,
            PartitionDirectory directory,
            BarrierSource barriers,
            LiveCatalog catalog,
            InstantSource clock) {
        this(
                config,
                directory,
                new SingleNode(),
                barriers,
                catalog,
                clock,
                Duration.ZERO,
                () -> {},
                () -> {});
    }

    /** Creates a node with a given catalogue and source of barriers, for tests. */
    QueryNode(
            QueryConfig config,
            PartitionDirectory directory,
            BarrierSource barriers,
            Supplier<Catalog> catalog) {
        this(config, directory, barriers, catalog, InstantSource.system());
    }

    /**
     * @param clock the clock that requested times are compared with
     */
    QueryNode(
            QueryConfig config,
            PartitionDirectory directory,
            BarrierSource barriers,
            Supplier<Catalog> catalog,
            InstantSource clock) {
        this(config, directory, barriers, catalog, clock, Duration.ZERO);
    }

    /**
     * @param readProbeInterval interval of the consistent read probe; zero for none
     */
    QueryNode(
            QueryConfig config,
            PartitionDirectory directory,
            BarrierSource barriers,
            Supplier<Catalog> catalog,
            InstantSource clock,
            Duration readProbeInterval) {
        this(
                config,
                directory,
                new SingleNode(),
                barriers,
                CatalogSource.of(catalog),
                clock,
                readProbeInterval,
                () -> {},
                () -> {});
    }

    private QueryNode(
            QueryConfig config,
            PartitionDirectory directory,
            ClusterNodes nodes,
            BarrierSource barrierSource,
            CatalogSource catalog,
            InstantSource clock,
            Duration readProbeInterval,
            Runnable startCatalog,
            Runnable closeOwned) {
        this.config = config;
        this.catalog = catalog;
        this.startCatalog = startCatalog;
        this.closeOwned = closeOwned;
        this.nodes = nodes;
        this.watermarks = new WatermarkTracker(directory);
        this.registry = new MetricsRegistry(config.otlp(), "tidemark-node");
        this.metrics = new QueryMetrics(registry);
        registry.onExport(() -> metrics.refresh(watermarks));
        ClusterView view =
                new ClusterView(
                        directory,
                        config.times().freshness(),
                        FanOut.PARALLEL,
                        new SecretFilter(
                                SecretKeys.of(config.kubernetesRoots(), config.prefix()),
                                config.includeSecrets()));
        Barriers barriers = new Barriers(barrierSource, this::connector);
        this.hub = new WatchHub(view, watermarks, config.limits().watch());
        this.memory =
                new ByteBudget(config.limits().listBytes(), config.limits().listBytesPerClient());
        this.minimumRate = new MinimumRate(config.limits().slowest());
        this.compression = Compression.inHeap(config.compressWatches());
        config.tls().ifPresent(tls -> metrics.show(CertificateMetrics.Use.CLIENTS, tls));
        metrics.show(hub);
        metrics.showEndedWatches();
        metrics.show(view);
        metrics.show(memory, minimumRate);
        metrics.show(compression);
        metrics.showCorruptRanges(nodes::corruptRanges);
        metrics.showDisk(nodes::disk);
        metrics.showStores(nodes::storeUsage);
        metrics.showIncompatiblePeers(() ->
                nodes.connections().values().stream().filter(NodeConnection::incompatible).count());
        metrics.show(nodes::selfCheck, InstantSource.system());
        this.readProbe =
                new ConsistentReadProbe(
                        new Freshness(watermarks, barriers, config.times().freshness(), _ -> {}),
                        watermarks::allPartitions,
                        readProbeInterval);
        metrics.show(readProbe);
        ServingContext serving =
                new ServingContext(
                        view,
                        watermarks,
                        new Freshness(
                                watermarks,
                                barriers,
                                config.times().freshness(),
                                metrics::readWaited),
                        new TimeTravel(view, watermarks, clock),
                        new RecentRevisions(view, clock, PRESENT),
                        hub,
                        memory,
                        EncodedObjects.inHeap(),
                        compression,
                        minimumRate,
                        watchWriters,
                        new EndedWatches(watchWriters, metrics::watchEnded),
                        clock,
                        metrics,
                        config.limits(),
                        config.times());
        this.rules =
                config.access().authorization() instanceof Mirrored mirrored
                        ? Optional.of(rules(config, mirrored, directory, clock))
                        : Optional.empty();
        this.refresh = AccessRefresh.of(config.access());
        this.auditLog = config.audit().map(QueryNode::open);
        auditLog.ifPresent(metrics::show);
        Seats seats = new Seats(config.limits().seats());
        metrics.show(seats);
        Optional<Auditor> auditor = auditor(config.audit(), auditLog);
        this.routes =
                new Routes(
                        serving,
                        catalog,
                        new Discovery(config.gitVersion()),
                        config.prefix(),
                        this::status,
                        nodes,
                        readProbe,
                        () -> stopping,
                        AccessControl.of(config.access(), _ -> rules.orElseThrow(), clock),
                        rules,
                        config.kubernetesRoots(),
                        auditor,
                        seats);
        this.server =
                new HttpServer(
                        new HttpServerSettings(
                                config.host(),
                                config.port(),
                                config.limits().headerBytes(),
                                config.times().stalledClient(),
                                config.allowedHosts(),
                                config.connections(),
                                config.tls()),
                        new StatusBody(auditor),
                        routes::addTo);
        metrics.showConnections(server::connections);
    }

    /**
     * Starts listening. Requests are refused until the partitions are ready; see {@code /readyz}.
     */
    public void start() {
        watermarks.start();
        minimumRate.start();
        startCatalog.run();
        rules.ifPresent(MirroredRules::start);
        refresh.start();
        auditLog.ifPresent(AuditLog::start);
        readProbe.start();
        server.start();
    }

    /** The address it listens on, such as {@code http://127.0.0.1:8080}. */
    public String url() {
        String scheme = config.tls().isPresent() ? "https" : "http";
        return "%s://%s:%d".formatted(scheme, config.host(), server.port());
    }

    /** Whether the catalogue includes every resource defined through a revision. */
    public boolean servesResourcesThrough(long revision) {
        return catalog.covers(revision);
    }

    /** Shows in the metrics when the certificate among the members of the group ends. */
    public void showGroupCertificate(MutualTls tls) {
        metrics.show(CertificateMetrics.Use.GROUP, tls.listening());
    }

    public NodeStatus status() {
        return nodes.self(url(), hub.watches());
    }

    /**
     * Turns unready and takes no new connections. Open connections get one more response; open
     * watches continue.
     */
    public void stopAccepting() {
        stopping = true;
        readProbe.close();
        server.stopListening();
    }

    /**
     * Stops accepting, drains the watches one after the other, lets other requests finish for a
     * bounded time, and stops.
     */
    @Override
    public void close() {
        stopAccepting();
        long deadline = System.nanoTime() + config.times().stop().toNanos();
        try {
            hub.drain(config.times().drain());
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        // Watches that were signalled just now still send their final bookmarks.
        long least = System.nanoTime() + FINAL_EVENTS.toNanos();
        hub.close();
        routes.awaitIdle(Math.max(deadline, least));
        server.close();
        auditLog.ifPresent(AuditLog::close);
        refresh.close();
        minimumRate.close();
        watchWriters.close();
        compression.close();
        watermarks.close();
        rules.ifPresent(MirroredRules::close);
        closeOwned.run();
        registry.close();
    }

    private static AuditLog open(AuditSettings settings) {
        try {
            return new AuditLog(settings.file(), AuditLog.DEFAULT_MAX_BYTES);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    new IOException("cannot open the audit log " + settings.file(), e));
        }
    }

    private static Optional<Auditor> auditor(
            Optional<AuditSettings> settings, Optional<AuditLog> log) {
        return log.map(opened ->
                new Auditor(settings.orElseThrow().policy(), opened, InstantSource.system()));
    }

    /** Decides by the roles and bindings of the mirrored cluster. */
    private static MirroredRules rules(
            QueryConfig config,
            Mirrored settings,
            PartitionDirectory directory,
            InstantSource clock) {
        return new MirroredRules(
                directory,
                config.prefix(),
                AccessControl.MASTERS_PASS,
                settings.maximumAge(),
                MirroredRules.LIMITS,
                clock,
                System::nanoTime);
    }

    private String connector() {
        int partitions = watermarks.partitions();
        return partitions == 0
                ? ""
                : watermarks.status(new PartitionSet(0, partitions)).connector();
    }

    /** The status of a node without peers and replicas. */
    private static final class SingleNode implements ClusterNodes {
        @Override
        public NodeStatus self(String url, int watches) {
            return new NodeStatus(url, url, "RUNNING", "", watches, 0, List.of());
        }

        @Override
        public Map<String, Optional<byte[]>> others() {
            return Map.of();
        }
    }
}
