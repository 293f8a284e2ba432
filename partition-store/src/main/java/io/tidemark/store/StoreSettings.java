package io.tidemark.store;

import java.time.Duration;

/**
 * How a partition store keeps its window.
 *
 * @param historyWindow how long a change can be read back; more costs disk
 * @param maxHistoryBytes how much the history of this partition may take, the superseded versions
 *     it keeps included: above it the oldest goes early, whatever its age
 * @param compactionLag the topic's min.compaction.lag.ms: how young a record must be when it is
 *     read to be sure that no neighbour of it was compacted away
 * @param indexes what is indexed
 */
public record StoreSettings(
        Duration historyWindow,
        long maxHistoryBytes,
        Duration compactionLag,
        IndexSettings indexes) {
    public static final Duration DEFAULT_HISTORY_WINDOW = Duration.ofHours(6);
    public static final long DEFAULT_MAX_HISTORY_BYTES = 4L << 30;

    public static final StoreSettings DEFAULT =
            new StoreSettings(
                    DEFAULT_HISTORY_WINDOW,
                    DEFAULT_MAX_HISTORY_BYTES,
                    DEFAULT_HISTORY_WINDOW,
                    IndexSettings.DEFAULT);

    public StoreSettings {
        if (!historyWindow.isPositive() || !compactionLag.isPositive()) {
            throw new IllegalArgumentException(
                    "history window %s and compaction lag %s must be positive"
                            .formatted(historyWindow, compactionLag));
        }
        if (maxHistoryBytes < 1) {
            throw new IllegalArgumentException("max history bytes: " + maxHistoryBytes);
        }
    }
}
