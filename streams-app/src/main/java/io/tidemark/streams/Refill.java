package io.tidemark.streams;

import io.tidemark.store.PartitionStore;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fills an empty store from the beginning of its partition, beside Streams, which has read further
 * already and is not told to go back. What Streams delivers in the meantime is noted and dropped:
 * it is in the topic, and is read from there. As soon as all that it has delivered has been read,
 * it feeds the store again. Kafka's troubles are waited out; it ends when it is told that the store
 * is not its own any more.
 */
final class Refill {
    private static final Logger LOG = LoggerFactory.getLogger(Refill.class);
    private static final Duration RETRY = Duration.ofSeconds(2);

    private final int partition;
    private final PartitionStore store;
    private final TopicReader topic;
    private final Owner owner;

    /** Whose store it is. */
    interface Owner {
        /** Applies records, unless the refill is over; false when it is. */
        boolean refill(Refill refill, ConsumerRecords<byte[], byte[]> records, long position);

        /** Whether it is over. */
        boolean isOver(Refill refill);

        /** It cannot go on. */
        void failed(Refill refill, RuntimeException why);
    }

    Refill(int partition, PartitionStore store, TopicReader topic, Owner owner) {
        this.partition = partition;
        this.store = store;
        this.topic = topic;
        this.owner = owner;
    }

    PartitionStore store() {
        return store;
    }

    void start() {
        Thread.ofPlatform()
                .name("tidemark-refill-" + partition)
                .daemon()
                .priority(Thread.MIN_PRIORITY)
                .start(this::run);
    }

    private void run() {
        long began = System.nanoTime();
        while (!owner.isOver(this)) {
            try {
                topic.read(partition, (records, position) -> owner.refill(this, records, position));
            } catch (KafkaException e) {
                LOG.warn("partition {}: cannot be read again yet: {}", partition, e.toString());
                LockSupport.parkNanos(RETRY.toNanos());
            } catch (RuntimeException e) {
                LOG.error("partition {}: its rebuilding failed", partition, e);
                owner.failed(this, e);
                return;
            }
        }
        LOG.info(
                "partition {}: read from the topic again, {} ms",
                partition,
                Duration.ofNanos(System.nanoTime() - began).toMillis());
    }
}
