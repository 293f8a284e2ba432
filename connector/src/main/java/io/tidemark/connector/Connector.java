package io.tidemark.connector;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.tidemark.connector.feed.FeedState;
import io.tidemark.connector.feed.FeedStateMachine;
import io.tidemark.connector.feed.ResumePoint;
import io.tidemark.connector.http.Barriers;
import io.tidemark.connector.http.ConnectorHttp;
import io.tidemark.connector.http.HealthCheck;
import io.tidemark.connector.metrics.ConnectorMetrics;
import io.tidemark.connector.sink.KafkaChangeSink;
import io.tidemark.connector.sink.KafkaClients;
import io.tidemark.connector.source.EtcdClientSource;
import io.tidemark.connector.source.EtcdSource;
import io.tidemark.connector.topic.TopicSettings;
import io.tidemark.connector.value.ChangeBuilder;
import io.tidemark.connector.value.KubernetesDecoder;
import io.tidemark.connector.value.KubernetesKeys;
import io.tidemark.connector.value.ParallelMap;
import io.tidemark.connector.value.ProtobufDecoder;
import io.tidemark.connector.value.ValueReader;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Mirrors an etcd prefix into the mirror topic, from {@link #start} until {@link #close}. Faults of
 * etcd and Kafka are waited out; it ends by itself only when another connector has taken over the
 * topic, or when the topic is unfit.
 */
public final class Connector implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Connector.class);
    private static final Duration CLOSE = Duration.ofSeconds(5);
    private static final int MOST_VALUE_WORKERS = 4;

    private final ConnectorConfig config;
    private final EtcdSource source;
    private final PrometheusMeterRegistry registry =
            new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final ConnectorMetrics metrics = new ConnectorMetrics(registry);
    private final ParallelMap parallel;
    private final KubernetesDecoder decoder;
    private final ExecutorService barrierReads =
            Executors.newThreadPerTaskExecutor(
                    Thread.ofVirtual().name("tidemark-barrier-", 0).factory());
    private @Nullable Running running;
    private boolean closed;

    /** What exists between start and close. */
    private record Running(FeedLoop loop, ConnectorHttp http, Thread thread) {}

    /** A connector that decodes Kubernetes' own protobuf. */
    public Connector(ConnectorConfig config) {
        this(config, new ProtobufDecoder());
    }

    public Connector(ConnectorConfig config, KubernetesDecoder decoder) {
        this(config, decoder, new EtcdClientSource(config.etcd(), config.prefix()));
    }

    /**
     * @param source becomes the connector's, and is closed with it
     */
    Connector(ConnectorConfig config, KubernetesDecoder decoder, EtcdSource source) {
        this.config = config;
        this.decoder = decoder;
        this.source = source;
        int cores = Runtime.getRuntime().availableProcessors();
        metrics.show(decoder);
        this.parallel = new ParallelMap(Math.clamp(cores, 1, MOST_VALUE_WORKERS));
    }

    /**
     * Begins to listen and to mirror; returns at once.
     *
     * @throws java.io.UncheckedIOException when the address cannot be listened on
     */
    public synchronized void start() {
        if (running != null || closed) {
            throw new IllegalStateException("a connector is started once");
        }
        ConnectorHttp http =
                new ConnectorHttp(
                        new InetSocketAddress(config.listen().host(), config.listen().port()),
                        metrics);
        String url = config.advertisedUrl(http.port());
        FeedLoop loop = loop(url);
        http.start(new Barriers(source, loop, barrierReads), new Health(), registry::scrape);
        Thread thread = Thread.ofPlatform().name("tidemark-feed").unstarted(loop);
        running = new Running(loop, http, thread);
        thread.start();
        LOG.info("barriers, health and metrics at {}", url);
    }

    private FeedLoop loop(String advertise) {
        KubernetesKeys keys = new KubernetesKeys(config.prefix());
        ChangeBuilder builder =
                new ChangeBuilder(
                        keys,
                        new ValueReader(keys, decoder),
                        parallel,
                        config.includeSecrets(),
                        TopicSettings.MAX_MESSAGE_BYTES);
        KafkaClients clients = new KafkaClients(config.kafkaBootstrap(), config.kafka());
        KafkaChangeSink sink =
                new KafkaChangeSink(clients, config.topic(), config.scope(), metrics);
        return new FeedLoop(
                new FeedStateMachine(config.prefix(), config.backfill()),
                source,
                pause -> new FeedEffects(source, sink, builder, advertise, metrics, pause),
                metrics);
    }

    /** Where it stands now; cheap. */
    public ConnectorStatus status() {
        Running now = current();
        FeedState state = now == null ? new FeedState.Idle() : now.loop().state();
        ResumePoint.At history = now == null ? null : now.loop().history();
        FeedLog log = now == null ? new FeedLog(metrics) : now.loop().log();
        return log.status(state, history == null ? 0 : history.epoch());
    }

    /** Port of barriers, health and metrics; 0 before the start. */
    public int port() {
        Running now = current();
        return now == null ? 0 : now.http().port();
    }

    /** Waits until it has ended, by itself or by {@link #close}. */
    public void awaitTermination() throws InterruptedException {
        Running now = current();
        if (now != null) {
            now.loop().awaitEnd();
        }
    }

    private synchronized @Nullable Running current() {
        return running;
    }

    /** Commits what was written and ends; takes 5 s at most. */
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
            now.loop().stop();
            try {
                if (!now.loop().awaitEnd(CLOSE)) {
                    LOG.warn("Kafka or etcd does not answer; what is not committed is left");
                    now.thread().interrupt();
                }
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
            now.http().close();
        }
        barrierReads.shutdownNow();
        source.close();
        parallel.close();
        registry.close();
    }

    private final class Health implements ConnectorHttp.Health {
        @Override
        public boolean alive() {
            return status().phase() != ConnectorStatus.Phase.FAILED;
        }

        @Override
        public List<HealthCheck> checks() {
            ConnectorStatus status = status();
            String error = status.lastError().isEmpty() ? "none" : status.lastError();
            return List.of(
                    new HealthCheck(
                            "feed", following(status), status.phase() + ", last error: " + error),
                    new HealthCheck(
                            "revision",
                            true,
                            "%d of %d, epoch %d"
                                    .formatted(
                                            status.revision(),
                                            status.etcdRevision(),
                                            status.epoch())),
                    new HealthCheck(
                            "list",
                            true,
                            "%d of %d objects"
                                    .formatted(status.objectsListed(), status.objectsTotal())),
                    new HealthCheck(
                            "unreadable",
                            true,
                            "%d keys now, %d dead letters since the start"
                                    .formatted(status.unreadableKeys(), status.deadLetters())));
        }

        private static boolean following(ConnectorStatus status) {
            return switch (status.phase()) {
                case FOLLOWING, REPLAYING -> true;
                case STARTING, LISTING, WAITING, FAILED -> false;
            };
        }
    }
}
