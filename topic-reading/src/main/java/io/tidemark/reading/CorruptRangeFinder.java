package io.tidemark.reading;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Finds the end of a corrupt batch. Kafka's client names only its beginning, and only in a message;
 * so this probes later offsets, with another consumer, until one does not fail with the same
 * message, which names the batch and its checksum. The distance doubles with each probe, and a
 * binary search follows: a few dozen fetches of one batch each.
 */
final class CorruptRangeFinder implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(100);

    /** Time for an offset to be read, or to fail. */
    private static final long ANSWER_NANOS = Duration.ofSeconds(10).toNanos();

    /**
     * Time for the whole search, as many adjacent batches may be corrupt. What was found by then is
     * skipped, and the rest at the next poll.
     */
    private static final long SEARCH_NANOS = Duration.ofSeconds(30).toNanos();

    private static final Duration CLOSE = Duration.ofSeconds(1);

    private final KafkaConsumer<byte[], byte[]> probe;
    private final long deadline = System.nanoTime() + SEARCH_NANOS;
    private Map<TopicPartition, Long> ends = Map.of();

    /**
     * @param configs of the consumer that failed
     */
    CorruptRangeFinder(Map<String, Object> configs) {
        Map<String, Object> own = new HashMap<>(configs);
        own.keySet().retainAll(ConsumerConfig.configNames());
        own.remove(ConsumerConfig.GROUP_ID_CONFIG);
        own.remove(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG);
        own.remove(ConsumerConfig.GROUP_PROTOCOL_CONFIG);
        own.remove(ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG);
        own.remove(ConsumerConfig.CLIENT_ID_CONFIG);
        own.remove(ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG);
        own.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        own.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        own.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_uncommitted");
        own.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 1);
        // The broker sends one whole batch regardless.
        own.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, 1);
        own.put(ConsumerConfig.FETCH_MIN_BYTES_CONFIG, 1);
        probe = new KafkaConsumer<>(own, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    /** Kafka's client has no class for this failure, but one for each other failure. */
    static boolean mayBeCorruption(KafkaException e) {
        return e.getClass() == KafkaException.class;
    }

    /** The corrupt ranges at the readers' positions. */
    List<CorruptRange> at(Map<TopicPartition, Long> positions) {
        ends = probe.endOffsets(positions.keySet());
        List<CorruptRange> found = new ArrayList<>();
        positions.forEach((partition, from) -> {
            Optional<String> failure = failure(partition, from);
            if (failure.isPresent()) {
                found.add(
                        new CorruptRange(
                                partition,
                                from,
                                endOfAll(partition, from, failure.get()),
                                failure.get()));
            }
        });
        return found;
    }

    /** The next batch may be corrupt as well. */
    private long endOfAll(TopicPartition partition, long from, String why) {
        long end = endOf(partition, from, why);
        Optional<String> failure = failure(partition, end);
        while (failure.isPresent() && System.nanoTime() - deadline < 0) {
            end = endOf(partition, end, failure.get());
            failure = failure(partition, end);
        }
        return end;
    }

    /** The first offset after {@code from} that does not fail in the same way. */
    private long endOf(TopicPartition partition, long from, String why) {
        long low = from;
        long step = 1;
        while (fails(partition, low + step, why)) {
            low += step;
            step *= 2;
        }
        long high = low + step;
        while (high - low > 1) {
            long middle = (low + high) >>> 1;
            if (fails(partition, middle, why)) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return high;
    }

    private boolean fails(TopicPartition partition, long offset, String why) {
        return failure(partition, offset).filter(why::equals).isPresent();
    }

    /**
     * Why the first record at or after an offset cannot be read; empty when it can, or when there
     * is none yet. Batches without records, such as the marks of transactions, are passed over: a
     * reader that fails behind them is still at their offset.
     */
    private Optional<String> failure(TopicPartition partition, long offset) {
        long end = ends.getOrDefault(partition, 0L);
        if (offset >= end) {
            return Optional.empty();
        }
        probe.assign(List.of(partition));
        probe.seek(partition, offset);
        long began = System.nanoTime();
        while (System.nanoTime() - began < ANSWER_NANOS) {
            try {
                boolean read = !probe.poll(POLL).isEmpty();
                if (read || probe.position(partition) >= end) {
                    return Optional.empty();
                }
            } catch (KafkaException e) {
                if (!mayBeCorruption(e)) {
                    throw e;
                }
                return Optional.of(text(e));
            }
        }
        throw new TimeoutException("no answer from %s at offset %d".formatted(partition, offset));
    }

    private static String text(KafkaException e) {
        Throwable said = e.getCause() == null ? e : e.getCause();
        return String.valueOf(said.getMessage());
    }

    @Override
    public void close() {
        probe.close(CloseOptions.timeout(CLOSE));
    }
}
