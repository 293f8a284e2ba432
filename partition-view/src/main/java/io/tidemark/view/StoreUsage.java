package io.tidemark.view;

/**
 * What the stores of this process use.
 *
 * @param cachedBytes blocks and unflushed writes in the memory that all stores share
 * @param pinnedBytes of these, what cannot be evicted now
 * @param cacheBytes the limit of that memory
 * @param diskBytes files of the replicas, as of some seconds ago
 */
public record StoreUsage(long cachedBytes, long pinnedBytes, long cacheBytes, long diskBytes) {
    /** No store is open. */
    public static final StoreUsage NONE = new StoreUsage(0, 0, 0, 0);

    /** The same memory with files of a size. */
    public StoreUsage withDiskBytes(long bytes) {
        return new StoreUsage(cachedBytes, pinnedBytes, cacheBytes, bytes);
    }
}
