package io.tidemark.serving.freshness;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.serving.read.PartitionSet;
import io.tidemark.serving.read.PartitionSetStatus;
import io.tidemark.serving.testing.LonePartition;
import io.tidemark.view.PartitionState;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Advances a partition between two steps of the tracker or of a waiter. The tracker looks for
 * replaced views once in an hour here, so a waiter that it misses is not woken in time.
 */
class WatermarkTrackerConcurrencyTest {
    private static final PartitionSet ALL = PartitionSet.one(0);
    private static final String TRACKER = "tidemark-watermarks";

    private final Partition partition = new Partition();
    private WatermarkTracker tracker = tracker(0);

    private WatermarkTracker tracker(int few) {
        return new WatermarkTracker(partition, Duration.ofHours(1), few);
    }

    @AfterEach
    void stop() {
        tracker.close();
    }

    /** Waits for revision 1. */
    private PartitionSetStatus await() throws InterruptedException {
        return tracker.await(ALL, 1, 1, System.nanoTime() + Duration.ofMinutes(10).toNanos());
    }

    private void startSubscribed() throws InterruptedException {
        tracker.start();
        assertThat(partition.subscribed.await(3, TimeUnit.MINUTES)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void findsAnAdvanceBeforeTheWaiterIsAdded(int few) throws Exception {
        tracker = tracker(few);
        startSubscribed();
        partition.afterRead(1, false, partition::advance);
        assertThat(await().watermark()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void findsAnAdvanceAfterTheWaiterHasChecked(int few) throws Exception {
        tracker = tracker(few);
        startSubscribed();
        partition.afterRead(2, false, partition::advance);
        assertThat(await().watermark()).isEqualTo(1);
    }

    @Test
    void findsAnAdvanceWhileTheTrackerChecksTheWaiters() throws Exception {
        startSubscribed();
        partition.afterRead(1, true, partition::advance);
        partition.afterRead(2, false, partition::announce);
        assertThat(await().watermark()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void findsAnAdvanceBeforeTheSubscription(int few) throws Exception {
        tracker = tracker(few);
        partition.beforeSubscription = partition::advance;
        FutureTask<PartitionSetStatus> waiter = new FutureTask<>(this::await);
        partition.afterRead(2, false, tracker::start);
        Thread.ofPlatform().daemon().start(waiter);
        assertThat(waiter.get(3, TimeUnit.MINUTES).watermark()).isEqualTo(1);
    }

    @Test
    void wakesOneOfFewWaitersOnTheThreadThatAdvances() throws Exception {
        tracker = tracker(1);
        startSubscribed();
        partition.afterRead(
                1,
                true,
                () -> {
                    throw new IllegalStateException("the tracker's thread has checked");
                });
        FutureTask<PartitionSetStatus> waiter = new FutureTask<>(this::await);
        Thread thread = Thread.ofPlatform().daemon().start(waiter);
        while (thread.getState() != Thread.State.TIMED_WAITING) {
            Thread.sleep(1);
        }
        partition.advance();
        assertThat(waiter.get(3, TimeUnit.MINUTES).watermark()).isEqualTo(1);
    }

    @Test
    void findsTheEndAfterTheWaiterHasChecked() throws Exception {
        startSubscribed();
        partition.afterRead(2, false, tracker::close);
        assertThat(await().watermark()).isZero();
    }

    @Test
    void closingWakesTheWaiter() throws Exception {
        startSubscribed();
        FutureTask<PartitionSetStatus> waiter = new FutureTask<>(this::await);
        Thread thread = Thread.ofPlatform().daemon().start(waiter);
        while (thread.getState() != Thread.State.TIMED_WAITING) {
            Thread.sleep(1);
        }
        tracker.close();
        assertThat(waiter.get(3, TimeUnit.MINUTES).watermark()).isZero();
    }

    /** Runs code of the test after some reads of its state, which have got the state before. */
    private static final class Partition extends LonePartition {
        private record Step(int read, boolean byTracker, Runnable run) {}

        private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
        private final List<Step> steps = new CopyOnWriteArrayList<>();
        private final CountDownLatch subscribed = new CountDownLatch(1);
        private volatile long watermark;
        private volatile Runnable beforeSubscription = () -> {};
        private final AtomicInteger readsByTracker = new AtomicInteger();
        private final AtomicInteger readsByWaiter = new AtomicInteger();

        /**
         * @param read the number of the read, from 1
         * @param byTracker whether of the tracker's thread or of the waiter
         */
        void afterRead(int read, boolean byTracker, Runnable run) {
            steps.add(new Step(read, byTracker, run));
        }

        void advance() {
            watermark = 1;
            announce();
        }

        void announce() {
            listeners.forEach(Runnable::run);
        }

        @Override
        public PartitionState state() {
            PartitionState state = new PartitionState(true, 1, 1, 0, watermark, 0, 0, 0, 0, "");
            boolean byTracker = Thread.currentThread().getName().equals(TRACKER);
            int read = (byTracker ? readsByTracker : readsByWaiter).incrementAndGet();
            for (Step step : steps) {
                if (step.read() == read && step.byTracker() == byTracker) {
                    step.run().run();
                }
            }
            return state;
        }

        @Override
        public Subscription onChange(Runnable listener) {
            beforeSubscription.run();
            listeners.add(listener);
            subscribed.countDown();
            return () -> listeners.remove(listener);
        }
    }
}
