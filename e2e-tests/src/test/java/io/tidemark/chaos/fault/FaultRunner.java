package io.tidemark.chaos.fault;

import io.tidemark.chaos.client.Availability;
import io.tidemark.chaos.client.WatchClient;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Does one fault, waits until the cluster is healthy again, and reports what clients saw. */
public final class FaultRunner {
    private static final long POLL_MILLIS = 200;

    /**
     * After this time the run reports that the cluster does not recover. Far more than it may take:
     * the real time is a figure of the report, and this machine may be busy.
     */
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    /** After that, all watchers have received what was delayed. */
    private static final long SETTLE_MILLIS = 1_000;

    private final FaultContext scene;
    private final ClusterHealth health;
    private final List<WatchClient> watchers;
    private final Availability availability;
    private final Consumer<String> diary;
    private final long beganNanos = System.nanoTime();

    /**
     * @param diary gets what is still missing, at each look
     */
    FaultRunner(
            FaultContext scene,
            ClusterHealth health,
            List<WatchClient> watchers,
            Availability availability,
            Consumer<String> diary) {
        this.scene = scene;
        this.health = health;
        this.watchers = watchers;
        this.availability = availability;
        this.diary = diary;
    }

    FaultResult run(FaultKind kind) throws Exception {
        // Watchers that moved to other nodes since the last fault may still have to catch up there.
        Optional<String> _ = awaitHealthy(System.nanoTime() + PATIENCE.toNanos());
        watchers.forEach(WatchClient::takeLongest);
        int[] at = watchers.stream().mapToInt(WatchClient::at).toArray();
        Availability.Counts before = availability.counts();
        long began = System.nanoTime();
        FaultContext.FaultEffect hit = kind.apply(scene);
        Optional<String> missing = awaitHealthy(System.nanoTime() + PATIENCE.toNanos());
        long recovery = System.nanoTime() - began - TimeUnit.MILLISECONDS.toNanos(hit.heldMillis());
        TimeUnit.MILLISECONDS.sleep(SETTLE_MILLIS);
        long pauseHit = 0;
        long pauseOthers = 0;
        for (int i = 0; i < at.length; i++) {
            long longest = watchers.get(i).takeLongest();
            if (longest > kind.allowedPause().toNanos()) {
                diary.accept("      late: " + watchers.get(i).slowest());
            }
            if (hit.slot() >= 0 && at[i] == hit.slot()) {
                pauseHit = Math.max(pauseHit, longest);
            } else {
                pauseOthers = Math.max(pauseOthers, longest);
            }
        }
        return new FaultResult(
                kind,
                hit.what(),
                TimeUnit.NANOSECONDS.toSeconds(began - beganNanos),
                hit.heldMillis(),
                TimeUnit.NANOSECONDS.toMillis(pauseHit),
                TimeUnit.NANOSECONDS.toMillis(pauseOthers),
                TimeUnit.NANOSECONDS.toMillis(recovery),
                availability.counts().since(before),
                missing.orElse(""));
    }

    /** What is still missing then; returns empty as soon as nothing is. */
    private Optional<String> awaitHealthy(long untilNanos) throws InterruptedException {
        long written = health.newest();
        while (true) {
            Optional<String> missing = health.missing(written);
            long seconds = (System.nanoTime() - beganNanos) / 1_000_000_000;
            missing.ifPresent(what -> diary.accept("%4d s  %s".formatted(seconds, what)));
            if (missing.isEmpty() || System.nanoTime() > untilNanos) {
                return missing;
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
    }
}
