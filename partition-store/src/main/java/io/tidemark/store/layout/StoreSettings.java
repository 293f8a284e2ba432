package io.tidemark.store.layout;

import io.tidemark.record.secret.KeyRing;
import io.tidemark.view.object.ProtobufEncoding;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The settings of a partition store.
 *
 * @param historyWindow how long a change can be read back; more costs disk
 * @param maxHistoryBytes bytes on disk for this partition's history, with the superseded versions
 *     that it keeps: above it the oldest changes are compacted early
 * @param compactionLag the topic's min.compaction.lag.ms as it is now
 * @param indexes what is indexed
 * @param secretKeys the keys that decrypt Secrets of the topic, and encrypt them on disk; empty to
 *     store what is in the topic
 * @param protobuf makes the protobuf form of objects, which the store keeps beside the JSON; empty
 *     to keep JSON only
 */
public record StoreSettings(
        Duration historyWindow,
        long maxHistoryBytes,
        Duration compactionLag,
        IndexSettings indexes,
        Optional<Supplier<KeyRing>> secretKeys,
        Optional<ProtobufEncoding> protobuf) {
    /** Default of {@link #historyWindow}, and of the topic's compaction lag. */
    public static final Duration DEFAULT_HISTORY_WINDOW = Duration.ofHours(6);

    /** Default of {@link #maxHistoryBytes}: 4 GiB. */
    public static final long DEFAULT_MAX_HISTORY_BYTES = 4L << 30;

    /** All defaults. */
    public static final StoreSettings DEFAULT =
            new StoreSettings(
                    DEFAULT_HISTORY_WINDOW,
                    DEFAULT_MAX_HISTORY_BYTES,
                    DEFAULT_HISTORY_WINDOW,
                    IndexSettings.DEFAULT);

    /** Without keys and without protobuf. */
    public StoreSettings(
            Duration historyWindow,
            long maxHistoryBytes,
            Duration compactionLag,
            IndexSettings indexes) {
        this(
                historyWindow,
                maxHistoryBytes,
                compactionLag,
                indexes,
                Optional.empty(),
                Optional.empty());
    }

    /**
     * A record that is younger than this when it is read has had no neighbour compacted away. It is
     * not more than the history window: when an operator raises the topic's lag to extend the
     * history, older records may already have lost neighbours under the shorter lag.
     */
    public Duration trustedLag() {
        return compactionLag.compareTo(historyWindow) < 0 ? compactionLag : historyWindow;
    }

    /** The same with keys for Secrets. */
    public StoreSettings withSecretKeys(Optional<Supplier<KeyRing>> keys) {
        return new StoreSettings(
                historyWindow, maxHistoryBytes, compactionLag, indexes, keys, protobuf);
    }

    /** The same with the protobuf form. */
    public StoreSettings withProtobuf(ProtobufEncoding encoding) {
        return new StoreSettings(
                historyWindow,
                maxHistoryBytes,
                compactionLag,
                indexes,
                secretKeys,
                Optional.of(encoding));
    }

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
