package io.tidemark.query.http;

import io.tidemark.query.read.PageLimits;
import io.tidemark.query.watch.WatchLimits;

/**
 * What may be held in memory.
 *
 * @param watch of all watches
 * @param scanPage what one partition gives a list at a time: a list holds one of them for each of
 *     its partitions
 * @param listPageBytes a page of a list with a limit ends early at this size
 * @param listBytes what all lists together may hold; above it a list is refused with 429
 * @param longPollBytes a long poll's answer ends early, at a whole revision, at this size
 * @param watchesPerClient open at once for one address; one more is refused with 429
 * @param headerBytes of one request, its line included; above it 431
 */
public record ServingLimits(
        WatchLimits watch,
        PageLimits scanPage,
        int listPageBytes,
        long listBytes,
        int longPollBytes,
        int watchesPerClient,
        int headerBytes) {
    private static final int WATCHES = 10_000;
    private static final long LIST_BYTES = 256L << 20;
    private static final long WINDOW_BYTES = 256L << 20;

    public ServingLimits {
        if (listBytes < 1 || watchesPerClient < 1) {
            throw new IllegalArgumentException(
                    "lists of %d bytes, %d watches of a client"
                            .formatted(listBytes, watchesPerClient));
        }
        if (listPageBytes < 1 || longPollBytes < 1 || headerBytes < 1024) {
            throw new IllegalArgumentException(
                    "list pages of %d, long polls of %d, headers of %d bytes"
                            .formatted(listPageBytes, longPollBytes, headerBytes));
        }
    }

    /**
     * As this process can afford it: lists a quarter of its heap, the windows of watches an eighth.
     */
    public static ServingLimits defaults() {
        return defaults(Runtime.getRuntime().maxMemory());
    }

    /** The defaults of a process with so much heap. */
    static ServingLimits defaults(long heapBytes) {
        WatchLimits watch =
                new WatchLimits(
                        WATCHES,
                        8192,
                        Math.min(WINDOW_BYTES, heapBytes / 8),
                        1024,
                        4L << 20,
                        new PageLimits(512, 1 << 20));
        return new ServingLimits(
                watch,
                new PageLimits(1000, 512 << 10),
                8 << 20,
                Math.min(LIST_BYTES, heapBytes / 4),
                1 << 20,
                WATCHES / 2,
                32 << 10);
    }

    public ServingLimits withWatchesPerClient(int newWatchesPerClient) {
        return new ServingLimits(
                watch,
                scanPage,
                listPageBytes,
                listBytes,
                longPollBytes,
                newWatchesPerClient,
                headerBytes);
    }

    public ServingLimits withWatch(WatchLimits newWatch) {
        return new ServingLimits(
                newWatch,
                scanPage,
                listPageBytes,
                listBytes,
                longPollBytes,
                watchesPerClient,
                headerBytes);
    }

    public ServingLimits withListBytes(long newListBytes) {
        return new ServingLimits(
                watch,
                scanPage,
                listPageBytes,
                newListBytes,
                longPollBytes,
                watchesPerClient,
                headerBytes);
    }

    public ServingLimits withScanPage(PageLimits newScanPage) {
        return new ServingLimits(
                watch,
                newScanPage,
                listPageBytes,
                listBytes,
                longPollBytes,
                watchesPerClient,
                headerBytes);
    }
}
