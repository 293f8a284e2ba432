package io.tidemark.simulation.kafka;

import io.tidemark.concurrent.TimeSource;
import io.tidemark.connector.sink.TopicClients;
import io.tidemark.connector.topic.MirrorTopics;
import io.tidemark.connector.topic.TopicSettings;
import io.tidemark.reading.CorruptRange;
import io.tidemark.simulation.fault.Mutation;
import io.tidemark.simulation.world.Coroutine;
import io.tidemark.simulation.world.Scheduler;
import io.tidemark.simulation.world.Settings;
import io.tidemark.simulation.world.SimulatedProcess;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A connector's Kafka clients, which write and read the fake topic. Each of their blocking calls
 * takes some virtual time. The topic of dead letters is always empty.
 */
public final class SimulatedKafka implements TopicClients {
    public static final String TOPIC = "tidemark";

    /** How long the broker may be away before a call fails. */
    public static final long TIMEOUT_MILLIS = 3_000;

    private static final int MAX_RECORD_BYTES = 1 << 20;

    /** How often a waiting call looks whether the broker would answer it now. */
    private static final long POLL_MILLIS = 20;

    private final Scheduler scheduler;
    private final FakeTopic topic;
    private final Mutation mutation;
    private final SimulatedProcess process;
    private @Nullable SimulatedProducer newest;

    public SimulatedKafka(
            Scheduler scheduler, FakeTopic topic, Mutation mutation, SimulatedProcess process) {
        this.scheduler = scheduler;
        this.topic = topic;
        this.mutation = mutation;
        this.process = process;
    }

    public Scheduler scheduler() {
        return scheduler;
    }

    public FakeTopic topic() {
        return topic;
    }

    public Coroutine caller() {
        return process.coroutine();
    }

    /** A request to the broker. */
    public void request() {
        process.delay();
        if (!await(topic::isReachable)) {
            throw new TimeoutException("the broker does not answer");
        }
    }

    /** Waits for the broker; false on timeout. */
    public boolean await(BooleanSupplier done) {
        long until = scheduler.nowMillis() + TIMEOUT_MILLIS;
        while (!process.coroutine().await(done, POLL_MILLIS)) {
            if (scheduler.nowMillis() >= until) {
                return false;
            }
        }
        return true;
    }

    @Override
    public MirrorTopics.Prepared prepare(TopicSettings settings) {
        request();
        return new MirrorTopics.Prepared(topic.partitions().size(), MAX_RECORD_BYTES, List.of());
    }

    @Override
    public Producer<byte[], byte[]> producer(String transactionalId) {
        newest = new SimulatedProducer(this, transactionalId);
        return newest;
    }

    @Override
    public Consumer<byte[], byte[]> consumer(
            Isolation isolation, java.util.function.Consumer<CorruptRange> corruptRanges) {
        return new SimulatedConsumer(
                this,
                isolation == Isolation.COMMITTED && mutation.resumesFromCommitted(),
                corruptRanges);
    }

    @Override
    public int maxRequestBytes() {
        return MAX_RECORD_BYTES;
    }

    @Override
    public Duration transactionTimeout() {
        return Duration.ofMillis(Settings.TRANSACTION_TIMEOUT_MILLIS);
    }

    @Override
    public TimeSource time() {
        return process.time();
    }

    /** Whether the broker refuses what the newest producer sends. */
    public boolean isFenced() {
        return newest != null && newest.isFenced();
    }

    /** The process dies: a part of what it had sent may arrive. */
    public void crash() {
        if (newest != null) {
            newest.crash();
        }
    }
}
