package io.tidemark.harness;

import io.tidemark.etcd.EtcdClient;
import io.tidemark.etcd.Op;
import io.tidemark.etcd.Txn;
import io.tidemark.etcd.connection.EtcdException;
import io.tidemark.record.Bytes;
import java.util.SplittableRandom;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Writes to etcd until closed: puts, deletes and transactions. */
public final class Load implements AutoCloseable {
    private final EtcdClient client;
    private final AtomicLong writes = new AtomicLong();
    private final int maxValue;
    private final Semaphore allowed;
    private final Thread thread;
    private volatile boolean over;
    private volatile @Nullable EtcdException failure;

    private Load(EtcdClient client, int allowed, int maxValue) {
        this.client = client;
        this.maxValue = maxValue;
        this.allowed = new Semaphore(allowed);
        thread = Thread.ofPlatform().name("load").unstarted(this::run);
    }

    /** As fast as one client can. */
    public static Load on(EtcdClient client) {
        return started(new Load(client, Integer.MAX_VALUE / 2, 2_000));
    }

    /** As many transactions of small values as {@link #allow} permits. */
    public static Load paced(EtcdClient client) {
        return started(new Load(client, 0, 200));
    }

    private static Load started(Load load) {
        load.thread.start();
        return load;
    }

    /** Permits more, as soon as the earlier ones are done. */
    public void allow(int transactions) {
        allowed.release(transactions);
    }

    /** Acknowledged so far. */
    public long writes() {
        return writes.get();
    }

    private void run() {
        SplittableRandom random = new SplittableRandom(11);
        while (true) {
            allowed.acquireUninterruptibly();
            if (over) {
                return;
            }
            try {
                client.txn(Txn.of(write(random, 0), write(random, 1)));
                writes.incrementAndGet();
            } catch (EtcdException e) {
                failure = e;
                return;
            }
        }
    }

    /** One of 200 keys; the two writes of a transaction never have the same key. */
    private Op write(SplittableRandom random, int half) {
        String namespace = "load-" + random.nextInt(5);
        String name = "cm-" + half + "-" + random.nextInt(20);
        Bytes key = TestEtcd.configMapKey(namespace, name);
        return random.nextInt(20) == 0
                ? new Op.Delete(key)
                : new Op.Put(
                        key,
                        Bytes.utf8(
                                TestEtcd.configMap(
                                        namespace, name, "x".repeat(random.nextInt(maxValue)))));
    }

    /** Fails if a write has failed, since there were none after it. */
    @Override
    public void close() throws InterruptedException {
        over = true;
        allow(1);
        thread.join();
        EtcdException why = failure;
        if (why != null) {
            throw new IllegalStateException("the load ended early", why);
        }
    }
}
