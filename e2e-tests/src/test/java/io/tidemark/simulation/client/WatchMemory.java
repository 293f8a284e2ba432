package io.tidemark.simulation.client;

import io.tidemark.serving.watch.WatchHub;
import io.tidemark.simulation.promise.RecordedPeak;
import io.tidemark.simulation.world.Settings;
import java.util.List;

/** The most memory that the watches of a node have held while they caught up. */
public final class WatchMemory {
    /**
     * What a watch may hold of each partition when nothing is left: the smallest page, and one
     * change more, which is never cut.
     */
    private static final long LEAST_BYTES = 3 << 10;

    private final Settings settings;
    private long highest;
    private long highestWithoutWatches;

    public WatchMemory(Settings settings) {
        this.settings = settings;
    }

    /** Looks at a node's watches. */
    void observe(WatchHub hub) {
        highest = Math.max(highest, hub.catchUpBytes());
        if (hub.watches() == 0) {
            long leaked = hub.catchUpBytes() + hub.laggingWatches();
            highestWithoutWatches = Math.max(highestWithoutWatches, leaked);
        }
    }

    public List<RecordedPeak> peaks() {
        long least = (long) settings.clients() * settings.partitions() * LEAST_BYTES;
        return List.of(
                new RecordedPeak(
                        "memory of watches that catch up", highest, settings.watchBytes() + least),
                new RecordedPeak("memory without any watch", highestWithoutWatches, 0));
    }
}
