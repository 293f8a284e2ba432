package io.tidemark.simulation.connector;

import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.tidemark.concurrent.Backoff;
import io.tidemark.connector.FeedEffects;
import io.tidemark.connector.FeedLoop;
import io.tidemark.connector.FeedTiming;
import io.tidemark.connector.check.Digests;
import io.tidemark.connector.check.DigestsUnavailableException;
import io.tidemark.connector.check.GroupKeyReader.KeyPage;
import io.tidemark.connector.check.GroupKeyReader.KeyPageRequest;
import io.tidemark.connector.feed.FeedState;
import io.tidemark.connector.feed.FeedStateMachine;
import io.tidemark.connector.feed.ResumePoint;
import io.tidemark.connector.http.Barriers;
import io.tidemark.connector.metrics.ConnectorMetrics;
import io.tidemark.connector.sink.ChangeSink;
import io.tidemark.connector.sink.KafkaChangeSink;
import io.tidemark.connector.topic.TopicSettings;
import io.tidemark.connector.value.ChangeBuilder;
import io.tidemark.connector.value.KubernetesKeys;
import io.tidemark.connector.value.MirroredKeys;
import io.tidemark.connector.value.ParallelMap;
import io.tidemark.connector.value.ValueDecoder;
import io.tidemark.connector.value.ValueReader;
import io.tidemark.etcd.connection.EtcdException;
import io.tidemark.simulation.etcd.FakeEtcd;
import io.tidemark.simulation.etcd.SimulatedEtcdSource;
import io.tidemark.simulation.fault.Mutation;
import io.tidemark.simulation.kafka.FakeTopic;
import io.tidemark.simulation.kafka.SimulatedKafka;
import io.tidemark.simulation.world.CoverageEvent;
import io.tidemark.simulation.world.Scheduler;
import io.tidemark.simulation.world.SecretMode;
import io.tidemark.simulation.world.Settings;
import io.tidemark.simulation.world.SimulatedProcess;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/** One connector process while it leads: production's feed, as a coroutine between the fakes. */
public final class SimulatedConnector {
    private static final int BACKFILL = 1_000;
    private static final int MAX_RECORD_BYTES = 1 << 20;

    /** As the history window, shorter than in production. */
    private static final FeedTiming TIMING =
            new FeedTiming(
                    Duration.ofMillis(Settings.COMMIT_MILLIS),
                    new Backoff(Duration.ofMillis(20), Duration.ofMillis(500)),
                    Duration.ofMillis(100));

    private static final ParallelMap IN_THIS_THREAD = new ParallelMap(1);
    private static final ConnectorMetrics METRICS =
            new ConnectorMetrics(new CompositeMeterRegistry());

    private final Scheduler scheduler;
    private final SimulatedProcess process;
    private final SimulatedEtcdSource source;
    private final SimulatedKafka kafka;
    private final ReportingSink sink;
    private final FeedLoop loop;
    private final Barriers barriers;
    private final SimulatedDigests digests;

    /** The world of a connector. */
    public record Surroundings(
            Scheduler scheduler,
            Settings settings,
            FakeEtcd etcd,
            FakeTopic topic,
            Mutation mutation,
            InstantSource clock,
            EpochHistories epochs,
            CommitGaps commits) {}

    public SimulatedConnector(Surroundings world, String name) {
        this.scheduler = world.scheduler();
        this.process =
                new SimulatedProcess(scheduler, world.mutation(), name, world.clock(), this::run);
        this.source = new SimulatedEtcdSource(world.etcd(), world.mutation(), process);
        this.kafka = new SimulatedKafka(scheduler, world.topic(), world.mutation(), process);
        TopicSettings topic =
                TopicSettings.DEFAULT
                        .withName(SimulatedKafka.TOPIC)
                        .withHistory(Duration.ofMillis(world.settings().lagMillis()));
        ChangeSink toKafka = new KafkaChangeSink(kafka, topic, "", METRICS);
        this.sink = new ReportingSink(toKafka, source, kafka, world, name);
        KubernetesKeys keys = new KubernetesKeys(Settings.PREFIX);
        SecretMode secrets = world.settings().secrets();
        ChangeBuilder builder =
                new ChangeBuilder(
                                keys,
                                new ValueReader(keys, ValueDecoder.NONE),
                                IN_THIS_THREAD,
                                secrets.areMirrored(),
                                MAX_RECORD_BYTES)
                        .withSealer(secrets.sealer());
        this.loop =
                new FeedLoop(
                        new FeedStateMachine(Settings.PREFIX, BACKFILL, world.settings().onGap()),
                        source,
                        new FeedEffects(
                                source,
                                sink,
                                builder,
                                "http://connector",
                                METRICS,
                                TIMING,
                                process),
                        METRICS);
        this.barriers = new Barriers(source, loop);
        this.digests =
                new SimulatedDigests(
                        scheduler,
                        source,
                        new MirroredKeys(keys, secrets.areMirrored()),
                        () -> isDead() ? null : loop.history(),
                        world.settings().partitions(),
                        world.clock());
    }

    private void run() {
        loop.run();
    }

    public void start() {
        process.coroutine().start();
    }

    public boolean isDead() {
        return process.coroutine().isKilled() || loop.hasEnded();
    }

    /** The process dies; a part of what it had sent may arrive. */
    public void crash() {
        process.coroutine().kill();
        source.close();
        kafka.crash();
        sink.loseUncommitted();
    }

    /** Pauses, as on SIGSTOP. */
    public void pause(boolean now) {
        process.coroutine().pause(now);
    }

    public FeedLoop loop() {
        return loop;
    }

    /**
     * A barrier's answer: the epoch that is being written, and etcd's revision, read after the
     * epoch was looked up. Empty when unknown.
     */
    public Optional<ResumePoint.At> barrier() {
        ResumePoint.At history = loop.history();
        if (history == null || isDead() || process.coroutine().isPaused()) {
            return Optional.empty();
        }
        try {
            Barriers.Barrier answer = barriers.read();
            return Optional.of(
                    new ResumePoint.At(answer.epoch(), answer.revision(), history.clusterId()));
        } catch (Barriers.BarrierException | EtcdException _) {
            return Optional.empty();
        }
    }

    /** Whether it is there and not paused. */
    public boolean isResponsive() {
        return !isDead() && !process.coroutine().isPaused();
    }

    /** Its newest digests of etcd. */
    public Digests digests(int partitions) throws DigestsUnavailableException {
        return digests.newest(partitions);
    }

    /** A page of keys, where digests differ. */
    public KeyPage digestKeys(KeyPageRequest request)
            throws DigestsUnavailableException, InterruptedException {
        return digests.keys(request);
    }

    /** Requests a relist of the epoch that it writes. */
    public void relist() {
        ResumePoint.At history = loop.history();
        if (history != null) {
            scheduler.count(CoverageEvent.RELISTS);
            loop.relist(history.epoch(), "a node cannot read the topic");
        }
    }

    /** Whether it follows etcd, and is past a revision. */
    public boolean isFollowingBeyond(long revision) {
        return !isDead()
                && !process.coroutine().isPaused()
                && loop.state() instanceof FeedState.Following(_, ResumePoint.At marked)
                && marked.revision() > revision;
    }
}
