package io.tidemark.store.rocksdb;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * Limits the table files that the stores of a process keep open to a quarter of its descriptors, so
 * that connections and stores do not exhaust each other's.
 */
public final class OpenFileLimits {
    /** With fewer, a store works but reopens files all the time. */
    private static final int LEAST_OF_STORE = 32;

    private static final int MOST_OF_STORE = 256;
    private static final int LEAST = 256;
    private static final int MOST = 8_192;

    private OpenFileLimits() {}

    /** The process's descriptor limit; {@link Long#MAX_VALUE} when not known. */
    public static long limit() {
        return ManagementFactory.getOperatingSystemMXBean()
                        instanceof UnixOperatingSystemMXBean unix
                ? unix.getMaxFileDescriptorCount()
                : Long.MAX_VALUE;
    }

    /**
     * For all stores together.
     *
     * @param limit the process's descriptor limit
     */
    public static int ofAllStores(long limit) {
        return Math.clamp(limit / 4, LEAST, MOST);
    }

    /**
     * For each of so many stores. Their sum exceeds {@link #ofAllStores} where each has its minimum
     * of 32.
     */
    public static int ofEachStore(long limit, int stores) {
        return Math.clamp(ofAllStores(limit) / Math.max(1, stores), LEAST_OF_STORE, MOST_OF_STORE);
    }
}
