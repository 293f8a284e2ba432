package io.tidemark.query.http.exchange;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.tidemark.credentials.ServerTls;
import io.tidemark.http.ConnectionCounts;
import io.tidemark.http.metrics.CertificateMetrics;
import io.tidemark.http.metrics.MetricsRegistry;
import io.tidemark.http.metrics.ProcessMetrics;
import io.tidemark.http.metrics.TraceParent;
import io.tidemark.query.audit.AuditLog;
import io.tidemark.query.compress.Compression;
import io.tidemark.query.compress.ContentCoding;
import io.tidemark.query.seats.Seats;
import io.tidemark.selfcheck.CheckReport;
import io.tidemark.serving.freshness.ConsistentReadProbe;
import io.tidemark.serving.freshness.WatermarkTracker;
import io.tidemark.serving.read.ByteBudget;
import io.tidemark.serving.read.ClusterView;
import io.tidemark.serving.read.PartitionSet;
import io.tidemark.serving.watch.WatchHub;
import io.tidemark.view.DiskState;
import io.tidemark.view.StoreUsage;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

/**
 * The metrics of a query node, under the API server's names where it has some. Label values come
 * from the catalogue and fixed sets, never from client input.
 */
public final class QueryMetrics {
    private final MetricsRegistry metrics;
    private final MeterRegistry registry;
    private final Timer readWait;

    /** Upper ends of the buckets of an API server's histogram of durations, without the closest. */
    private static final Duration[] DURATIONS =
            IntStream.of(
                            5, 25, 50, 100, 200, 400, 600, 800, 1_000, 1_500, 2_000, 3_000, 5_000,
                            10_000, 20_000, 30_000, 60_000)
                    .mapToObj(Duration::ofMillis)
                    .toArray(Duration[]::new);

    /** By resource. Looking one up in the registry costs more than sending a small event. */
    private final Map<String, Counter> watchEvents = new ConcurrentHashMap<>();

    /** By verb and resource; looking one up in the registry merges its buckets each time. */
    private final Map<String, Timer> durations = new ConcurrentHashMap<>();

    private final Set<Integer> shownPartitions = ConcurrentHashMap.newKeySet();
    private LongSupplier corruptRanges = () -> 0;
    private LongSupplier incompatiblePeers = () -> 0;
    private Supplier<ConnectionCounts> connections = () -> ConnectionCounts.NONE;
    private Supplier<DiskState> disk = () -> DiskState.UNKNOWN;
    private Optional<SelfCheckMetrics> selfCheck = Optional.empty();

    /**
     * @param metrics that this node serves
     */
    public QueryMetrics(MetricsRegistry metrics) {
        this.metrics = metrics;
        this.registry = metrics.meters();
        this.readWait =
                Timer.builder("apiserver.watch.cache.read.wait")
                        .description("How long requests waited for the state they asked for")
                        .serviceLevelObjectives(
                                millis(5),
                                millis(10),
                                millis(25),
                                millis(50),
                                millis(100),
                                millis(250),
                                millis(500),
                                millis(1000),
                                millis(3000))
                        .register(registry);
    }

    /** Records how long a request waited for the requested state. */
    public void readWaited(long nanos) {
        readWait.record(nanos, TimeUnit.NANOSECONDS);
    }

    /** Registers the gauges of watches. */
    public void show(WatchHub hub) {
        Gauge.builder("apiserver.registered.watchers", hub, WatchHub::watches)
                .description("Open watches")
                .register(registry);
        Gauge.builder("tidemark.lagging.watchers", hub, WatchHub::laggingWatches)
                .description("Watches that are catching up from the store")
                .register(registry);
        Gauge.builder("tidemark.lagging.watchers.oldest.revision", hub, QueryMetrics::oldest)
                .description("Smallest revision that a watch that is catching up has reached")
                .register(registry);
        Gauge.builder("tidemark.lagging.watchers.bytes", hub, WatchHub::catchUpBytes)
                .description("Upper bound of the memory of watches that are catching up")
                .register(registry);
    }

