package io.tidemark.simulation.connector;

import io.tidemark.connector.check.Digests;
import io.tidemark.connector.check.DigestsUnavailableException;
import io.tidemark.connector.check.EtcdDigests;
import io.tidemark.connector.check.GroupKeyReader.KeyPage;
import io.tidemark.connector.check.GroupKeyReader.KeyPageRequest;
import io.tidemark.connector.check.ScanRuntime;
import io.tidemark.connector.feed.ResumePoint;
import io.tidemark.connector.source.EtcdSource;
import io.tidemark.connector.value.MirroredKeys;
import io.tidemark.simulation.world.Scheduler;
import io.tidemark.simulation.world.Settings;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A connector's digests of etcd. A scan takes no virtual time, as other calls beside the feed. */
final class SimulatedDigests implements ScanRuntime {
    private final Scheduler scheduler;
    private final EtcdDigests digests;
    private long nextMillis;

    SimulatedDigests(
            Scheduler scheduler,
            EtcdSource source,
            MirroredKeys keys,
            Supplier<ResumePoint.@Nullable At> history,
            int partitions,
            InstantSource clock) {
        this.scheduler = scheduler;
        this.digests =
                new EtcdDigests(
                        source,
                        keys,
                        Settings.PREFIX,
                        Duration.ofMillis(Settings.SELF_CHECK_MILLIS),
                        history,
                        () -> partitions,
                        clock,
                        this);
    }

    @Override
    public long nanoTime() {
        return scheduler.nowNanos();
    }

    @Override
    public void pause(Duration duration) {
        // Nothing else happens meanwhile.
    }

    /** The newest; takes newer ones soon, when they are due. */
    Digests newest(int partitions) throws DigestsUnavailableException {
        try {
            return digests.newest(partitions);
        } finally {
            if (scheduler.nowMillis() >= nextMillis) {
                nextMillis = Long.MAX_VALUE;
                var unused = scheduler.after(scheduler.between(1, 30), "digests", this::take);
            }
        }
    }

    private void take() {
        try {
            nextMillis = scheduler.nowMillis() + digests.step().toMillis();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    KeyPage keys(KeyPageRequest request) throws DigestsUnavailableException, InterruptedException {
        return digests.keys().read(request);
    }
}
