package io.tidemark.chaos.client;

import io.tidemark.chaos.load.AcknowledgedWrites;
import io.tidemark.chaos.load.ObjectSpace;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * LIST and GET at a steady rate, independent of earlier answers. Each request has a client that
 * does nothing else meanwhile; there are as many clients as that takes.
 */
public final class ReadLoad implements AutoCloseable {
    /** Requests above this number are not sent, but count as failed: no node answers. */
    private static final int MAX_OPEN = 500;

    private final ObjectSpace space;
    private final NodeTable nodes;
    private final AcknowledgedWrites acknowledged;
    private final ReadObserver observer;
    private final RetentionHorizon horizon;
    private final SplittableRandom random;
    private final long intervalNanos;
    private final Availability availability = new Availability();
    private final ConcurrentLinkedDeque<ReadClient> idle = new ConcurrentLinkedDeque<>();
    private final AtomicInteger clients = new AtomicInteger();
    private final Semaphore open = new Semaphore(MAX_OPEN);
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Thread clock;
    private volatile boolean over;

    /**
     * @param rate requests a second
     */
    public ReadLoad(
            ObjectSpace space,
            NodeTable nodes,
            AcknowledgedWrites acknowledged,
            RetentionHorizon horizon,
            ReadObserver observer,
            SplittableRandom random,
            int rate) {
        this.space = space;
        this.nodes = nodes;
        this.acknowledged = acknowledged;
        this.observer = observer;
        this.horizon = horizon;
        this.random = random;
        intervalNanos = 1_000_000_000L / rate;
        clock = Thread.ofPlatform().name("reads").daemon().start(this::run);
    }

    private void run() {
        long next = System.nanoTime();
        while (!over) {
            ReadKind kind = ReadKind.pick(random);
            if (open.tryAcquire()) {
                ReadClient client = client();
                threads.execute(() -> {
                    try {
                        client.ask(kind);
                    } finally {
                        idle.push(client);
                        open.release();
                    }
                });
            } else {
                availability.failed("not sent: too many are open");
            }
            next += intervalNanos;
            for (long left = next - System.nanoTime();
                    left > 0 && !over;
                    left = next - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
        }
    }

    private ReadClient client() {
        @Nullable ReadClient free = idle.poll();
        return free != null
                ? free
                : new ReadClient(
                        "reader-" + clients.incrementAndGet(),
                        space,
                        nodes,
                        acknowledged,
                        observer,
                        availability,
                        horizon,
                        random.split());
    }

    public Availability availability() {
        return availability;
    }

    /** Waits for the answers that are still to come, 30 s at most. */
    @Override
    public void close() throws InterruptedException {
        over = true;
        clock.join();
        threads.shutdown();
        if (!threads.awaitTermination(30, TimeUnit.SECONDS)) {
            threads.shutdownNow();
        }
    }
}