    private static double oldest(WatchHub hub) {
        OptionalLong revision = hub.oldestLaggingRevision();
        return revision.isPresent() ? revision.getAsLong() : Double.NaN;
    }

    /** Registers the counters of compressed lines of watches and parts of lists. */
    public void show(Compression compression) {
        for (ContentCoding coding : List.of(ContentCoding.GZIP, ContentCoding.ZSTD)) {
            FunctionCounter.builder(
                            "tidemark.watch.lines.compressed",
                            compression,
                            each -> each.lines(coding))
                    .tag("coding", coding.token())
                    .description("Lines of watches that were compressed, shared ones once")
                    .register(registry);
        }
        showParts("compressed", compression, Compression::partsMade);
        showParts("shared", compression, Compression::partsFound);
    }

    private void showParts(
            String result, Compression compression, ToDoubleFunction<Compression> count) {
        FunctionCounter.builder("tidemark.gzip.parts", compression, count)
                .tag("result", result)
                .description("Parts of lists and of the objects that watches begin with")
                .register(registry);
    }

    /** Registers the end of a certificate. */
    public void show(CertificateMetrics.Use use, ServerTls tls) {
        CertificateMetrics.show(registry, use, tls);
    }

    /** Registers the metrics of requests that are served at once. */
    public void show(Seats seats) {
        Gauge.builder("tidemark.seats.taken", seats, Seats::taken)
                .description("Seats of requests that are being served")
                .register(registry);
        Gauge.builder("tidemark.seats.waiting", seats, Seats::waiting)
                .description("Requests that wait for a seat")
                .register(registry);
        FunctionCounter.builder("tidemark.seats.refused", seats, Seats::refused)
                .description("Requests that got no seat")
                .register(registry);
    }

    /** Registers the counter of lost lines of the audit log. */
    public void show(AuditLog log) {
        FunctionCounter.builder("tidemark.audit.lines.lost", log, AuditLog::dropped)
                .description("Requests that could not be recorded in the audit log")
                .register(registry);
    }

    /** Registers the counters of pages of changes, which watches follow. */
    public void show(ClusterView view) {
        showChangePages(view, "memory", ClusterView::changePagesFromMemory);
        showChangePages(view, "replica", ClusterView::changePagesRead);
    }

    private void showChangePages(
            ClusterView view, String source, ToDoubleFunction<ClusterView> pages) {
        FunctionCounter.builder("tidemark.change.pages", view, pages)
                .description("Pages of changes read for watches, by where they came from")
                .tag("source", source)
                .register(registry);
    }

    /**
     * Registers the metrics of response memory and of clients that were disconnected as too slow.
     */
    public void show(ByteBudget memory, MinimumRate rate) {
        Gauge.builder("tidemark.answers.bytes", memory, ByteBudget::held)
                .description("Memory booked by responses being read or sent")
                .register(registry);
        FunctionCounter.builder("tidemark.slow.clients", rate, MinimumRate::disconnected)
                .description("Clients disconnected for reading a response too slowly")
                .register(registry);
    }

    /** Registers the metrics of the consistent read probe. */
    public void show(ConsistentReadProbe reads) {
        FunctionCounter.builder(
                        "tidemark.reads.of.now.failures", reads, ConsistentReadProbe::failures)
                .description("Consistent reads by the node's own probe that failed")
                .register(registry);
        Gauge.builder("tidemark.reads.of.now.age.seconds", reads, ConsistentReadProbe::ageSeconds)
                .description("Time since the node's own consistent read last succeeded")
                .register(registry);
    }

    /** Registers the metrics of the self-check, updated on each scrape. */
    public void show(Supplier<CheckReport> check, InstantSource clock) {
        selfCheck = Optional.of(new SelfCheckMetrics(registry, check, clock));
    }

