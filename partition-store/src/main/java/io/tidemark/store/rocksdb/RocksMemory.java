package io.tidemark.store.rocksdb;

import org.rocksdb.Cache;
import org.rocksdb.LRUCache;
import org.rocksdb.RocksDB;
import org.rocksdb.WriteBufferManager;

/**
 * What all engines of the process share, so that it is bounded whatever the number of partitions:
 * native memory, and descriptors. To be closed after the last engine.
 */
public final class RocksMemory implements AutoCloseable {
    static {
        RocksDB.loadLibrary();
    }

    private final Cache blocks;
    private final WriteBufferManager writeBuffers;
    private final int openFiles;

    /** For a single engine. */
    public RocksMemory(long blockCacheBytes, long writeBufferBytes) {
        this(
                blockCacheBytes,
                writeBufferBytes,
                OpenFileLimits.ofEachStore(OpenFileLimits.limit(), 1));
    }

    /**
     * @param blockCacheBytes for blocks read from disk, decompressed, and their indexes
     * @param writeBufferBytes for what is written and not yet flushed; when it is used up, the
     *     engine that writes flushes
     * @param openFiles that each engine keeps open at most
     */
    public RocksMemory(long blockCacheBytes, long writeBufferBytes, int openFiles) {
        if (blockCacheBytes < 1 << 20 || writeBufferBytes < 1 << 20) {
            throw new IllegalArgumentException(
                    "block cache of %d bytes, write buffers of %d bytes: a MiB each at least"
                            .formatted(blockCacheBytes, writeBufferBytes));
        }
        this.openFiles = openFiles;
        blocks = new LRUCache(blockCacheBytes);
        writeBuffers = new WriteBufferManager(writeBufferBytes, blocks);
    }

    Cache blocks() {
        return blocks;
    }

    int openFiles() {
        return openFiles;
    }

    WriteBufferManager writeBuffers() {
        return writeBuffers;
    }

    @Override
    public void close() {
        writeBuffers.close();
        blocks.close();
    }
}
