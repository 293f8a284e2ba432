package io.tidemark.store.rocksdb;

import io.tidemark.view.StoreUsage;
import org.rocksdb.Cache;
import org.rocksdb.LRUCache;
import org.rocksdb.RocksDB;
import org.rocksdb.WriteBufferManager;

/**
 * The memory and descriptors that all engines of the process share, so that they are bounded for
 * any number of partitions. To be closed after the last engine.
 */
public final class RocksMemory implements AutoCloseable {
    static {
        RocksDB.loadLibrary();
    }

    private final Cache blocks;
    private final WriteBufferManager writeBuffers;
    private final int openFiles;
    private final long blockCacheBytes;
    private boolean closed;

    /** For a single engine. */
    public RocksMemory(long blockCacheBytes, long writeBufferBytes) {
        this(
                blockCacheBytes,
                writeBufferBytes,
                OpenFileLimits.ofEachStore(OpenFileLimits.limit(), 1));
    }

    /**
     * @param blockCacheBytes for blocks read from disk, decompressed, and their indexes
     * @param writeBufferBytes for unflushed writes; when it is used up, the engine that writes next
     *     flushes
     * @param openFiles the most that each engine keeps open
     */
    public RocksMemory(long blockCacheBytes, long writeBufferBytes, int openFiles) {
        if (blockCacheBytes < 1 << 20 || writeBufferBytes < 1 << 20) {
            throw new IllegalArgumentException(
                    "block cache of %d bytes, write buffers of %d bytes: a MiB each at least"
                            .formatted(blockCacheBytes, writeBufferBytes));
        }
        this.openFiles = openFiles;
        this.blockCacheBytes = blockCacheBytes;
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

    /** What is in use now; nothing once it is closed. */
    public synchronized StoreUsage usage() {
        return closed
                ? StoreUsage.NONE
                : new StoreUsage(blocks.getUsage(), blocks.getPinnedUsage(), blockCacheBytes, 0);
    }

    @Override
    public synchronized void close() {
        closed = true;
        writeBuffers.close();
        blocks.close();
    }
}
