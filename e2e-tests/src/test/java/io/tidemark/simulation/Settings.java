package io.tidemark.simulation;

import io.tidemark.record.Bytes;
import io.tidemark.simulation.world.FakePartition;
import io.tidemark.store.IndexSettings;
import io.tidemark.store.StoreSettings;
import java.time.Duration;
import java.util.Set;

/**
 * How large the simulated world is. Its history window is seconds, not hours, so that everything
 * that happens at its edge happens in every run.
 */
record Settings(
        int partitions, int nodes, int clients, long millis, long historyMillis, long lagMillis) {
    static final Bytes PREFIX = Bytes.utf8("/registry/");
    static final Settings DEFAULT = new Settings(3, 2, 4, 45_000, 12_000, 12_000);

    static final long TRANSACTION_TIMEOUT_MILLIS = 10_000;
    static final long COMMIT_MILLIS = 2_000;
    static final long HEARTBEAT_MILLIS = 1_000;

    /** How long the world is left alone before replicas must agree. */
    static final long QUIET_MILLIS = 5_000;

    StoreSettings store() {
        return new StoreSettings(
                Duration.ofMillis(historyMillis),
                StoreSettings.DEFAULT_MAX_HISTORY_BYTES,
                Duration.ofMillis(lagMillis),
                new IndexSettings(Set.of("app"), Set.of()));
    }

    FakePartition.Settings topic() {
        return new FakePartition.Settings(lagMillis, 60_000, 10, 8_000);
    }

    /** Whether Tidemark is to show a key: what lies under the prefix, Secrets left out. */
    static boolean isMirrored(Bytes key) {
        return key.startsWith(PREFIX) && !key.startsWith(Bytes.utf8("/registry/secrets/"));
    }
}
