package io.tidemark.serving.testing;

import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import io.tidemark.record.Change.TideMark;
import io.tidemark.record.ContentType;
import io.tidemark.record.PartitionAssigner;
import io.tidemark.serving.freshness.Barrier;
import io.tidemark.serving.freshness.BarrierSource;
import io.tidemark.store.ManualClock;
import io.tidemark.store.PartitionStore;
import io.tidemark.store.engine.InMemoryEngine;
import io.tidemark.store.engine.KeyValueEngine;
import io.tidemark.store.layout.StoreSettings;
import io.tidemark.store.read.ReadExecutor;
import io.tidemark.view.PartitionDirectory;
import io.tidemark.view.PartitionView;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.function.LongFunction;

/**
 * A fake etcd and its mirror. Changes are applied to the store of their partition at once, and tide
 * marks follow unless a test holds them back.
 */
public final class MirroredCluster implements PartitionDirectory, BarrierSource {
    private static final String CONNECTOR = "http://connector.test";

    /** One operation of a transaction; a null value deletes. */
    public record Op(Bytes key, LongFunction<String> valueAtRevision) {}

    private final PartitionAssigner assigner;
    private final List<PartitionStore> stores = new ArrayList<>();
    private final ManualClock clock = new ManualClock(Instant.parse("2026-11-21T10:00:00Z"));
    private final Map<Bytes, Long> created = new HashMap<>();
    private final Map<Bytes, Long> versions = new HashMap<>();
    private final Set<Integer> heldBack = new HashSet<>();
    private long epoch = 1;
    private long revision;
    private long offset;
    private volatile boolean etcdAway;
    private volatile int barriers;

    public MirroredCluster(int partitions, long firstRevision) {
        this(partitions, firstRevision, StoreSettings.DEFAULT);
    }

    public MirroredCluster(int partitions, long firstRevision, StoreSettings settings) {
        this(partitions, firstRevision, settings, true);
    }

    /** A cluster whose first list has not arrived. */
    public static MirroredCluster notListedYet(int partitions) {
        return new MirroredCluster(partitions, 1, StoreSettings.DEFAULT, false);
    }

    /** A cluster with the test's own engines and read gate. */
    public static MirroredCluster over(
            int partitions, IntFunction<KeyValueEngine> engines, ReadExecutor gate) {
        return new MirroredCluster(partitions, 100, StoreSettings.DEFAULT, true, engines, gate);
    }

    private MirroredCluster(
            int partitions, long firstRevision, StoreSettings settings, boolean listed) {
        this(
                partitions,
                firstRevision,
                settings,
                listed,
                _ -> new InMemoryEngine(),
                ReadExecutor.DIRECT);
    }

    private MirroredCluster(
            int partitions,
            long firstRevision,
            StoreSettings settings,
            boolean listed,
            IntFunction<KeyValueEngine> engines,
            ReadExecutor gate) {
        assigner = new PartitionAssigner(partitions);
        revision = firstRevision;
        for (int p = 0; p < partitions; p++) {
            stores.add(PartitionStore.open(p, engines.apply(p), settings, clock, gate, false));
        }
        if (listed) {
            markAll(TideMark.Kind.LIST_BEGIN);
            markAll(TideMark.Kind.LIST_END);
        }
    }

    @Override
    public int partitions() {
        return stores.size();
    }

    @Override
    public PartitionView view(int partition) {
        return stores.get(partition).view();
    }

    @Override
    public synchronized Barrier take(String connector) throws IOException {
        barriers++;
        if (etcdAway) {
            throw new IOException("etcd is away");
        }
        return new Barrier(epoch, revision);
    }

    public int barriersTaken() {
        return barriers;
    }

    public void loseEtcd(boolean away) {
        etcdAway = away;
    }

    public synchronized long revision() {
        return revision;
    }

    public int partitionOf(String directory) {
        return assigner.partitionOfDirectory(Bytes.utf8(directory));
    }

    public synchronized long pod(String namespace, String name, Map<String, String> labels) {
        return pod(namespace, name, labels, "");
    }

    public synchronized long pod(
            String namespace, String name, Map<String, String> labels, String node) {
        return txn(List.of(podOp(namespace, name, labels, node)));
    }

    public static Op podOp(String namespace, String name, Map<String, String> labels, String node) {
        return new Op(podKey(namespace, name), at -> Json.pod(namespace, name, at, labels, node));
    }

    public static Bytes podKey(String namespace, String name) {
        return Bytes.utf8("/registry/pods/%s/%s".formatted(namespace, name));
    }