    /** Registers the counter of corrupt ranges of the topic. */
    public void showCorruptRanges(LongSupplier count) {
        corruptRanges = count; // The registry only holds a weak reference.
        FunctionCounter.builder("tidemark.topic.damages", this, it -> it.corruptRanges.getAsLong())
                .description("Corrupt ranges of the topic that were skipped")
                .register(registry);
    }

    /** Registers the metrics of client connections and of the process. */
    public void showConnections(Supplier<ConnectionCounts> counts) {
        connections = counts; // The registry only holds a weak reference.
        Gauge.builder("tidemark.http.connections", this, it -> it.connections.get().open())
                .description("Open connections of clients")
                .register(registry);
        FunctionCounter.builder(
                        "tidemark.http.connections.refused",
                        this,
                        it -> it.connections.get().refused())
                .description("Connections refused because there were too many")
                .register(registry);
        FunctionCounter.builder(
                        "tidemark.http.connections.evicted",
                        this,
                        it -> it.connections.get().evicted())
                .description("Idle connections closed to make room for others")
                .register(registry);
        ProcessMetrics.addTo(registry);
    }

    /** Registers the metrics of the stores' memory and files. */
    public void showStores(Supplier<StoreUsage> stores) {
        showStores("cache.used", stores, StoreUsage::cachedBytes, "Memory that the stores share");
        showStores(
                "cache.pinned", stores, StoreUsage::pinnedBytes, "Of it, what cannot be evicted");
        showStores("cache.limit", stores, StoreUsage::cacheBytes, "The limit of that memory");
        showStores("files", stores, StoreUsage::diskBytes, "Files of the replicas on this node");
    }

    private void showStores(
            String name,
            Supplier<StoreUsage> stores,
            ToLongFunction<StoreUsage> bytes,
            String description) {
        Gauge.builder("tidemark.store." + name, stores, it -> bytes.applyAsLong(it.get()))
                .description(description)
                .baseUnit("bytes")
                .strongReference(true)
                .register(registry);
    }

    /** Registers the metrics of the replicas' disk. */
    public void showDisk(Supplier<DiskState> disk) {
        this.disk = disk; // The registry only holds a weak reference.
        Gauge.builder("tidemark.disk.free", this, it -> it.disk.get().freeBytes())
                .description("Free bytes on the disk of the state folder; -1 while unknown")
                .baseUnit("bytes")
                .register(registry);
        Gauge.builder("tidemark.disk.full", this, it -> it.disk.get().isFull() ? 1 : 0)
                .description("1 while replicas are paused because the disk is full")
                .register(registry);
    }

    /** Registers the gauge of other nodes that have no peer version in common with this one. */
    public void showIncompatiblePeers(LongSupplier count) {
        incompatiblePeers = count; // The registry only holds a weak reference.
        Gauge.builder("tidemark.peers.incompatible", this, it -> it.incompatiblePeers.getAsLong())
                .description("Other nodes without a peer version in common with this one")
                .register(registry);
    }

    /**
     * Counts a request by the status code of its response.
     *
     * @param nanos from its arrival to the end of the response; not recorded of a watch
     * @param trace that it belongs to
     */
    public void request(
            String verb, String resource, int code, long nanos, Optional<TraceParent> trace) {
        if (!verb.equals("WATCH")) {
            Timer duration =
                    durations.computeIfAbsent(
                            verb + " " + resource, _ -> durationOf(verb, resource));
            metrics.measure(trace, () -> duration.record(nanos, TimeUnit.NANOSECONDS));
        }
        Counter.builder("apiserver.request")
                .description("Requests by verb, resource and response code")
                .tags("verb", verb, "resource", resource, "code", Integer.toString(code))
                .register(registry)
                .increment();
    }

    private Timer durationOf(String verb, String resource) {
        return Timer.builder("apiserver.request.duration")
                .description("Time from the arrival of a request to the end of its response")
                .serviceLevelObjectives(DURATIONS)
                .tags("verb", verb, "resource", resource)
                .register(registry);
    }

