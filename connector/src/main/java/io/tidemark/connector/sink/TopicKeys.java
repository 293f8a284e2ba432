package io.tidemark.connector.sink;

import io.tidemark.connector.feed.KeyTable;
import io.tidemark.connector.feed.Witness;
import io.tidemark.connector.feed.Witnesses;
import io.tidemark.connector.sink.KafkaClients.Isolation;
import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import io.tidemark.record.ChangeCodec;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
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
    private final Damages damages;

    TopicKeys(KafkaClients clients, String topic, Damages damages) {
        this.clients = clients;
        this.topic = topic;
        this.damages = damages;
    }

    /**
     * Keys with a value: those whose last committed record is one, and those put after the last
     * committed mark, by transactions that were aborted: whoever reads uncommitted has seen them.
     * Takes memory for every key and reads the whole topic, so it is for new epochs only.
     */
    Set<Bytes> liveKeys() throws InterruptedException {
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
    KeyTable heldKeys() throws InterruptedException {
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
                        new PartitionReader(clients, Isolation.COMMITTED, topic, damages);
                PartitionReader all =
                        new PartitionReader(clients, Isolation.UNCOMMITTED, topic, damages)) {
            for (TopicPartition partition : committed.partitions()) {
                committed.forward(partition, 0, eachCommitted);
                all.forward(partition, whole ? 0 : tail(committed, partition), eachOfTail);
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
                        new PartitionReader(clients, Isolation.COMMITTED, topic, damages);
                PartitionReader all =
                        new PartitionReader(clients, Isolation.UNCOMMITTED, topic, damages)) {
            return all.partitions().stream()
                    .allMatch(partition -> committed.end(partition) >= all.end(partition));
        }
    }

    private static long tail(PartitionReader committed, TopicPartition partition) {
        return committed
                .last(partition, record -> TopicRecords.mark(record).map(_ -> record.offset()))
                .orElse(0L);
    }

    private static boolean isOfEtcd(ConsumerRecord<byte[], byte[]> record) {
        return !Bytes.wrap(record.key()).startsWith(ChangeCodec.CONTROL_PREFIX);
    }

    /**
     * The newest puts of an epoch that were not changed since, of each partition one at least, and
     * the highest revision that a store may have shown.
     */
    Witnesses witnesses(long epoch) {
        Witnesses witnesses = new Witnesses();
        try (PartitionReader committed =
                        new PartitionReader(clients, Isolation.COMMITTED, topic, damages);
                PartitionReader all =
                        new PartitionReader(clients, Isolation.UNCOMMITTED, topic, damages)) {
            for (TopicPartition partition : all.partitions()) {
                all.forward(
                        partition,
                        tail(committed, partition),
                        record ->
                                TopicRecords.change(record)
                                        .filter(change -> change.epoch() == epoch)
                                        .ifPresent(change -> witnesses.saw(change.revision())));
                Newest newest = new Newest(epoch);
                all.backward(partition, newest, newest::enough);
                newest.put.ifPresent(witnesses::add);
            }
        }
        return witnesses;
    }

    /** Looks at stretches of a partition, the later ones first, each of them forward. */
    private static final class Newest implements PartitionReader.Visitor {
        private final long epoch;
        private final Map<Bytes, Witness> puts = new LinkedHashMap<>();
        private final Set<Bytes> deleted = new HashSet<>();
        private final Set<Bytes> deletedLater = new HashSet<>();
        private Optional<Witness> put = Optional.empty();

        Newest(long epoch) {
            this.epoch = epoch;
        }

        @Override
        public void visit(ConsumerRecord<byte[], byte[]> record) {
            switch (TopicRecords.change(record).orElse(null)) {
                case Change.Put change when change.epoch() == epoch -> {
                    deleted.remove(change.key());
                    puts.put(change.key(), Witness.of(change));
                }
                case Change.Delete change -> {
                    puts.remove(change.key());
                    deleted.add(change.key());
                }
                case Change.Put _ -> {}
                case Change.TideMark _ -> {}
                case null -> {}
            }
        }

        /** After a stretch: whether it had what is looked for. */
        boolean enough() {
            for (Witness witness : puts.values()) {
                boolean newer = put.isEmpty() || put.get().revision() < witness.revision();
                if (newer && !deletedLater.contains(witness.key())) {
                    put = Optional.of(witness);
                }
            }
            deletedLater.addAll(deleted);
            puts.clear();
            deleted.clear();
            return put.isPresent();
        }
    }
}
