package io.tidemark.connector.sink;

import io.tidemark.concurrent.TimeSource;
import io.tidemark.connector.sink.TopicClients.Isolation;
import io.tidemark.reading.CorruptRange;
import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * Reads offset ranges of a topic's partitions, in either direction, up to the end offsets at
 * construction. For a read-committed reader a partition ends before the first open transaction.
 */
final class PartitionReader implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration CLOSE = Duration.ofSeconds(1);

    /** No records at all for this long means that the broker is in trouble. */
    private static final long STALLED_NANOS = Duration.ofSeconds(30).toNanos();

    /**
     * The end of a committed transaction is written within milliseconds. One that stays open for
     * this long is of a connector that has taken over since, and which only reopening the topic
     * ends.
     */
    private static final long OPEN_TRANSACTION_NANOS = Duration.ofSeconds(2).toNanos();

    private static final long FIRST_RANGE = 256;
    private static final long MAX_RANGE = 1 << 20;

    private final TimeSource time;
    private final Consumer<byte[], byte[]> consumer;
    private final List<TopicPartition> partitions;
    private final Map<TopicPartition, Long> begins;
    private final Map<TopicPartition, Long> firstEnds;
    private final Map<TopicPartition, Long> ends;

    /**
     * @param corruptRanges receives the ranges that were skipped
     */
    PartitionReader(
            TopicClients clients,
            Isolation isolation,
            String topic,
            java.util.function.Consumer<CorruptRange> corruptRanges) {
        time = clients.time();
        consumer = clients.consumer(isolation, corruptRanges);
        try {
            partitions =
                    consumer.partitionsFor(topic).stream()
                            .map(info -> new TopicPartition(topic, info.partition()))
                            .sorted((a, b) -> Integer.compare(a.partition(), b.partition()))
                            .toList();
            consumer.assign(partitions);
            consumer.pause(partitions);
            begins = consumer.beginningOffsets(partitions);
            firstEnds = consumer.endOffsets(partitions);
            ends = new HashMap<>(firstEnds);
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

    /** Offset after the last record, as this reader sees it. */
    long end(TopicPartition partition) {
        return ends.getOrDefault(partition, 0L);
    }

    /**
     * Extends the partitions to another reader's ends. Reads then wait for the end of transactions
     * that are open below; they fail when one stays open for 2 s.
     */
    void readThrough(PartitionReader other) {
        other.ends.forEach((partition, end) -> ends.merge(partition, end, Math::max));
    }

    /** Receives records. */
    @FunctionalInterface
    interface Visitor {
        void visit(ConsumerRecord<byte[], byte[]> record);
    }

    /** Visits every record of a partition from an offset on. */
    void forward(TopicPartition partition, long fromOffset, Visitor visitor) {
        forward(Map.of(partition, fromOffset), visitor);
    }

    /** Visits every record of several partitions, in parallel. */
    void forward(Map<TopicPartition, Long> fromOffsets, Visitor visitor) {
        Map<TopicPartition, OffsetRange> ranges = new HashMap<>();
        fromOffsets.forEach((partition, from) ->
                ranges.put(
                        partition,
                        new OffsetRange(Math.max(from, begin(partition)), end(partition))));
        read(ranges, visitor);
    }

    /** A search backwards from a partition's end. */
    interface Search extends Visitor {
        /**
         * Called after each range of records.
         *
         * @param offsets visited so far, as many as in the other partitions that are searched
         * @return whether the search is over
         */
        boolean endRange(long offsets);
    }

    /**
     * Visits ever longer ranges of partitions, back from their ends, each range forward, until each
     * search is over; each record is visited once, the partitions in parallel.
     */
    void backward(Map<TopicPartition, ? extends Search> searches) {
        Map<TopicPartition, OffsetRange> next = new HashMap<>();
        searches.keySet()
                .forEach(partition ->
                        next.put(partition, before(partition, end(partition), FIRST_RANGE)));
        long length = FIRST_RANGE;
        long offsets = 0;
        while (!next.isEmpty()) {
            read(next, record -> of(searches, partitionOf(record)).visit(record));
            offsets += length;
            length = Math.min(MAX_RANGE, length * 4);
            Iterator<Map.Entry<TopicPartition, OffsetRange>> read = next.entrySet().iterator();
            while (read.hasNext()) {
                Map.Entry<TopicPartition, OffsetRange> last = read.next();
                TopicPartition partition = last.getKey();
                long low = last.getValue().from();
                if (of(searches, partition).endRange(offsets) || low <= begin(partition)) {
                    read.remove();
                } else {
                    last.setValue(before(partition, low, length));
                }
            }
        }
    }

    private static Search of(Map<TopicPartition, ? extends Search> searches, TopicPartition of) {
        return Objects.requireNonNull(searches.get(of), of::toString);
    }

    private OffsetRange before(TopicPartition partition, long high, long length) {
        return new OffsetRange(Math.max(begin(partition), high - length), high);
    }

    /**
     * The last record of each partition for which {@code match} has a result, and that result.
     *
     * @return no entry for partitions without one
     */
    <T> Map<TopicPartition, T> last(Function<ConsumerRecord<byte[], byte[]>, Optional<T>> match) {
        Map<TopicPartition, Latest<T>> searches = new HashMap<>();
        partitions.forEach(partition -> searches.put(partition, new Latest<>(match)));
        backward(searches);
        Map<TopicPartition, T> found = new HashMap<>();
        searches.forEach((partition, search) ->
                search.found.ifPresent(result -> found.put(partition, result)));
        return found;
    }

    private static final class Latest<T> implements Search {
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

        @Override
        public boolean endRange(long offsets) {
            return found.isPresent();
        }
    }

    /** Offsets; the upper one is exclusive. */
    private record OffsetRange(long from, long to) {
        boolean isEmpty() {
            return from >= to;
        }
    }

    private void read(Map<TopicPartition, OffsetRange> ranges, Visitor visitor) {
        Map<TopicPartition, OffsetRange> left = new HashMap<>(ranges);
        left.values().removeIf(OffsetRange::isEmpty);
        left.forEach((partition, range) -> consumer.seek(partition, range.from()));
        consumer.resume(left.keySet());
        long progressAt = time.nanoTime();
        while (!left.isEmpty()) {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                OffsetRange of = left.get(partitionOf(record));
                if (of != null && record.offset() < of.to()) {
                    visitor.visit(record);
                }
            }
            boolean progress = false;
            Iterator<Map.Entry<TopicPartition, OffsetRange>> each = left.entrySet().iterator();
            while (each.hasNext()) {
                Map.Entry<TopicPartition, OffsetRange> before = each.next();
                TopicPartition partition = before.getKey();
                OffsetRange rest =
                        new OffsetRange(consumer.position(partition), before.getValue().to());
                progress |= rest.from() > before.getValue().from();
                if (rest.isEmpty()) {
                    each.remove();
                    consumer.pause(List.of(partition));
                } else {
                    before.setValue(rest);
                }
            }
            if (progress) {
                progressAt = time.nanoTime();
            } else {
                requirePatience(left, time.nanoTime() - progressAt);
            }
        }
    }

    private void requirePatience(Map<TopicPartition, OffsetRange> left, long waitedNanos) {
        if (waitedNanos > STALLED_NANOS) {
            throw new TimeoutException("no records received from " + left);
        }
        boolean onlyTransactions =
                left.entrySet().stream()
                        .allMatch(each -> each.getValue().from() >= firstEnd(each.getKey()));
        if (onlyTransactions && waitedNanos > OPEN_TRANSACTION_NANOS) {
            throw new TimeoutException(
                    "another connector's transaction stays open in " + left.keySet());
        }
    }

    private long firstEnd(TopicPartition partition) {
        return firstEnds.getOrDefault(partition, 0L);
    }

    private static TopicPartition partitionOf(ConsumerRecord<byte[], byte[]> record) {
        return new TopicPartition(record.topic(), record.partition());
    }

    @Override
    public void close() {
        consumer.close(CloseOptions.timeout(CLOSE));
    }
}
