package io.tidemark.query.http;

import io.tidemark.serving.read.PageLimits;
import io.tidemark.serving.watch.WatchLimits;
import java.time.Duration;

/**
 * What may be held in memory, and how slowly it may be taken.
 *
 * @param watch of all watches
 * @param scanPage what one partition gives a list at a time: a list holds one of them for each of
 *     its partitions
 * @param listPageBytes a page of a list with a limit ends early at this size
 * @param listBytes what all answers but watches together may hold; above it one is refused with 429
 * @param listBytesPerClient the same of the answers to one address
 * @param slowest a client that takes an answer more slowly is disconnected
 * @param longPollBytes a long poll's answer ends early, at a whole revision, at this size
 * @param watchesPerClient open at once for one address; one more is refused with 429
 * @param headerBytes of one request, its line included; above it 431
 */
public record ServingLimits(
        WatchLimits watch,
        PageLimits scanPage,
        int listPageBytes,
        long listBytes,
        long listBytesPerClient,
        MinimumRate.Threshold slowest,
        int longPollBytes,
        int watchesPerClient,
        int headerBytes) {
    private static final int WATCHES = 10_000;
    private static final long LIST_BYTES = 256L << 20;
    private static final int CLIENTS = 4;
    private static final MinimumRate.Threshold SLOWEST =
            new MinimumRate.Threshold(64 << 10, Duration.ofSeconds(20));
    private static final long WINDOW_BYTES = 256L << 20;

    public ServingLimits {
        if (listBytes < 1 || listBytesPerClient < 1 || watchesPerClient < 1) {
            throw new IllegalArgumentException(
                    "lists of %d bytes, %d of a client, %d watches of a client"
                            .formatted(listBytes, listBytesPerClient, watchesPerClient));
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
        long listBytes = Math.min(LIST_BYTES, heapBytes / 4);
        return new ServingLimits(
                watch,
                new PageLimits(1000, 512 << 10),
                8 << 20,
                listBytes,
                shareOf(listBytes),
                SLOWEST,
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
                listBytesPerClient,
                slowest,
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
                listBytesPerClient,
                slowest,
                longPollBytes,
                watchesPerClient,
                headerBytes);
    }

    /** What one client may have of what all may have. */
    private static long shareOf(long listBytes) {
        return Math.max(1, listBytes / CLIENTS);
    }

    public ServingLimits withListBytesPerClient(long newListBytesPerClient) {
        return new ServingLimits(
                watch,
                scanPage,
                listPageBytes,
                listBytes,
                newListBytesPerClient,
                slowest,
                longPollBytes,
                watchesPerClient,
                headerBytes);
    }

    public ServingLimits withSlowest(MinimumRate.Threshold newSlowest) {
        return new ServingLimits(
                watch,
                scanPage,
                listPageBytes,
                listBytes,
                listBytesPerClient,
                newSlowest,
                longPollBytes,
                watchesPerClient,
                headerBytes);
    }

    /** Of which one client may have a quarter. */
    public ServingLimits withListBytes(long newListBytes) {
        return new ServingLimits(
                watch,
                scanPage,
                listPageBytes,
                newListBytes,
                shareOf(newListBytes),
                slowest,
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
                listBytesPerClient,
                slowest,
                longPollBytes,
                watchesPerClient,
                headerBytes);
    }
}