    /**
     * Records one list.
     *
     * @param bytes of the response before compression
     */
    public void listed(String resource, long objects, long bytes) {
        Counter.builder("apiserver.cache.list.returned.objects")
                .description("Objects returned by lists")
                .tags("resource", resource)
                .register(registry)
                .increment(objects);
        DistributionSummary.builder("apiserver.response.sizes")
                .description("Bytes of list responses before compression")
                .baseUnit("bytes")
                .tags("resource", resource, "verb", "LIST")
                .register(registry)
                .record(bytes);
    }

    /**
     * Counts a list by its access path.
     *
     * @param accessPath an indexed field, {@code labels}, {@code scan} or {@code key}
     * @param keysScanned number of keys that it read
     */
    public void found(String resource, String accessPath, long keysScanned) {
        Tags tags = Tags.of("resource", resource, "index", accessPath);
        Counter.builder("apiserver.cache.list")
                .description("Lists by access path: an index, scan or key")
                .tags(tags)
                .register(registry)
                .increment();
        Counter.builder("apiserver.cache.list.fetched.objects")
                .description("Objects that lists scanned, selected or not")
                .tags(tags)
                .register(registry)
                .increment(keysScanned);
    }

    /** Counts an open watch that access control ended. */
    public void watchEnded(EndedWatches.Reason reason) {
        endedWatches(reason).increment();
    }

    /** Registers the counters of watches that access control ended. */
    public void showEndedWatches() {
        for (EndedWatches.Reason reason : EndedWatches.Reason.values()) {
            var _ = endedWatches(reason);
        }
    }

    private Counter endedWatches(EndedWatches.Reason reason) {
        return Counter.builder("tidemark.watches.ended")
                .description("Open watches and waiting long polls ended by access control")
                .tags("reason", reason.label())
                .register(registry);
    }

    /** Counts events of watches and long polls. */
    public void eventsSent(String resource, long events) {
        watchEvents.computeIfAbsent(resource, this::watchEventsOf).increment(events);
    }

    private Counter watchEventsOf(String resource) {
        return Counter.builder("apiserver.watch.events")
                .description("Events sent to watches")
                .tags("resource", resource)
                .register(registry);
    }

    /** Registers the gauges of partitions that are not registered yet, and reads the self-check. */
    public void refresh(WatermarkTracker watermarks) {
        for (int p = 0; p < watermarks.partitions(); p++) {
            if (shownPartitions.add(p)) {
                showPartition(watermarks, PartitionSet.one(p));
            }
        }
        selfCheck.ifPresent(SelfCheckMetrics::update);
    }

    /** All metrics, in the format that the header {@code Accept} asks for. */
    public String scrape(WatermarkTracker watermarks, String accept) {
        refresh(watermarks);
        return metrics.scrape(accept);
    }

    private void showPartition(WatermarkTracker watermarks, PartitionSet partition) {
        Tags tags = Tags.of("partition", partition.toString());
        Gauge.builder(
                        "apiserver.watch.cache.resource.version",
                        watermarks,
                        t -> t.status(partition).watermark())
                .description("Watermark: every change through this revision is applied")
                .tags(tags)
                .register(registry);
        Gauge.builder("tidemark.partition.floor", watermarks, t -> t.status(partition).floor())
                .description("Oldest revision that can be watched from")
                .tags(tags)
                .register(registry);
        Gauge.builder(
                        "tidemark.unreadable.objects",
                        watermarks,
                        t -> t.status(partition).unreadable())
                .description("Keys whose value should be an object but cannot be parsed")
                .tags(tags)
                .register(registry);
        Gauge.builder(
                        "tidemark.partition.ready",
                        watermarks,
                        t -> t.status(partition).ready() ? 1 : 0)
                .description("Whether the partition can be read")
                .tags(tags)
                .register(registry);
    }

    private static Duration millis(long millis) {
        return Duration.ofMillis(millis);
    }
}
