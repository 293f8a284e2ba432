package io.tidemark.bench.load;

import io.tidemark.bench.content.Pods;
import io.tidemark.etcd.Compare;
import io.tidemark.etcd.EtcdClient;
import io.tidemark.etcd.Op;
import io.tidemark.etcd.Txn;
import io.tidemark.record.Bytes;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;

/** Updates of pods in etcd, and when each was acknowledged. */
final class Writes {
    /** Writes without an answer yet; more wait, so that a slow etcd lowers the rate. */
    private static final int MAX_IN_FLIGHT = 64;

    /** Unique over all runs of this process, so that every write changes its pod. */
    private static final AtomicLong GENERATION = new AtomicLong(System.currentTimeMillis());

    private final Pods pods;
    private final EtcdClient etcd;
    private final Failures failures;
    private final Map<Long, Long> acknowledged = new ConcurrentHashMap<>();

    Writes(Pods pods, EtcdClient etcd, Failures failures) {
        this.pods = pods;
        this.etcd = etcd;
        this.failures = failures;
    }

    /**
     * Writes at a steady rate, and waits for all answers.
     *
     * @param eachPod receives the pods that were updated
     */
    void atRate(int perSecond, Duration duration, IntConsumer eachPod) throws InterruptedException {
        long interval = Duration.ofSeconds(1).toNanos() / perSecond;
        write((int) (duration.toNanos() / interval), interval, eachPod);
    }

    /** Writes as fast as etcd takes it, and waits for all answers. */
    void atOnce(int count, IntConsumer eachPod) throws InterruptedException {
        write(count, 0, eachPod);
    }

    private void write(int count, long intervalNanos, IntConsumer eachPod)
            throws InterruptedException {
        SplittableRandom random = new SplittableRandom(count);
        Semaphore inFlight = new Semaphore(MAX_IN_FLIGHT);
        long began = System.nanoTime();
        for (int i = 0; i < count; i++) {
            waitUntil(began + i * intervalNanos);
            int pod = random.nextInt(pods.count());
            inFlight.acquire();
            var _ =
                    Thread.startVirtualThread(() -> {
                        try {
                            if (update(pod)) {
                                eachPod.accept(pod);
                            }
                        } finally {
                            inFlight.release();
                        }
                    });
        }
        inFlight.acquire(MAX_IN_FLIGHT);
    }

    /** Creates no pod: etcd may be that of a real cluster. */
    private boolean update(int pod) {
        Bytes key = pods.key(pod);
        Op write = new Op.Put(key, pods.value(pod, GENERATION.incrementAndGet()));
        try {
            Txn.Result result =
                    etcd.txn(new Txn(List.of(Compare.absent(key)), List.of(), List.of(write)));
            if (!result.succeeded()) {
                acknowledged.put(result.revision(), System.nanoTime());
                return true;
            }
            failures.add("etcd has no pod " + key.utf8());
        } catch (RuntimeException e) {
            failures.add("etcd: " + e.getMessage());
        }
        return false;
    }

    private static void waitUntil(long nanos) {
        for (long left = nanos - System.nanoTime(); left > 0; left = nanos - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    /** When each revision was acknowledged, by {@link System#nanoTime}. */
    Map<Long, Long> acknowledged() {
        return acknowledged;
    }

    long newestRevision() {
        return acknowledged.keySet().stream().mapToLong(Long::longValue).max().orElse(0);
    }
}
