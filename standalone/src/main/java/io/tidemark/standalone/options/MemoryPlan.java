package io.tidemark.standalone.options;

/**
 * How the memory of a process is divided, in bytes. The launcher sets the JVM's parts by the same
 * rule before the process starts.
 *
 * @param total of the process
 * @param heap of the JVM; the limits of answers, watches and other nodes are parts of it
 * @param direct buffers of network connections, outside the heap
 * @param stores block cache and write buffers of the stores, outside the heap
 */
public record MemoryPlan(long total, long heap, long direct, long stores) {
    /** Least total. */
    public static final long MINIMUM = 512L << 20;

    /** The total that the launcher gives to a server. */
    static final long DEFAULT = 2L << 30;

    /** Code, classes, stacks and the stores' own memory: does not grow with the total. */
    private static final long FIXED = 256L << 20;

    /**
     * Divides what {@link #FIXED} leaves: half for the heap, a quarter for direct buffers, a
     * quarter for the stores.
     *
     * @throws IllegalArgumentException below {@link #MINIMUM}
     */
    public static MemoryPlan of(long total) {
        if (total < MINIMUM) {
            throw new IllegalArgumentException(
                    "--memory must be %d MiB at least, not %d bytes"
                            .formatted(MINIMUM >> 20, total));
        }
        long quarter = (total - FIXED) / 4;
        return new MemoryPlan(total, 2 * quarter, quarter, quarter);
    }

    /** The part of {@link #stores} that write buffers may use. */
    public long writeBuffers() {
        return stores / 2;
    }

    @Override
    public String toString() {
        return "%d MiB: heap %d, direct buffers %d, stores %d"
                .formatted(total >> 20, heap >> 20, direct >> 20, stores >> 20);
    }
}
