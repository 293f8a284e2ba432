package io.tidemark.streams;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.store.PartitionStore;
import io.tidemark.store.layout.StoreSettings;
import io.tidemark.store.read.ReadExecutor;
import io.tidemark.store.rocksdb.RocksEngine;
import io.tidemark.store.rocksdb.RocksMemory;
import io.tidemark.streams.replica.OpenPartitions;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.internals.AutoOffsetResetStrategy;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.LeaderNotAvailableException;
import org.apache.kafka.common.internals.KafkaFutureImpl;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CatchUpMonitorTest {
    private static final String TOPIC = "mirror";

    @TempDir private Path folder;
    @AutoClose private final RocksMemory memory = new RocksMemory(8 << 20, 8 << 20);
    private final Map<Integer, KafkaFutureImpl<ListOffsetsResultInfo>> answers = new HashMap<>();
    private final OpenPartitions open = new OpenPartitions();
    private final MockConsumer<byte[], byte[]> probe =
            new MockConsumer<>(AutoOffsetResetStrategy.EARLIEST.name());
    private int questions;
    private PartitionStore led;
    private PartitionStore leaderless;
    private CatchUpMonitor monitor;

    @BeforeEach
    void open() {
        open.setPartitions(3);
        led = open(0);
        leaderless = open(1);
        monitor = new CatchUpMonitor(TOPIC, this::offsets, probe, open, InstantSource.system());
    }

    private PartitionStore open(int partition) {
        RocksEngine engine =
                RocksEngine.open(folder.resolve(String.valueOf(partition)), memory, false);
        PartitionStore store =
                PartitionStore.open(
                        partition,
                        engine,
                        StoreSettings.DEFAULT,
                        InstantSource.system(),
                        ReadExecutor.DIRECT,
                        true);
        open.opened(partition, store, (_, _) -> false);
        answers.put(partition, new KafkaFutureImpl<>());
        return store;
    }

    @AfterEach
    void close() {
        led.close();
        leaderless.close();
    }

    private ListOffsetsResult offsets(Map<TopicPartition, OffsetSpec> request) {
        questions++;
        Map<TopicPartition, KafkaFuture<ListOffsetsResultInfo>> futures = new HashMap<>();
        request.keySet().forEach(each -> futures.put(each, answers.get(each.partition())));
        return new ListOffsetsResult(futures);
    }

    private static ListOffsetsResultInfo offset(long offset) {
        return new ListOffsetsResultInfo(offset, 0, Optional.empty());
    }

    @Test
    void aPartitionWithoutALeaderDoesNotDelayTheOthers() throws Exception {
        answers.get(0).complete(offset(0));

        monitor.check();

        assertThat(led.isCaughtUp()).isTrue();
        assertThat(leaderless.isCaughtUp()).isFalse();
        monitor.check();
        assertThat(questions).isEqualTo(2);
        answers.get(1).complete(offset(0));
        monitor.check();
        assertThat(leaderless.isCaughtUp()).isTrue();
    }

    @Test
    void doesNotAskAgainAtOnceAfterAFailure() throws Exception {
        answers.get(0).complete(offset(0));
        answers.get(1).completeExceptionally(new LeaderNotAvailableException("none"));

        monitor.check();
        monitor.check();

        assertThat(questions).isEqualTo(2);
        assertThat(led.isCaughtUp()).isTrue();
        assertThat(monitor.progress()).hasSize(1);
    }

    /** The end of a partition may be corrupt for as long as nothing is written to it. */
    @Test
    void aPartitionWhoseEndCannotBeReadDoesNotDelayTheOthers() throws Exception {
        answers.get(0).complete(offset(5));
        answers.get(1).complete(offset(5));
        monitor.check();
        probe.setPollException(new KafkaException("partition 0 has a corrupt record"));

        monitor.check();

        assertThat(led.isCaughtUp()).isFalse();
        assertThat(leaderless.isCaughtUp()).isTrue();
        leaderless.close();
        leaderless = open(2);
        answers.get(2).complete(offset(0));
        monitor.check();
        assertThat(leaderless.isCaughtUp()).as("of a store that was opened later").isTrue();
    }

    /** The earlier end has been reached long ago, and the topic has grown since. */
    @Test
    void measuresAStoreAgainThatHasFallenBehind() throws Exception {
        answers.get(0).complete(offset(0));
        monitor.check();
        led.reset();
        answers.put(0, new KafkaFutureImpl<>());

        monitor.check();
        assertThat(led.isCaughtUp()).isFalse();

        answers.get(0).complete(offset(0));
        monitor.check();
        assertThat(led.isCaughtUp()).isTrue();
    }
}
