package io.tidemark.chaos.load;

import io.tidemark.etcd.EtcdClient;
import io.tidemark.etcd.Op;
import io.tidemark.etcd.Txn;
import io.tidemark.etcd.connection.EtcdException;
import io.tidemark.record.Bytes;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Writes to etcd at a steady rate: puts, deletes, and transactions over several keys. */
public final class Writer implements AutoCloseable {
    private static final int LOADED_AT_ONCE = 100;
    private static final int MAX_IN_TRANSACTION = 5;

    /** Arrears above this are not made up for. */
    private static final long MAX_BEHIND_NANOS = 1_000_000_000L;

    private final ObjectSpace space;
    private final EtcdClient client;
    private final AcknowledgedWrites acknowledged;
    private final SplittableRandom random;
    private final long intervalNanos;
    private final BitSet there = new BitSet();
    private final Thread thread;
    private long serial;
    private volatile boolean over;

    /**
     * @param rate writes a second
     */
    public Writer(
            ObjectSpace space,
            EtcdClient client,
            AcknowledgedWrites acknowledged,
            SplittableRandom random,
            int rate) {
        this.space = space;
        this.client = client;
        this.acknowledged = acknowledged;
        this.random = random;
        intervalNanos = 1_000_000_000L / rate;
        thread = Thread.ofPlatform().name("writer").daemon().unstarted(this::run);
    }

    /** Puts nine of ten objects into etcd, many in one transaction. */
    public void load() {
        List<Integer> batch = new ArrayList<>();
        for (int i = 0; i < space.objects(); i++) {
            if (i % 10 != 9) {
                batch.add(i);
            }
            if (batch.size() == LOADED_AT_ONCE || i == space.objects() - 1) {
                write(batch, List.of());
                batch.clear();
            }
        }
    }

    public void start() {
        thread.start();
    }

    private void run() {
        long next = System.nanoTime();
        while (!over) {
            List<Integer> puts = new ArrayList<>();
            List<Integer> deletes = new ArrayList<>();
            choose(puts, deletes);
            try {
                write(puts, deletes);
            } catch (EtcdException _) {
                acknowledged.addFailed();
            }
            next = Math.max(next + intervalNanos, System.nanoTime() - MAX_BEHIND_NANOS);
            for (long left = next - System.nanoTime();
                    left > 0 && !over;
                    left = next - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
        }
    }

    private void choose(List<Integer> puts, List<Integer> deletes) {
        int keys = random.nextInt(7) == 0 ? random.nextInt(2, MAX_IN_TRANSACTION + 1) : 1;
        while (puts.size() + deletes.size() < keys) {
            int index = space.pick(random);
            if (puts.contains(index) || deletes.contains(index)) {
                continue;
            }
            boolean delete = there.get(index) && random.nextInt(10) == 0;
            (delete ? deletes : puts).add(index);
        }
    }

    private void write(List<Integer> puts, List<Integer> deletes) {
        Map<Bytes, @Nullable Long> values = new LinkedHashMap<>();
        List<Op> ops = new ArrayList<>();
        for (int index : puts) {
            // Mostly the label that it always has, so that selectors see some objects enter and
            // leave.
            int app = random.nextInt(5) == 0 ? random.nextInt(ObjectSpace.APPS) : appOf(index);
            Bytes value = space.value(index, app, ++serial);
            ops.add(new Op.Put(space.key(index), value));
            values.put(space.key(index), ObjectText.hash(value.array(), 0, value.length()));
        }
        for (int index : deletes) {
            ops.add(new Op.Delete(space.key(index)));
            values.put(space.key(index), null);
        }
        long revision = client.txn(Txn.of(ops.toArray(Op[]::new))).revision();
        puts.forEach(there::set);
        deletes.forEach(there::clear);
        acknowledged.add(new AcknowledgedWrites.Write(revision, values));
    }

    private static int appOf(int index) {
        return index / 7 % ObjectSpace.APPS;
    }

    /** Stops it once its last write is answered. */
    @Override
    public void close() throws InterruptedException {
        over = true;
        thread.join();
    }
}
