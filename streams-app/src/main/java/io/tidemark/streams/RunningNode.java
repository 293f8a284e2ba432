package io.tidemark.streams;

import io.tidemark.address.HostPort;
import io.tidemark.nodeauth.NodeClient;
import io.tidemark.reading.ClockStepAlarm;
import io.tidemark.reading.ClockStepDetector;
import io.tidemark.store.engine.EngineException;
import io.tidemark.streams.replica.DiskSpace;
import io.tidemark.streams.replica.MirrorTopology;
import io.tidemark.streams.replica.StateFolders;
import io.tidemark.streams.replica.StoreContext;
import io.tidemark.view.StoreUsage;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsMetadata;
import org.apache.kafka.streams.ThreadMetadata;
import org.apache.kafka.streams.errors.StreamsNotStartedException;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.apache.kafka.streams.state.HostInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node after its topic was found: Kafka Streams, and what monitors its catch-up and the topic.
 */
final class RunningNode {
    private static final Logger LOG = LoggerFactory.getLogger(RunningNode.class);
    private static final Duration CHECK_EVERY = Duration.ofMillis(200);

    /** While the node has just started, and requests wait until it has caught up. */
    private static final Duration CHECK_AT_START_EVERY = Duration.ofMillis(50);

    /** A check looks into the topic for each store that it finds where the last one did. */
    private static final Duration START = Duration.ofSeconds(10);

    /** How often a node checks that its topic is the one that it joined. */
    private static final Duration CHECK_TOPIC_EVERY = Duration.ofSeconds(5);

    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

    /** Longest time for which stores stay open that the group may yet assign to this node. */
    private static final Duration KEEP_UNASSIGNED = Duration.ofMinutes(1);

    private static final Duration CLOSE_STORES = Duration.ofSeconds(2);

    private static final Duration CLOSE_CLIENT = Duration.ofSeconds(1);

    private final StreamsSettings settings;
    private final TopicFacts facts;
    private final StoreContext context;
    private final Consumer<String> failed;
    private final Runnable rejoin;
    private final ClockStepAlarm alarm;
    private final KafkaStreams streams;
    private final Admin admin;
    private final CatchUpMonitor catchUp;
    private final RelistRequester lists;
    private final KafkaConsumer<byte[], byte[]> probe;
    private final Thread watcher;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final StreamThreadBackoff failures = new StreamThreadBackoff();
    private final ReentrantLock closeLock = new ReentrantLock();
    private volatile boolean caughtUp;

    /** Set before {@link #watcher} starts. */
    private long startedNanos;

    /** Guarded by {@link #closeLock}. */
    private boolean closed;

    /** What a node opens before it starts: all of it, or nothing. */
    private record Clients(Admin admin, KafkaConsumer<byte[], byte[]> probe, KafkaStreams streams) {
        static Clients open(
                StreamsSettings settings,
                TopicFacts facts,
                StoreContext context,
                Function<Map<String, Object>, Admin> admins) {
            Deque<Runnable> opened = new ArrayDeque<>();
            try {
                Admin admin = Admin.create(KafkaSetup.admin(settings));
                opened.push(() -> admin.close(CLOSE_CLIENT));
                KafkaConsumer<byte[], byte[]> probe =
                        new KafkaConsumer<>(KafkaSetup.probe(settings));
                opened.push(probe::close);
                KafkaStreams streams =
                        new KafkaStreams(
                                MirrorTopology.of(settings.topic(), context),
                                KafkaSetup.streams(settings, facts),
                                new StreamsClients(context.ahead(), context.passed(), admins));
                return new Clients(admin, probe, streams);
            } catch (RuntimeException e) {
                opened.forEach(Runnable::run);
                throw e;
            }
        }
    }

