package io.tidemark.streams.replica;

import io.tidemark.store.engine.EngineException;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fills a store from its partition of the topic, beside Streams, which has read further and does
 * not go back: an empty store, or one that could not be written while the disk was full. The target
 * drops what Streams delivers in the meantime (this reads it from the topic) and notes its offset.
 * When this has read all that Streams delivered, Streams feeds the store again. Kafka's errors and
 * a full disk are waited out; it ends when the target says that it is over.
 */
final class ReplicaRebuild {
    private static final Logger LOG = LoggerFactory.getLogger(ReplicaRebuild.class);
    private static final Duration RETRY = Duration.ofSeconds(2);

    private final int partition;
    private final TopicReader topic;
    private final DiskSpace disk;
    private final RebuildTarget owner;

    /** The owner of the store that is filled. */
    interface RebuildTarget {
        /**
         * Opens the store if it is not, and writes what it holds in memory.
         *
         * @return the offset to read from; empty when the rebuild is over
         * @throws EngineException if the disk is full, among others
         */
        OptionalLong prepare(ReplicaRebuild refill);

        /** Applies records; returns false, without applying them, when the rebuild is over. */
        boolean refill(
                ReplicaRebuild refill, ConsumerRecords<byte[], byte[]> records, long position);

        boolean isOver(ReplicaRebuild refill);

        /** The disk is full. */
        void isFull(ReplicaRebuild refill, EngineException why);

        /** The rebuild cannot continue. */
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
                LOG.warn("partition {}: rebuild waits for Kafka: {}", partition, e.toString());
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
            } catch (Error e) {
                fail(new IllegalStateException("the rebuild ended", e));
                throw e;
            }
        }
        LOG.info(
                "partition {}: rebuild from the topic ended after {} ms",
                partition,
                Duration.ofNanos(System.nanoTime() - began).toMillis());
    }

    private void awaitRoom() {
        do {
            LockSupport.parkNanos(RETRY.toNanos());
        } while (!owner.isOver(this) && !disk.hasSpaceToResume());
    }

    private void fail(RuntimeException e) {
        LOG.error("partition {}: rebuild failed", partition, e);
        owner.failed(this, e);
    }
}
