package io.tidemark.query.http.exchange;

import io.tidemark.query.seats.SeatLimits;
import io.tidemark.serving.read.PageLimits;
import io.tidemark.serving.watch.WatchLimits;
import java.time.Duration;

/**
 * Limits of memory, of slow clients and of request sizes.
 *
 * @param watch limits of all watches
 * @param scanPage page size of one partition; a list holds one page for each of its partitions
 * @param listPageBytes a page of a list with a limit, or of changes, ends early at this size
 * @param listBytes memory of all responses except watches; above it requests are refused with 429
 * @param listBytesPerClient the same for the responses to one client: a user, or an address without
 *     one
 * @param slowest a client that reads a response more slowly is disconnected
 * @param longPollBytes a long poll's response ends early, at a whole revision, at this size
 * @param watchesPerClient open at once for one client; one more is refused with 429
 * @param headerBytes header size of one request, including its line; above it 431
 * @param seats of requests that are served at once, except watches
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
        int headerBytes,
        SeatLimits seats) {
    private static final int WATCHES = 10_000;
    private static final long LIST_BYTES = 256L << 20;
    private static final int CLIENTS = 4;
    private static final MinimumRate.Threshold SLOWEST =
            new MinimumRate.Threshold(64 << 10, Duration.ofSeconds(20));
    private static final long WINDOW_BYTES = 256L << 20;

    public ServingLimits {
        if (listBytes < 1 || listBytesPerClient < 1 || watchesPerClient < 1) {
            throw new IllegalArgumentException(
                    "limits must be positive: %d list bytes, per client %d and %d watches"
                            .formatted(listBytes, listBytesPerClient, watchesPerClient));
        }
        if (listPageBytes < 1 || longPollBytes < 1 || headerBytes < 1024) {
            throw new IllegalArgumentException(
                    "limits too small: list pages %d, long polls %d, headers %d bytes (min. 1024)"
                            .formatted(listPageBytes, longPollBytes, headerBytes));
        }
    }

    /**
     * The defaults for this process: a quarter of its heap for lists, an eighth for watch windows.
     */
    public static ServingLimits defaults() {
        return defaults(Runtime.getRuntime().maxMemory());
    }

    /** The defaults for a heap size. */
    public static ServingLimits defaults(long heapBytes) {
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
                32 << 10,
                SeatLimits.DEFAULT);
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
                headerBytes,
                seats);
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
                headerBytes,
                seats);
    }

    public ServingLimits withListPageBytes(int newListPageBytes) {
        return new ServingLimits(
                watch,
                scanPage,
                newListPageBytes,
                listBytes,
                listBytesPerClient,
                slowest,
                longPollBytes,
                watchesPerClient,
                headerBytes,
                seats);
    }

    /** The share of one client. */
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
                headerBytes,
                seats);
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
                headerBytes,
                seats);
    }

    /** Sets the limit of all lists; one client may use a quarter of it. */
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
                headerBytes,
                seats);
    }

    public ServingLimits withSeats(SeatLimits newSeats) {
        return new ServingLimits(
                watch,
                scanPage,
                listPageBytes,
                listBytes,
                listBytesPerClient,
                slowest,
                longPollBytes,
                watchesPerClient,
                headerBytes,
                newSeats);
    }
}
