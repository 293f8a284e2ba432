package io.tidemark.connector.sink;

import io.tidemark.connector.feed.KeyTable;
import io.tidemark.connector.sink.KafkaClients.Isolation;
import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import io.tidemark.record.ChangeCodec;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * Finds out from the mirror topic what it holds, for two kinds of readers: those of committed
 * records, and the stores, which have also seen what was aborted after the last committed mark. To
 * be asked after former writers were fenced off: then no transaction is open.
 */
final class TopicKeys {
    private static final Duration ENDED = Duration.ofSeconds(30);
    private static final Duration PAUSE = Duration.ofMillis(50);

    private final KafkaClients clients;
    private final String topic;
    private final CorruptRangeTracker corruptRanges;

    TopicKeys(KafkaClients clients, String topic, CorruptRangeTracker corruptRanges) {
        this.clients = clients;
        this.topic = topic;
        this.corruptRanges = corruptRanges;
    }

    /**
     * Keys with a value: those whose last committed record is one, and those put after the last
     * committed mark, by transactions that were aborted: whoever reads uncommitted has seen them.
     * Takes memory for every key and reads the whole topic, so it is for new epochs only.
     */
    Set<Bytes> loadKeys() throws InterruptedException {
        Set<Bytes> live = new HashSet<>();
        read(
                false,
                record -> {
                    if (record.value() == null) {
                        live.remove(Bytes.wrap(record.key()));
                    } else if (isOfEtcd(record)) {
                        live.add(Bytes.wrap(record.key()));
                    }
                },
                record -> {
                    if (record.value() != null && isOfEtcd(record)) {
                        live.add(Bytes.wrap(record.key()));
                    }
                });
        return live;
    }

    /**
     * The same with the versions, for when they are to be compared with etcd's. What was aborted is
     * looked for in the whole topic: a writer that came after may have stopped, with a mark of its
     * own, before it had told all of that again.
     */
    KeyTable loadKeyVersions() throws InterruptedException {
        KeyTable held = new KeyTable();
        AtomicLong marked = new AtomicLong();
        Map<Integer, Long> lastMarks = new HashMap<>();
        read(
                true,
                record -> {
                    switch (TopicRecords.change(record).orElse(null)) {
                        case Change.Put put ->
                                held.put(
                                        put.key(),
                                        put.revision(),
                                        put.createRevision(),
                                        put.version());
                        case Change.Delete delete -> held.delete(delete.key());
                        case Change.TideMark mark -> {
                            marked.set(mark.revision());
                            lastMarks.put(record.partition(), record.timestamp());
                        }
                        case null -> {}
                    }
                },
                record -> {
                    if (TopicRecords.change(record).orElse(null) instanceof Change.Put put
                            && put.revision() > marked.get()) {
                        held.putUncommitted(put.key(), put.revision());
                    }
                });
        lastMarks.values().forEach(held::marked);
        return held;
    }

    /**
     * Shows every committed record of a partition, and then what else there is.
     *
     * @param whole everything, committed or not, and not only what stands after the last mark
     */
    private void read(
            boolean whole,
            PartitionReader.Visitor eachCommitted,
            PartitionReader.Visitor eachOfTail)
            throws InterruptedException {
        awaitEnded();
        try (PartitionReader committed =
                        new PartitionReader(clients, Isolation.COMMITTED, topic, corruptRanges);
                PartitionReader all =
                        new PartitionReader(clients, Isolation.UNCOMMITTED, topic, corruptRanges)) {
            Map<TopicPartition, Long> tails =
                    whole ? Map.of() : new TopicMarks(committed).offsets();
            for (TopicPartition partition : committed.partitions()) {
                committed.forward(partition, 0, eachCommitted);
                all.forward(partition, tails.getOrDefault(partition, 0L), eachOfTail);
            }
        }
    }

    /**
     * A transaction that was ended a moment ago may still be taken for an open one: the broker
     * answers before it has told all partitions.
     */
    private void awaitEnded() throws InterruptedException {
        long deadline = System.nanoTime() + ENDED.toNanos();
        while (!ended()) {
            if (System.nanoTime() - deadline > 0) {
                throw new TimeoutException("a transaction does not end");
            }
            Thread.sleep(PAUSE);
        }
    }

    private boolean ended() {
        try (PartitionReader committed =
                        new PartitionReader(clients, Isolation.COMMITTED, topic, corruptRanges);
                PartitionReader all =
                        new PartitionReader(clients, Isolation.UNCOMMITTED, topic, corruptRanges)) {
            return all.partitions().stream()
                    .allMatch(partition -> committed.end(partition) >= all.end(partition));
        }
    }

    private static boolean isOfEtcd(ConsumerRecord<byte[], byte[]> record) {
        return !Bytes.wrap(record.key()).startsWith(ChangeCodec.CONTROL_PREFIX);
    }
}
