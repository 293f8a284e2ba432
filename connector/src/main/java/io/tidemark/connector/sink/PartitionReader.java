package io.tidemark.connector.sink;

import io.tidemark.connector.sink.KafkaClients.Isolation;
import io.tidemark.reading.Damage;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * Reads stretches of a topic's partitions, in either direction, up to where they ended when this
 * was made. In a committed reader's eyes a partition ends before the first open transaction.
 */
final class PartitionReader implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration CLOSE = Duration.ofSeconds(1);

    /** Nothing at all for this long means that the broker is in trouble. */
    private static final long STALLED_NANOS = Duration.ofSeconds(30).toNanos();

    private static final long FIRST_STRETCH = 256;
    private static final long LONGEST_STRETCH = 1 << 20;

    private final Consumer<byte[], byte[]> consumer;
    private final List<TopicPartition> partitions;
    private final Map<TopicPartition, Long> begins;
    private final Map<TopicPartition, Long> ends;

    /**
     * @param damaged hears what could not be read, and was passed over
     */
    PartitionReader(
            KafkaClients clients,
            Isolation isolation,
            String topic,
            java.util.function.Consumer<Damage> damaged) {
        consumer = clients.consumer(isolation, damaged);
        try {
            partitions =
                    consumer.partitionsFor(topic).stream()
                            .map(info -> new TopicPartition(topic, info.partition()))
                            .sorted((a, b) -> Integer.compare(a.partition(), b.partition()))
                            .toList();
            consumer.assign(partitions);
            consumer.pause(partitions);
            begins = consumer.beginningOffsets(partitions);
            ends = consumer.endOffsets(partitions);
        } catch (RuntimeException e) {
            consumer.close(CloseOptions.timeout(CLOSE));
            throw e;
        }
    }

    List<TopicPartition> partitions() {
        return partitions;
    }

    long begin(TopicPartition partition) {
        return begins.getOrDefault(partition, 0L);
    }

    /** Offset behind the last record, as this reader sees it. */
    long end(TopicPartition partition) {
        return ends.getOrDefault(partition, 0L);
    }

    /** What a reader does with a record. */
    @FunctionalInterface
    interface Visitor {
        void visit(ConsumerRecord<byte[], byte[]> record);
    }

    /** Shows every record from an offset on. */
    void forward(TopicPartition partition, long fromOffset, Visitor visitor) {
        read(partition, Math.max(fromOffset, begin(partition)), end(partition), visitor);
    }

    /**
     * Shows ever longer stretches, back from the end, each of them forward, until one is enough;
     * each record is read once.
     *
     * @param enough asked after each stretch
     */
    void backward(TopicPartition partition, Visitor visitor, BooleanSupplier enough) {
        long begin = begin(partition);
        long high = end(partition);
        long stretch = FIRST_STRETCH;
        while (high > begin) {
            long low = Math.max(begin, high - stretch);
            read(partition, low, high, visitor);
            if (enough.getAsBoolean()) {
                return;
            }
            high = low;
            stretch = Math.min(LONGEST_STRETCH, stretch * 4);
        }
    }

    /** The last record for which {@code match} has a result, and that result. */
    <T> Optional<T> last(
            TopicPartition partition, Function<ConsumerRecord<byte[], byte[]>, Optional<T>> match) {
        Latest<T> latest = new Latest<>(match);
        backward(partition, latest, () -> latest.found.isPresent());
        return latest.found;
    }

    private static final class Latest<T> implements Visitor {
        private final Function<ConsumerRecord<byte[], byte[]>, Optional<T>> match;
        private Optional<T> found = Optional.empty();

        Latest(Function<ConsumerRecord<byte[], byte[]>, Optional<T>> match) {
            this.match = match;
        }

        @Override
        public void visit(ConsumerRecord<byte[], byte[]> record) {
            Optional<T> result = match.apply(record);
            if (result.isPresent()) {
                found = result;
            }
        }
    }

    private void read(TopicPartition partition, long from, long toExclusive, Visitor visitor) {
        consumer.seek(partition, from);
        consumer.resume(List.of(partition));
        long progressAt = System.nanoTime();
        long position = from;
        while (position < toExclusive) {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL).records(partition)) {
                if (record.offset() < toExclusive) {
                    visitor.visit(record);
                }
            }
            long reached = consumer.position(partition);
            if (reached > position) {
                position = reached;
                progressAt = System.nanoTime();
            } else if (System.nanoTime() - progressAt > STALLED_NANOS) {
                throw new TimeoutException(
                        "%s gives nothing from offset %d on".formatted(partition, position));
            }
        }
        consumer.pause(List.of(partition));
    }

    @Override
    public void close() {
        consumer.close(CloseOptions.timeout(CLOSE));
    }
}
