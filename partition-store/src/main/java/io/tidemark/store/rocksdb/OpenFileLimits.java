package io.tidemark.store.rocksdb;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * How many table files the stores of a process keep open, of the descriptors that it may have: a
 * quarter, so that neither clients' connections nor many partitions take what the other needs.
 */
public final class OpenFileLimits {
    /** With fewer a store reopens files all the time; it works all the same. */
    private static final int LEAST_OF_STORE = 32;

    private static final int MOST_OF_STORE = 256;
    private static final int LEAST = 256;
    private static final int MOST = 8_192;

    private OpenFileLimits() {}

    /** The descriptors that this process may have; {@link Long#MAX_VALUE} when not known. */
    public static long limit() {
        return ManagementFactory.getOperatingSystemMXBean()
                        instanceof UnixOperatingSystemMXBean unix
                ? unix.getMaxFileDescriptorCount()
                : Long.MAX_VALUE;
    }

    /**
     * Of all stores together.
     *
     * @param limit the descriptors that the process may have
     */
    public static int ofAllStores(long limit) {
        return Math.clamp(limit / 4, LEAST, MOST);
    }

    /**
     * Of each store, when there are so many. Above {@link #ofAllStores} together where there are so
     * many stores that each is at its least, 32.
     */
    public static int ofEachStore(long limit, int stores) {
        return Math.clamp(ofAllStores(limit) / Math.max(1, stores), LEAST_OF_STORE, MOST_OF_STORE);
    }
}
