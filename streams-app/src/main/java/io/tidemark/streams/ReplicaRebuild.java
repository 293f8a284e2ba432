package io.tidemark.streams;

import io.tidemark.store.EngineException;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fills a store from its partition of the topic, beside Streams, which has read further already and
 * is not told to go back: a store that begins with nothing, or one that could not be written while
 * the disk was full. What Streams delivers in the meantime is noted and dropped: it is in the
 * topic, and is read from there. As soon as all that it has delivered has been read, it feeds the
 * store again. Kafka's troubles and a full disk are waited out; it ends when it is told that the
 * store is not its own any more.
 */
final class ReplicaRebuild {
    private static final Logger LOG = LoggerFactory.getLogger(ReplicaRebuild.class);
    private static final Duration RETRY = Duration.ofSeconds(2);

    private final int partition;
    private final TopicReader topic;
    private final DiskSpace disk;
    private final RebuildTarget owner;

    /** Whose store it is. */
    interface RebuildTarget {
        /**
         * Opens the store if it is not, and writes what it holds in memory.
         *
         * @return the offset to read from; empty when the refill is over
         * @throws EngineException if the disk is full, among others
         */
        OptionalLong prepare(ReplicaRebuild refill);

        /** Applies records, unless the refill is over; false when it is. */
        boolean refill(
                ReplicaRebuild refill, ConsumerRecords<byte[], byte[]> records, long position);

        /** Whether it is over. */
        boolean isOver(ReplicaRebuild refill);

        /** There is no space for it now. */
        void isFull(ReplicaRebuild refill, EngineException why);

        /** It cannot go on. */
        void failed(ReplicaRebuild refill, RuntimeException why);
    }

    ReplicaRebuild(int partition, TopicReader topic, DiskSpace disk, RebuildTarget owner) {
        this.partition = partition;
        this.topic = topic;
        this.disk = disk;
        this.owner = owner;
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
                owner.prepare(this)
                        .ifPresent(offset ->
                                topic.read(
                                        partition,
                                        offset,
                                        (records, position) ->
                                                owner.refill(this, records, position)));
            } catch (KafkaException e) {
                LOG.warn("partition {}: cannot be read again yet: {}", partition, e.toString());
                LockSupport.parkNanos(RETRY.toNanos());
            } catch (EngineException e) {
                if (!e.isNoSpace()) {
                    fail(e);
                    return;
                }
                owner.isFull(this, e);
                awaitRoom();
            } catch (RuntimeException e) {
                fail(e);
                return;
            }
        }
        LOG.info(
                "partition {}: read from the topic again, {} ms",
                partition,
                Duration.ofNanos(System.nanoTime() - began).toMillis());
    }

    private void awaitRoom() {
        do {
            LockSupport.parkNanos(RETRY.toNanos());
        } while (!owner.isOver(this) && !disk.hasSpaceToResume());
    }

    private void fail(RuntimeException e) {
        LOG.error("partition {}: its rebuilding failed", partition, e);
        owner.failed(this, e);
    }
}
