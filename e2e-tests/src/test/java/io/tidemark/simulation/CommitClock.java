package io.tidemark.simulation;

import io.tidemark.simulation.world.FakeEtcd;
import io.tidemark.simulation.world.Scheduler;

/**
 * Notes when nothing could be committed for so long that the next writer tells again what stores
 * have trimmed already: then a store cannot tell a repetition from something it missed, and rightly
 * gives its history up.
 */
final class CommitClock {
    private final Scheduler scheduler;
    private final FakeEtcd etcd;
    private final long tooLongMillis;
    private long lastMillis;
    private long forgivenRevision;

    CommitClock(Scheduler scheduler, FakeEtcd etcd, long historyMillis) {
        this.scheduler = scheduler;
        this.etcd = etcd;
        this.tooLongMillis = historyMillis / 2;
        this.lastMillis = scheduler.nowMillis();
    }

    /** A connector has committed what it wrote. */
    void committed() {
        forgivenRevision = forgivenRevision();
        lastMillis = scheduler.nowMillis();
    }

    /** Nobody needs to remember anything before it. */
    long forgivenRevision() {
        boolean tooLong = scheduler.nowMillis() - lastMillis > tooLongMillis;
        return tooLong ? etcd.revision() : forgivenRevision;
    }
}
