package io.tidemark.chaos;

import io.tidemark.chaos.client.NodeTable;
import io.tidemark.chaos.client.RetentionHorizon;
import io.tidemark.chaos.client.WatchClient;
import io.tidemark.chaos.client.WatchTarget;
import io.tidemark.chaos.load.AcknowledgedWrites;
import io.tidemark.chaos.process.Cluster;
import io.tidemark.chaos.process.ManagedProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** All watchers of a run. */
final class WatcherFleet implements AutoCloseable {
    private static final Duration SPREAD = Duration.ofSeconds(15);
    private static final long BETWEEN_MOVES_MILLIS = 50;
    private static final int BROAD_EVERY = 50;

    private final ChaosOptions options;
    private final AcknowledgedWrites acknowledged;
    private final RetentionHorizon horizon;
    private final List<WatchClient> watchers = new ArrayList<>();

    WatcherFleet(ChaosOptions options, AcknowledgedWrites acknowledged, RetentionHorizon horizon) {
        this.options = options;
        this.acknowledged = acknowledged;
        this.horizon = horizon;
    }

    /** They begin to watch, after this revision, spread over the nodes. */
    void begin(NodeTable nodes, SplittableRandom random, long afterRevision) {
        for (WatchTarget target :
                WatchTarget.mix(options.space(), options.watchers(), random.split())) {
            watchers.add(
                    new WatchClient(
                            target,
                            options.space(),
                            nodes,
                            acknowledged,
                            horizon,
                            random.split(),
                            watchers.size() % options.size().nodes(),
                            afterRevision));
        }
    }

    List<WatchClient> all() {
        return Collections.unmodifiableList(watchers);
    }

    @Override
    public void close() throws InterruptedException {
        for (WatchClient watcher : watchers) {
            watcher.close();
        }
    }

    /** Those that watch everything. */
    List<WatchClient> broad() {
        List<WatchClient> broad = new ArrayList<>();
        for (int i = 0; i < watchers.size(); i += BROAD_EVERY) {
            broad.add(watchers.get(i));
        }
        return broad;
    }

    long events() {
        return watchers.stream().mapToLong(WatchClient::events).sum();
    }

    int reconnects() {
        return watchers.stream().mapToInt(WatchClient::reconnects).sum();
    }

    /** Unjustified 410s. */
    int unexpectedExpirations() {
        return watchers.stream().mapToInt(WatchClient::unexpectedExpirations).sum();
    }

    /** Justified 410s. */
    int expectedExpirations() {
        return watchers.stream().mapToInt(WatchClient::expectedExpirations).sum();
    }

    /**
     * Moves some watchers from nodes that have more than their share to others, one after the
     * other, as would happen over time; waits until they are there.
     */
    void spread(Cluster cluster) throws InterruptedException {
        List<Integer> slots =
                cluster.servers(ManagedProcess::isRunning).stream()
                        .map(cluster.servers()::indexOf)
                        .toList();
        int share = (watchers.size() + slots.size() - 1) / slots.size();
        Map<Integer, Integer> counts = new HashMap<>();
        slots.forEach(slot -> counts.put(slot, 0));
        for (WatchClient watcher : watchers) {
            int at = watcher.at();
            if (counts.getOrDefault(at, share) >= share) {
                at = Collections.min(slots, Comparator.comparing(counts::get));
                watcher.moveTo(at);
                TimeUnit.MILLISECONDS.sleep(BETWEEN_MOVES_MILLIS);
            }
            counts.merge(at, 1, Integer::sum);
        }
        long end = System.nanoTime() + SPREAD.toNanos();
        while (!watchers.stream().allMatch(WatchClient::isOnAssignedNode)
                && System.nanoTime() < end) {
            TimeUnit.MILLISECONDS.sleep(100);
        }
    }
}