    /**
     * @param admins makes Streams' admin client of its settings
     * @param connectors client for relist requests
     * @param failed gets the reason when Streams has stopped after an error, or when the topic is
     *     another one
     * @param rejoin is run after a backward clock step, when Kafka's clients would hang and new
     *     ones would not; it must not close this node in its own thread
     * @throws KafkaException when a client cannot be made, as while the brokers' host names do not
     *     resolve; nothing stays open
     */
    RunningNode(
            StreamsSettings settings,
            TopicFacts facts,
            StoreContext context,
            Function<Map<String, Object>, Admin> admins,
            NodeClient connectors,
            Consumer<String> failed,
            Runnable rejoin) {
        this.rejoin = rejoin;
        this.settings = settings;
        this.facts = facts;
        this.context = context;
        this.failed = failed;
        Clients clients = Clients.open(settings, facts, context, admins);
        this.admin = clients.admin();
        this.probe = clients.probe();
        this.streams = clients.streams();
        this.lists = new RelistRequester(connectors, context.clock());
        this.catchUp =
                new CatchUpMonitor(
                        settings.topic(),
                        admin::listOffsets,
                        probe,
                        context.open(),
                        context.clock());
        this.watcher =
                Thread.ofPlatform().name("tidemark-catch-up").daemon().unstarted(this::watch);
        StateFolders.makePrivate(settings.stateDirectory(), settings.applicationId());
        this.alarm =
                new ClockStepAlarm(
                        new ClockStepDetector(context.clock(), System::nanoTime),
                        this::clockWasSetBack);
    }

    void start() {
        streams.setUncaughtExceptionHandler(this::replaceThread);
        streams.setStateListener((now, _) -> {
            if (now == KafkaStreams.State.RUNNING) {
                context.disk().resume(DiskSpace.NODE);
            }
            if (now == KafkaStreams.State.ERROR) {
                failed.accept("Kafka Streams has stopped after an error; the log has the cause");
            }
        });
        startStreams();
        startedNanos = System.nanoTime();
        watcher.start();
        Thread.ofVirtual().name("tidemark-topic").start(this::watchTopic);
    }

    private void startStreams() {
        StateFolders folders = StateFolders.of(settings.stateDirectory(), settings.applicationId());
        try {
            if (KafkaSetup.keepsStateFolders(settings)) {
                context.startup().openAll(context, folders, facts.partitions());
            }
            streams.start();
        } finally {
            context.startup().started();
        }
    }

    private StreamThreadExceptionResponse replaceThread(Throwable e) {
        Duration pause = failures.next(System.nanoTime());
        if (EngineException.isCausedByFullDisk(e)) {
            context.disk().suspend(DiskSpace.NODE, String.valueOf(e.getMessage()));
        } else if (failures.consecutive() == 1) {
            LOG.error("stream thread failed; replacing it in {} s", pause.toSeconds(), e);
        } else {
            LOG.error(
                    "stream thread failed for the {}th time in a row; replacing it in {} s: {}",
                    failures.consecutive(),
                    pause.toSeconds(),
                    e.toString());
        }
        LockSupport.parkNanos(pause.toNanos());
        return StreamThreadExceptionResponse.REPLACE_THREAD;
    }

    private void clockWasSetBack(Duration back) {
        LOG.warn(
                "this machine's clock was set back by {} s: joining the group again",
                back.toSeconds());
        rejoin.run();
    }

    private void watch() {
        try {
            while (!closing.await(pause().toMillis(), TimeUnit.MILLISECONDS)) {
                closeUnassigned();
                if (!checkReplicas()
                        && closing.await(RETRY_AFTER.toMillis(), TimeUnit.MILLISECONDS)) {
                    return;
                }
            }
        } catch (InterruptedException _) {
            LOG.debug("closing");
        } finally {
            probe.close();
        }
    }

    private Duration pause() {
        return caughtUp || hasRunFor(START) ? CHECK_EVERY : CHECK_AT_START_EVERY;
    }

    /** Streams deletes the folder of a store that it is not assigned, after minutes. */
    private void closeUnassigned() {
        if (streams.state() == KafkaStreams.State.RUNNING || hasRunFor(KEEP_UNASSIGNED)) {
            context.startup().closeRest(context.closer());
        }
    }

    private boolean hasRunFor(Duration time) {
        return System.nanoTime() - startedNanos > time.toNanos();
    }

    /** False when it has to be tried again: Kafka may be away for a while. */
    private boolean checkReplicas() throws InterruptedException {
        try {
            catchUp.check();
            lists.check(context.open().stores());
            caughtUp = hasCaughtUp();
            return true;
        } catch (KafkaException e) {
            LOG.info("cannot read end of topic {}: {}", settings.topic(), e.toString());
        } catch (RuntimeException e) {
            if (closing.getCount() > 0) {
                LOG.error("a bug: the replicas of this node could not be checked", e);
            }
        }
        return false;
    }

