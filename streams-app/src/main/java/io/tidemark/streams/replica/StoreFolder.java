package io.tidemark.streams.replica;

import io.tidemark.store.PartitionStore;
import io.tidemark.store.engine.EngineException;
import io.tidemark.store.engine.EngineException.Fault;
import io.tidemark.store.engine.KeyValueEngine;
import io.tidemark.store.rocksdb.RocksEngine;
import io.tidemark.store.seal.SealingEngine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The folder of one partition's store; opens and closes the store. */
record StoreFolder(StoreContext shared, int partition, Path folder) {
    private static final Logger LOG = LoggerFactory.getLogger(StoreFolder.class);

    /** The engine sets data aside that turns out corrupt; the second attempt then opens empty. */
    PartitionStore open() {
        try {
            return openExisting();
        } catch (EngineException e) {
            if (!e.isCorrupt()) {
                throw e;
            }
            LOG.warn("partition {}: corrupt store: {}", partition, e.reason());
            return openExisting();
        }
    }

    private PartitionStore openExisting() {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            if (EngineException.isCausedByFullDisk(e)) {
                throw new EngineException("cannot create " + folder, e, Fault.NO_SPACE);
            }
            throw new UncheckedIOException("cannot create " + folder, e);
        }
        RocksEngine disk =
                RocksEngine.open(folder, shared.memory(), shared.store().protobuf().isPresent());
        try {
            KeyValueEngine engine = SealingEngine.over(disk, shared.store().secretKeys());
            PartitionStore.prepare(engine, shared.store(), shared.source())
                    .ifPresent(builtFor ->
                            LOG.warn(
                                    "partition {}: the store was built for {}; it is rebuilt from"
                                            + " the topic",
                                    partition,
                                    builtFor));
            PartitionStore opened =
                    PartitionStore.open(
                            partition, engine, shared.store(), shared.clock(), shared.gate(), true);
            resetIfAwayTooLong(opened);
            return opened;
        } catch (RuntimeException e) {
            disk.abandon();
            throw e;
        }
    }

    /** Kafka may have compacted away a delete that the store has not read. */
    void resetIfAwayTooLong(PartitionStore opened) {
        opened.resetIfOlderThan(shared.deleteRetention(), shared.clock().millis())
                .ifPresent(away ->
                        LOG.warn(
                                "partition {}: last updated {} ago, longer than deletes are kept:"
                                        + " starts from nothing",
                                partition,
                                away));
    }

    /**
     * Corrupt data has been marked and will be set aside: there is nothing to keep. What a full
     * disk cannot take is read from the topic again.
     */
    void close(PartitionStore closing) {
        try {
            closing.close();
        } catch (EngineException e) {
            if (e.isNoSpace()) {
                LOG.warn(
                        "partition {}: closed without its newest changes: {}",
                        partition,
                        e.reason());
                return;
            }
            if (!e.isCorrupt()) {
                throw e;
            }
            LOG.warn("partition {}: corrupt store: {}", partition, e.reason());
        }
    }

    /** Makes the next open set the data aside. */
    void markCorrupt() {
        RocksEngine.markCorrupt(folder);
    }
}
