package io.tidemark.connector;

import io.micrometer.core.instrument.MeterRegistry;
import io.tidemark.address.HttpAddress;
import io.tidemark.concurrent.TimeSource;
import io.tidemark.connector.check.EtcdDigests;
import io.tidemark.connector.check.ScanRuntime;
import io.tidemark.connector.feed.FeedState;
import io.tidemark.connector.feed.FeedStateMachine;
import io.tidemark.connector.feed.ResumePoint;
import io.tidemark.connector.http.Barriers;
import io.tidemark.connector.http.Barriers.Barrier;
import io.tidemark.connector.http.ConnectorHttp;
import io.tidemark.connector.lead.EtcdReachabilityProbe;
import io.tidemark.connector.lead.Leadership;
import io.tidemark.connector.lead.SoleLeadership;
import io.tidemark.connector.metrics.ConnectorMetrics;
import io.tidemark.connector.metrics.TermGauges;
import io.tidemark.connector.redact.Redactor;
import io.tidemark.connector.sink.KafkaChangeSink;
import io.tidemark.connector.sink.KafkaClients;
import io.tidemark.connector.source.EtcdSource;
import io.tidemark.connector.topic.TopicSettings;
import io.tidemark.connector.value.ChangeBuilder;
import io.tidemark.connector.value.KubernetesKeys;
import io.tidemark.connector.value.MirroredKeys;
import io.tidemark.connector.value.ParallelMap;
import io.tidemark.connector.value.ProtobufDecoder;
import io.tidemark.connector.value.ValueDecoder;
import io.tidemark.connector.value.ValueReader;
import io.tidemark.http.metrics.CertificateMetrics;
import io.tidemark.http.metrics.CertificateMetrics.Use;
import io.tidemark.http.metrics.MetricsRegistry;
import io.tidemark.http.metrics.ProcessMetrics;
import io.tidemark.nodeauth.ServerSessions;
import io.tidemark.record.secret.PutSealer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Mirrors an etcd prefix into the mirror topic, from {@link #start} until {@link #close}. It
 * retries through faults of etcd and Kafka; it ends by itself only when the topic is invalid.
 */
public final class Connector implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Connector.class);
    private static final int MAX_VALUE_WORKERS = 4;

    /** Suffices to step down and to leave the group. */
    private static final Duration END = Duration.ofSeconds(9);

    private final ConnectorConfig config;
    private final EtcdSource source;
    private final MetricsRegistry registry;
    private final ConnectorMetrics metrics;
    private final ParallelMap parallel;
    private final ValueDecoder decoder;

    /** Address under which nodes reach this connector; known once it listens. */
    private final CompletableFuture<HttpAddress> advertised = new CompletableFuture<>();

    /** Sink of the newest term. */
    private volatile @Nullable KafkaChangeSink sink;

    private @Nullable Running running;
    private boolean closed;

    /** What exists between start and close. */
    private record Running(
            FeedSupervisor terms,
            Barriers barriers,
            ConnectorHttp http,
            @Nullable EtcdDigests digests,
            @Nullable Leadership election,
            @Nullable SoleLeadership alone) {}

    /** A connector that decodes Kubernetes' own protobuf. */
    public Connector(ConnectorConfig config) {
        this(config, new ProtobufDecoder());
    }

    public Connector(ConnectorConfig config, ValueDecoder decoder) {
        this(config, decoder, config.source().open(config.prefix()));
    }

    /**
     * @param source owned by the connector, and closed with it
     */
    Connector(ConnectorConfig config, ValueDecoder decoder, EtcdSource source) {
        this.config = config;
        this.decoder = decoder;
        this.source = source;
        this.registry = new MetricsRegistry(config.otlp(), "tidemark-connector");
        MeterRegistry meters = registry.meters();
        this.metrics = new ConnectorMetrics(meters);
        registry.onExport(metrics::refresh);
        int cores = Runtime.getRuntime().availableProcessors();
        metrics.show(decoder);
        ProcessMetrics.addTo(meters);
        config.tls().ifPresent(tls -> CertificateMetrics.show(meters, Use.GROUP, tls.listening()));
        config.source()
                .clientCertificate()
                .ifPresent(file -> CertificateMetrics.show(meters, Use.ETCD, file));
        this.parallel = new ParallelMap(Math.clamp(cores, 1, MAX_VALUE_WORKERS));
    }

    /**
     * Starts to listen and to mirror; returns at once.
     *
     * @throws java.io.UncheckedIOException when the address cannot be listened on
     */
    public synchronized void start() {
        if (running != null || closed) {
            throw new IllegalStateException("a connector is started once");
        }
        FeedSupervisor terms =
                new FeedSupervisor(() -> FeedTerm.inThread(loop()), metrics::endTerm);
        EtcdDigests digests = digests(terms);
        Barriers barriers = new Barriers(source, terms);
        ConnectorHttp http =
                new ConnectorHttp(
                        config.listen().host(),
                        config.listen().port(),
                        config.hosts(),
                        new ServerSessions(config.peerSecrets(), advertised::join),
                        config.tls(),
                        new ConnectorHttp.ConnectorServices(
                                barriers,
                                terms::relist,
                                new ConnectorHealth(
                                        this::status, this::election, metrics::markAgeSeconds),
                                () -> StatusJson.of(status(), advertised.join().toString()),
                                accept -> {
                                    metrics.refresh();
                                    return registry.scrape(accept);
                                },
                                digests),
                        metrics);
        listen(http);
        if (digests != null) {
            digests.start();
        }
        running =
                config.elected()
                        ? new Running(terms, barriers, http, digests, election(terms), null)
                        : new Running(terms, barriers, http, digests, null, alone(terms));
        LOG.info("serving barriers, health and metrics at {}", advertised.join());
    }

    private void listen(ConnectorHttp http) {
        http.start();
        try {
            advertised.complete(config.advertised(http.port()));
        } catch (IllegalArgumentException e) {
            advertised.completeExceptionally(e);
            http.close();
            throw e;
        }
    }

    private MirroredKeys mirroredKeys() {
        return new MirroredKeys(
                new KubernetesKeys(config.kubernetesRoots(), config.prefix()),
                config.includeSecrets());
    }

    private @Nullable EtcdDigests digests(FeedSupervisor terms) {
        if (config.selfCheck().isZero()) {
            return null;
        }
        EtcdDigests digests =
                new EtcdDigests(
                        source,
                        mirroredKeys(),
                        config.prefix(),
                        config.selfCheck(),
                        terms::history,
                        this::topicPartitions,
                        InstantSource.system(),
                        ScanRuntime.SYSTEM);
        metrics.show(digests);
        return digests;
    }

    private SoleLeadership alone(FeedSupervisor terms) {
        SoleLeadership alone = new SoleLeadership(config.topic().name(), terms);
        alone.start();
        return alone;
    }

    private Leadership election(FeedSupervisor terms) {
        KafkaClients clients = new KafkaClients(config.kafkaBootstrap(), config.kafka());
        Leadership election =
                new Leadership(clients, config.topic(), terms, new EtcdReachabilityProbe(source));
        election.start();
        return election;
    }

    private int topicPartitions() {
        KafkaChangeSink writing = sink;
        return writing == null ? 0 : writing.partitions();
    }

    private FeedLoop loop() {
        MirroredKeys keys = mirroredKeys();
        ChangeBuilder builder =
                new ChangeBuilder(
                        keys,
                        new ValueReader(keys.keys(), decoder),
                        new Redactor(config.redaction(), keys.keys().parents()),
                        parallel,
                        TopicSettings.MAX_MESSAGE_BYTES,
                        config.secretKeys().map(PutSealer::new));
        KafkaClients clients = new KafkaClients(config.kafkaBootstrap(), config.kafka());
        KafkaChangeSink writing =
                new KafkaChangeSink(clients, config.topic(), config.scope(), metrics);
        sink = writing;
        String url = advertised.join().toString();
        return new FeedLoop(
                new FeedStateMachine(config.prefix(), config.backfill(), config.onGap()),
                source,
                new FeedEffects(
                        source,
                        writing,
                        builder,
                        url,
                        metrics,
                        FeedTiming.DEFAULT,
                        FeedRuntime.ofSystem()),
                metrics);
    }

    /** A snapshot of what the connector does now; cheap. */
    public ConnectorStatus status() {
        Running now = current();
        FeedLoop loop = now == null ? null : now.terms().loop();
        FeedLog log = loop == null ? new FeedLog(metrics, TimeSource.SYSTEM) : loop.log();
        FeedState state = loop == null ? new FeedState.Idle() : loop.state();
        ResumePoint.At history = loop == null ? null : loop.history();
        ConnectorStatus status = log.status(state, history == null ? 0 : history.epoch());
        if (now == null) {
            return status;
        }
        String outOfElection = now.terms().outOfElectionReason();
        if (outOfElection != null) {
            return status.asOutOfElection(outOfElection);
        }
        return now.terms().isStandby() ? status.asStandby() : status;
    }

    /**
     * What {@code POST /barrier} answers: etcd's revision, read after this call began. For callers
     * in this process.
     *
     * @return shared, so only for reading; fails with the reason why there is no barrier
     */
    public CompletableFuture<Barrier> barrier() {
        Running now = current();
        if (now == null) {
            return CompletableFuture.failedFuture(
                    new IllegalStateException("the connector has not started"));
        }
        TermGauges term = metrics.term();
        long began = System.nanoTime();
        CompletableFuture<Barrier> answer = now.barriers().begin();
        var _ =
                answer.whenComplete((barrier, failure) -> {
                    if (failure == null) {
                        metrics.barrier(Duration.ofNanos(System.nanoTime() - began));
                        term.etcdSeen(barrier.revision());
                    } else {
                        metrics.barrierFailed();
                    }
                });
        return answer;
    }

    /** The address at which nodes find this connector; empty before the start. */
    public String address() {
        return current() == null ? "" : advertised.join().toString();
    }

    /** Port of barriers, health and metrics; 0 before the start. */
    public int port() {
        Running now = current();
        return now == null ? 0 : now.http().port();
    }

    /** Waits until the connector has ended, by itself or by {@link #close}. */
    public void awaitTermination() throws InterruptedException {
        Running now = current();
        if (now == null) {
            return;
        }
        Leadership election = now.election();
        SoleLeadership alone = now.alone();
        if (election != null) {
            election.awaitEnd();
        } else if (alone != null) {
            alone.awaitEnd();
        }
    }

    private @Nullable Leadership election() {
        Running now = current();
        return now == null ? null : now.election();
    }

    private synchronized @Nullable Running current() {
        return running;
    }

    /** Commits what was written, hands leadership over and ends; takes at most 10 s. */
    @Override
    public void close() {
        Running now;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            now = running;
        }
        if (now != null) {
            EtcdDigests digests = now.digests();
            if (digests != null) {
                digests.close();
            }
            end(now);
            now.http().close();
        }
        source.close();
        parallel.close();
        registry.close();
    }

    private static void end(Running running) {
        SoleLeadership alone = running.alone();
        if (alone != null) {
            alone.close();
        }
        Leadership election = running.election();
        if (election == null) {
            return;
        }
        election.close();
        try {
            boolean _ = election.awaitEnd(END);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
