package io.tidemark.serving.freshness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.record.Bytes;
import io.tidemark.serving.read.KeyScope;
import io.tidemark.serving.read.PartitionSet;
import io.tidemark.serving.read.PartitionSetStatus;
import io.tidemark.serving.status.StatusException;
import io.tidemark.serving.testing.LonePartition;
import io.tidemark.serving.testing.MirroredCluster;
import io.tidemark.view.PartitionState;
import io.tidemark.view.PartitionView;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WatermarkTrackerTest {
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final PartitionSet ALL = new PartitionSet(0, 2);

    private final MirroredCluster cluster = new MirroredCluster(2, 100);
    private final WatermarkTracker watermarks = new WatermarkTracker(cluster);

    @AfterEach
    void stop() {
        watermarks.close();
    }

    @Test
    void returnsAtOnceWhatHasBeenReached() throws Exception {
        assertThat(watermarks.await(ALL, 1, 100, 0).watermark()).isEqualTo(100);
        assertThat(watermarks.partitions()).isEqualTo(2);
        assertThat(watermarks.allPartitions()).isEqualTo(ALL);
        KeyScope one = KeyScope.exact(Bytes.utf8("/registry/pods/a/x"));
        assertThat(watermarks.partitionsOf(one)).isEqualTo(PartitionSet.of(one, 2));
    }

    @Test
    void returnsTheStatusAtTheDeadline() throws Exception {
        assertThat(watermarks.await(ALL, 1, 101, System.nanoTime() + 1_000).watermark())
                .isEqualTo(100);
    }

    @Test
    void wakesAWaiterOnceEveryPartitionHasReachedTheRevision() throws Exception {
        watermarks.start();
        cluster.holdBack(1, true);
        CompletableFuture<PartitionSetStatus> reached = await(101);
        cluster.elsewhere(1);
        CompletableFuture<PartitionSetStatus> first =
                CompletableFuture.supplyAsync(
                        () -> waitFor(PartitionSet.one(0), 101), WatermarkTrackerTest::onThread);
        assertThat(first.get(3, TimeUnit.MINUTES).watermark()).isEqualTo(101);
        assertThat(reached).isNotDone();
        cluster.holdBack(1, false);
        assertThat(reached.get(3, TimeUnit.MINUTES).watermark()).isEqualTo(101);
    }

    @Test
    void wakesWaitersWhenItIsClosed() throws Exception {
        watermarks.start();
        CompletableFuture<PartitionSetStatus> waiting = await(999);
        assertThat(watermarks.closed()).isFalse();
        watermarks.close();
        assertThat(waiting.get(3, TimeUnit.MINUTES).watermark()).isEqualTo(100);
        assertThat(watermarks.closed()).isTrue();
    }

    @Test
    void anInterruptEndsAWait() throws Exception {
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        Thread waiting =
                Thread.ofVirtual()
                        .start(() -> {
                            try {
                                watermarks.await(ALL, 1, 999, in(LONG));
                            } catch (InterruptedException e) {
                                thrown.complete(e);
                            }
                        });
        waiting.interrupt();
        assertThat(thrown.get(3, TimeUnit.MINUTES)).isInstanceOf(InterruptedException.class);
    }

    @Test
    void followsTheViewThatReplacesAnother() {
        ReplacedView directory = new ReplacedView();
        try (WatermarkTracker tracker = new WatermarkTracker(directory)) {
            tracker.start();
            Awaitility.await().until(() -> directory.first.listeners == 1);
            directory.replaced = true;
            Awaitility.await().until(() -> directory.second.listeners == 1);
            Awaitility.await().until(() -> directory.first.listeners == 0);
        }
        Awaitility.await().until(() -> directory.second.listeners == 0);
    }

    @Test
    void refusesWhileTheNumberOfPartitionsIsUnknown() {
        WatermarkTracker unknown =
                new WatermarkTracker(
                        new CountingView() {
                            @Override
                            public int partitions() {
                                return 0;
                            }
                        });
        for (Runnable asked :
                new Runnable[] {
                    () -> unknown.allPartitions(),
                    () -> unknown.partitionsOf(KeyScope.prefix(Bytes.EMPTY))
                }) {
            assertThatThrownBy(asked::run)
                    .isInstanceOfSatisfying(
                            StatusException.class,
                            e -> assertThat(e.status().code()).isEqualTo(429));
        }
    }

    private CompletableFuture<PartitionSetStatus> await(long revision) {
        return CompletableFuture.supplyAsync(
                () -> waitFor(ALL, revision), WatermarkTrackerTest::onThread);
    }

    private PartitionSetStatus waitFor(PartitionSet partitions, long revision) {
        try {
            return watermarks.await(partitions, 1, revision, in(LONG));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void onThread(Runnable task) {
        Thread.ofVirtual().start(task);
    }

    private static long in(Duration duration) {
        return System.nanoTime() + duration.toNanos();
    }

    private static class CountingView extends LonePartition {
        volatile int listeners;

        @Override
        public PartitionState state() {
            return PartitionState.EMPTY;
        }

        @Override
        public synchronized Subscription onChange(Runnable listener) {
            listeners++;
            return this::unsubscribe;
        }

        private synchronized void unsubscribe() {
            listeners--;
        }
    }

    private static final class ReplacedView extends CountingView {
        final CountingView first = new CountingView();
        final CountingView second = new CountingView();
        volatile boolean replaced;

        @Override
        public PartitionView view(int number) {
            return replaced ? second : first;
        }
    }
}