    public synchronized long put(String key, LongFunction<String> value) {
        return txn(List.of(new Op(Bytes.utf8(key), value)));
    }

    public synchronized long delete(Bytes key) {
        return txn(List.of(new Op(key, at -> null)));
    }

    /** The cluster's clock. */
    public InstantSource clock() {
        return clock;
    }

    /** Advances the clock without changes. */
    public void advance(Duration by) {
        clock.advance(by);
    }

    /** Several keys at one revision. */
    public synchronized long txn(List<Op> ops) {
        revision++;
        int index = 0;
        for (Op op : ops) {
            apply(change(op, index++));
        }
        markAll(TideMark.Kind.PROGRESS);
        return revision;
    }

    /** Puts a raw value. */
    public synchronized long raw(Bytes key, byte[] value, String unreadable) {
        revision++;
        apply(put(key, Bytes.wrap(value), ContentType.RAW, unreadable, 0));
        markAll(TideMark.Kind.PROGRESS);
        return revision;
    }

    /** Stops or resumes the tide marks of a partition. */
    public synchronized void holdBack(int partition, boolean hold) {
        if (hold) {
            heldBack.add(partition);
        } else {
            heldBack.remove(partition);
            mark(partition, TideMark.Kind.PROGRESS);
        }
    }

    /** Advances etcd's revision without a mirrored change. */
    public synchronized long elsewhere(int revisions) {
        revision += revisions;
        markAll(TideMark.Kind.PROGRESS);
        return revision;
    }

    /** Relists into a new history. */
    public synchronized void relist(boolean newEpoch) {
        if (newEpoch) {
            epoch++;
        }
        markAll(TideMark.Kind.LIST_BEGIN);
        markAll(TideMark.Kind.LIST_END);
    }

    /** Begins an epoch with a list of an older state, whose time is not known. */
    public synchronized void relistOlderState() {
        epoch++;
        for (TideMark.Kind kind : List.of(TideMark.Kind.LIST_BEGIN, TideMark.Kind.LIST_END)) {
            for (int p = 0; p < stores.size(); p++) {
                mark(p, kind, 1);
            }
        }
    }

    /** Changes that etcd compacted before the connector read them: reconciles the gap. */
    public void gap(TideMark.Kind mark, List<Op> newest) {
        gap(mark, newest, _ -> true);
    }

    /** The same by a connector that stopped when its mark had reached some partitions. */
    public synchronized void gap(TideMark.Kind mark, List<Op> newest, IntPredicate reached) {
        int index = Change.GAP_INDEX;
        for (Op op : newest) {
            revision++;
            apply(change(op, index++));
        }
        revision++;
        mark(mark, reached);
    }

    private Change change(Op op, int index) {
        String value = op.valueAtRevision().apply(revision);
        if (value == null) {
            created.remove(op.key());
            versions.remove(op.key());
            return new Change.Delete(epoch, revision, index, op.key());
        }
        return put(op.key(), Bytes.utf8(value), ContentType.KUBERNETES_JSON, "", index);
    }

    private Change put(Bytes key, Bytes value, ContentType type, String unreadable, int index) {
        long createdAt = created.computeIfAbsent(key, _ -> revision);
        long version = versions.merge(key, 1L, Long::sum);
        return new Change.Put(
                epoch, revision, index, key, value, type, createdAt, version, 0, false, unreadable);
    }

    private void apply(Change change) {
        Bytes key =
                switch (change) {
                    case Change.Put put -> put.key();
                    case Change.Delete delete -> delete.key();
                    case TideMark mark -> throw new IllegalArgumentException(mark.toString());
                };
        stores.get(assigner.partitionOf(key)).apply(change, offset++, clock.millis());
    }

    private void markAll(TideMark.Kind kind) {
        mark(kind, _ -> true);
    }

    private void mark(TideMark.Kind kind, IntPredicate reached) {
        for (int p = 0; p < stores.size(); p++) {
            if (reached.test(p) && !heldBack.contains(p)) {
                mark(p, kind);
            }
        }
    }

    private void mark(int partition, TideMark.Kind kind) {
        mark(partition, kind, clock.millis());
    }

    private void mark(int partition, TideMark.Kind kind, long timeMillis) {
        TideMark mark = new TideMark(epoch, revision, kind, 0xfeed, CONNECTOR).withTime(timeMillis);
        stores.get(partition).apply(mark, offset++, clock.millis());
    }

    /** Every partition gets a mark whose time is not known, as when a connector takes over. */
    public void markOfUnknownTime() {
        for (int p = 0; p < stores.size(); p++) {
            mark(p, TideMark.Kind.PROGRESS, 1);
        }
    }
}
