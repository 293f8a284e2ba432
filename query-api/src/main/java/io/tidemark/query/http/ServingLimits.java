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
 * @param headerBytes of one request, its line included; above it 431
 */
public record ServingLimits(
        WatchLimits watch,
        PageLimits scanPage,
        int listPageBytes,
        long listBytes,
        int longPollBytes,
        int headerBytes) {
    public ServingLimits {
        if (listPageBytes < 1 || longPollBytes < 1 || headerBytes < 1024) {
            throw new IllegalArgumentException(
                    "list pages of %d, long polls of %d, headers of %d bytes"
                            .formatted(listPageBytes, longPollBytes, headerBytes));
        }
    }

    public static ServingLimits defaults() {
        WatchLimits watch =
                new WatchLimits(
                        10_000, 8192, 64L << 20, 1024, 4L << 20, new PageLimits(512, 1 << 20));
        return new ServingLimits(
                watch, new PageLimits(1000, 512 << 10), 8 << 20, 256L << 20, 1 << 20, 32 << 10);
    }

    public ServingLimits withWatch(WatchLimits newWatch) {
        return new ServingLimits(
                newWatch, scanPage, listPageBytes, listBytes, longPollBytes, headerBytes);
    }

    public ServingLimits withListBytes(long newListBytes) {
        return new ServingLimits(
                watch, scanPage, listPageBytes, newListBytes, longPollBytes, headerBytes);
    }

    public ServingLimits withScanPage(PageLimits newScanPage) {
        return new ServingLimits(
                watch, newScanPage, listPageBytes, listBytes, longPollBytes, headerBytes);
    }
}
