package io.tidemark.simulation.world;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * A topic with transactional producers: what one sends arrives later, in order per partition but
 * not across partitions; uncommitted readers see it at once, committed readers once its
 * transaction's marker stands; whoever takes the transactional id over fences the one before.
 */
public final class FakeTopic {
    private final Scheduler scheduler;
    private final List<FakePartition> partitions;
    private final long transactionTimeoutMillis;
    private final Map<String, FakeProducer> owners = new HashMap<>();
    private final Map<String, Integer> unwrittenMarkers = new HashMap<>();
    private boolean reachable = true;

    public FakeTopic(
            Scheduler scheduler,
            int partitions,
            FakePartition.Settings settings,
            long transactionTimeoutMillis) {
        this.scheduler = scheduler;
        this.partitions =
                IntStream.range(0, partitions)
                        .mapToObj(number -> new FakePartition(number, settings))
                        .toList();
        this.transactionTimeoutMillis = transactionTimeoutMillis;
    }

    public List<FakePartition> partitions() {
        return partitions;
    }

    long transactionTimeoutMillis() {
        return transactionTimeoutMillis;
    }

    /** One pass of the cleaner over every partition. */
    public void clean() {
        partitions.forEach(partition -> partition.clean(scheduler.nowMillis()));
    }

    /** Whether producers reach it; what they send meanwhile waits. */
    public void reachable(boolean now) {
        reachable = now;
    }

    public boolean isReachable() {
        return reachable;
    }

    /**
     * A producer takes a transactional id over, as {@code initTransactions} does: the one before is
     * fenced, its open transaction is aborted.
     *
     * @param ready told when that is done, after which it may send
     */
    public FakeProducer initTransactions(String transactionalId, Runnable ready) {
        FakeProducer producer = new FakeProducer(scheduler, this, transactionalId);
        FakeProducer before = owners.put(transactionalId, producer);
        if (before != null) {
            before.fence();
        }
        whenMarked(transactionalId, ready);
        return producer;
    }

    /** Markers of an ended transaction stand before the next owner may write. */
    private void whenMarked(String transactionalId, Runnable ready) {
        var unused =
                scheduler.after(
                        scheduler.between(1, 30),
                        "init",
                        () -> {
                            if (reachable
                                    && unwrittenMarkers.getOrDefault(transactionalId, 0) == 0) {
                                ready.run();
                            } else {
                                whenMarked(transactionalId, ready);
                            }
                        });
    }

    void markersPending(String transactionalId, int change) {
        unwrittenMarkers.merge(transactionalId, change, Integer::sum);
    }

    /** The transaction coordinator gives up on a producer: nobody owns the id now. */
    void disown(String transactionalId, FakeProducer producer) {
        owners.remove(transactionalId, producer);
    }
}
