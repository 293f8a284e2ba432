package io.tidemark.simulation.kafka;

import io.tidemark.simulation.world.Scheduler;
import io.tidemark.simulation.world.SkewedClock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * A topic with transactional producers: sends arrive later, in order per partition but not across
 * partitions; uncommitted readers see them at once, committed readers once the transaction's marker
 * is written; a producer that takes the transactional id fences the one before.
 */
public final class FakeTopic {
    private final Scheduler scheduler;
    private final List<FakePartition> partitions;
    private final long transactionTimeoutMillis;
    private final Map<String, FakeProducer> owners = new HashMap<>();
    private final Map<String, Integer> unwrittenMarkers = new HashMap<>();
    private final SkewedClock clock;
    private boolean reachable = true;
    private boolean fences = true;

    public FakeTopic(
            Scheduler scheduler,
            int partitions,
            FakePartition.Settings settings,
            long transactionTimeoutMillis) {
        this.scheduler = scheduler;
        this.clock = new SkewedClock(scheduler);
        this.partitions =
                IntStream.range(0, partitions)
                        .mapToObj(number -> new FakePartition(number, settings, scheduler.census()))
                        .toList();
        this.transactionTimeoutMillis = transactionTimeoutMillis;
    }

    public List<FakePartition> partitions() {
        return partitions;
    }

    /** The broker's clock, which stamps records. */
    public SkewedClock clock() {
        return clock;
    }

    /** A broker that refuses nothing, for checking the checker. */
    public void disableFencing() {
        fences = false;
    }

    public boolean fences() {
        return fences;
    }

    public long transactionTimeoutMillis() {
        return transactionTimeoutMillis;
    }

    /** One pass of the cleaner over every partition. */
    public void clean() {
        partitions.forEach(partition -> partition.clean(clock.millis()));
    }

    /** Whether producers reach it; their sends wait meanwhile. */
    public void reachable(boolean now) {
        reachable = now;
    }

    public boolean isReachable() {
        return reachable;
    }

    /**
     * A producer takes a transactional id, as {@code initTransactions} does: the one before is
     * fenced, its open transaction is aborted.
     *
     * @param ready called when that is done, after which it may send
     */
    public FakeProducer initTransactions(String transactionalId, Runnable ready) {
        FakeProducer producer = new FakeProducer(scheduler, this, transactionalId);
        FakeProducer before = owners.put(transactionalId, producer);
        if (before != null) {
            before.fence();
        }
        whenMarkersWritten(transactionalId, ready);
        return producer;
    }

    /** Markers of an ended transaction are written before the next owner may write. */
    private void whenMarkersWritten(String transactionalId, Runnable ready) {
        var unused =
                scheduler.after(
                        scheduler.between(1, 30),
                        "init",
                        () -> {
                            if (reachable
                                    && unwrittenMarkers.getOrDefault(transactionalId, 0) == 0) {
                                ready.run();
                            } else {
                                whenMarkersWritten(transactionalId, ready);
                            }
                        });
    }

    public boolean isOwnedByOther(String transactionalId, FakeProducer producer) {
        FakeProducer owner = owners.get(transactionalId);
        return owner != null && owner != producer;
    }

    /** Whether a transaction has ended whose marker has not reached some partition. */
    public boolean hasUnwrittenMarkers() {
        return unwrittenMarkers.values().stream().anyMatch(count -> count > 0);
    }

    public void markersPending(String transactionalId, int change) {
        unwrittenMarkers.merge(transactionalId, change, Integer::sum);
    }

    /** A producer whose transaction timed out has the id again. */
    public void takeBack(String transactionalId, FakeProducer producer) {
        owners.put(transactionalId, producer);
    }

    /** The transaction coordinator gives up on a producer: the id has no owner now. */
    public void releaseTransactionalId(String transactionalId, FakeProducer producer) {
        owners.remove(transactionalId, producer);
    }
}
