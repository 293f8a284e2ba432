package io.tidemark.streams;

import io.tidemark.store.EngineException;
import io.tidemark.store.EngineException.Fault;
import io.tidemark.store.PartitionStore;
import io.tidemark.store.rocksdb.RocksEngine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where one partition's store lies on disk. */
record StoreFolder(StoreContext shared, int partition, Path folder) {
    private static final Logger LOG = LoggerFactory.getLogger(StoreFolder.class);

    /** Data that is found broken on the way is put aside by the engine, at the second attempt. */
    PartitionStore open() {
        try {
            return openAsItIs();
        } catch (EngineException e) {
            if (!e.isCorrupt()) {
                throw e;
            }
            LOG.warn("partition {}: what it held is broken: {}", partition, reason(e));
            return openAsItIs();
        }
    }

    private PartitionStore openAsItIs() {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            if (EngineException.isCausedByFullDisk(e)) {
                throw new EngineException("cannot make " + folder, e, Fault.NO_SPACE);
            }
            throw new UncheckedIOException("cannot make " + folder, e);
        }
        RocksEngine engine = RocksEngine.open(folder, shared.memory());
        try {
            if (PartitionStore.prepare(engine, shared.store(), shared.source())) {
                LOG.warn("partition {}: built for something else, starts from nothing", partition);
            }
            PartitionStore opened =
                    PartitionStore.open(
                            partition, engine, shared.store(), shared.clock(), shared.gate(), true);
            voidIfAwayTooLong(opened);
            return opened;
        } catch (RuntimeException e) {
            engine.abandon();
            throw e;
        }
    }

    /** A delete that it missed may have been compacted away since, and would never be seen. */
    private void voidIfAwayTooLong(PartitionStore opened) {
        long markTime = opened.state().markTimeMillis();
        Duration away = Duration.ofMillis(shared.clock().millis() - markTime);
        if (markTime > 0 && away.compareTo(shared.deleteRetention()) > 0) {
            LOG.warn(
                    "partition {}: last followed {} ago, longer than deletes are kept: starts from"
                            + " nothing",
                    partition,
                    away);
            opened.reset();
        }
    }

    /**
     * Broken data is marked as such, and will be put aside; there is nothing to be kept of it. What
     * does not fit on the disk is read from the topic again.
     */
    void close(PartitionStore closing) {
        try {
            closing.close();
        } catch (EngineException e) {
            if (e.isNoSpace()) {
                LOG.warn(
                        "partition {}: closed without its newest changes: {}",
                        partition,
                        reason(e));
                return;
            }
            if (!e.isCorrupt()) {
                throw e;
            }
            LOG.warn("partition {}: what it held is broken: {}", partition, reason(e));
        }
    }

    /** Has its data put aside when it is next opened. */
    void markCorrupt() {
        RocksEngine.markCorrupt(folder);
    }

    static String reason(EngineException e) {
        return e.getMessage() + ": " + e.getCause();
    }
}