    /** Apart from {@link #watch}: a broker that hangs delays the answer, but no ready replica. */
    private void watchTopic() {
        try {
            while (!closing.await(CHECK_TOPIC_EVERY.toMillis(), TimeUnit.MILLISECONDS)) {
                checkTopic();
            }
        } catch (InterruptedException _) {
            LOG.debug("closing");
        }
    }

    /** Apart from the reads of its ends, which fail while it lacks a partition. */
    private void checkTopic() throws InterruptedException {
        try {
            facts.difference(admin, settings.topic()).ifPresent(this::fail);
        } catch (ExecutionException | TimeoutException | KafkaException e) {
            if (closing.getCount() > 0) {
                LOG.info("cannot describe topic {}: {}", settings.topic(), e.toString());
            }
        }
    }

    /** The stores and the routes of keys are those of the topic that was there at the start. */
    private void fail(String difference) {
        failed.accept(difference + "; restart this node to read it from its start");
    }

    /** Whether the group has settled and every store here has caught up. */
    private boolean hasCaughtUp() {
        List<NodeProgress.Partition> here = catchUp.progress();
        return streams.state() == KafkaStreams.State.RUNNING
                && here.size() == context.open().stores().size()
                && here.stream().allMatch(each -> each.remaining() == 0);
    }

    boolean isCaughtUp() {
        return caughtUp;
    }

    StoreUsage storeMemory() {
        return context.memory().usage();
    }

    List<NodeProgress.Partition> partitions() {
        return catchUp.progress();
    }

    /** Empty before the group has settled for the first time, and when Streams has stopped. */
    Set<String> advertisedNodes() {
        try {
            Set<String> nodes = new TreeSet<>();
            for (StreamsMetadata each : streams.metadataForAllStreamsClients()) {
                if (!each.hostInfo().equals(HostInfo.unavailable())) {
                    nodes.add(HostPort.join(each.hostInfo().host(), each.hostInfo().port()));
                }
            }
            return nodes;
        } catch (IllegalStateException | StreamsNotStartedException _) {
            return Set.of();
        }
    }

    Set<Integer> activePartitions() {
        try {
            Set<Integer> active = new TreeSet<>();
            for (ThreadMetadata thread : streams.metadataForLocalThreads()) {
                thread.activeTasks().forEach(task -> active.add(task.taskId().partition()));
            }
            return active;
        } catch (IllegalStateException | StreamsNotStartedException _) {
            return Set.of();
        }
    }

    /**
     * Leaves the group and closes the stores, or waits while another thread does so: a stop does
     * not wait for as long as a rejoin may.
     *
     * @return whether all its threads have ended; only then may another node open the stores
     */
    boolean close(Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        if (!lockWithin(timeout)) {
            return false;
        }
        try {
            return closed || end(deadline);
        } finally {
            closeLock.unlock();
        }
    }

    private boolean lockWithin(Duration timeout) {
        try {
            // The first also for a thread that was interrupted.
            return closeLock.tryLock()
                    || closeLock.tryLock(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private boolean end(long deadline) {
        alarm.close();
        closing.countDown();
        probe.wakeup();
        if (watcher.getState() == Thread.State.NEW) {
            probe.close(); // Else its thread does.
        }
        context.closer().leave();
        Duration timeout = left(deadline);
        boolean ended =
                streams.close(
                        CloseOptions.timeout(timeout)
                                .withGroupMembershipOperation(
                                        CloseOptions.GroupMembershipOperation.LEAVE_GROUP));
        context.startup().closeRest(context.closer());
        admin.close(CLOSE_CLIENT);
        context.gate().close();
        Duration left = left(deadline);
        Duration stores = left.compareTo(CLOSE_STORES) > 0 ? left : CLOSE_STORES;
        closed = context.closer().await(stores) && ended;
        if (closed) {
            context.memory().close();
        } else {
            // Its threads may still be inside the stores: leak the memory rather than crash.
            LOG.warn(
                    "Kafka Streams has not ended within {}; leaks the memory of up to {} stores",
                    timeout,
                    facts.partitions());
        }
        return closed;
    }

    private static Duration left(long deadline) {
        return Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
    }
}
