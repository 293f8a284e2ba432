package io.tidemark.cluster;

import io.tidemark.etcd.EtcdClient;
import io.tidemark.etcd.EtcdException;
import io.tidemark.etcd.Op;
import io.tidemark.etcd.Txn;
import io.tidemark.record.Bytes;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Writes to etcd as fast as one client can, until closed: puts, deletes and transactions. */
final class Load implements AutoCloseable {
    private final EtcdClient client;
    private final AtomicLong writes = new AtomicLong();
    private final Thread thread;
    private volatile boolean over;

    private Load(EtcdClient client) {
        this.client = client;
        thread = Thread.ofPlatform().name("load").unstarted(this::run);
    }

    static Load on(EtcdClient client) {
        Load load = new Load(client);
        load.thread.start();
        return load;
    }

    /** Acknowledged so far. */
    long writes() {
        return writes.get();
    }

    private void run() {
        SplittableRandom random = new SplittableRandom(11);
        while (!over) {
            try {
                client.txn(Txn.of(write(random, 0), write(random, 1)));
                writes.incrementAndGet();
            } catch (EtcdException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** One of 200 keys; the two writes of a transaction never meet. */
    private static Op write(SplittableRandom random, int half) {
        String namespace = "load-" + random.nextInt(5);
        String name = "cm-" + half + "-" + random.nextInt(20);
        Bytes key = TestEtcd.configMapKey(namespace, name);
        return random.nextInt(20) == 0
                ? new Op.Delete(key)
                : new Op.Put(
                        key,
                        Bytes.utf8(
                                TestEtcd.configMap(
                                        namespace, name, "x".repeat(random.nextInt(2_000)))));
    }

    @Override
    public void close() throws InterruptedException {
        over = true;
        thread.join();
    }
}
