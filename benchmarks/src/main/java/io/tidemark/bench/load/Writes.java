package io.tidemark.bench.load;

import io.tidemark.bench.content.Pods;
import io.tidemark.etcd.EtcdClient;
import java.time.Duration;
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

    /** Writes at a steady rate, and waits for all answers. */
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
                            put(pod);
                            eachPod.accept(pod);
                        } finally {
                            inFlight.release();
                        }
                    });
        }
        inFlight.acquire(MAX_IN_FLIGHT);
    }

    private void put(int pod) {
        try {
            long revision = etcd.put(pods.key(pod), pods.value(pod, GENERATION.incrementAndGet()));
            acknowledged.put(revision, System.nanoTime());
        } catch (RuntimeException e) {
            failures.add("etcd: " + e.getMessage());
        }
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
