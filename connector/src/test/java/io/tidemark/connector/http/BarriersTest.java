package io.tidemark.connector.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tidemark.connector.feed.ResumePoint;
import io.tidemark.connector.http.Barriers.Barrier;
import io.tidemark.connector.http.Barriers.BarrierException;
import io.tidemark.connector.source.EtcdSource;
import io.tidemark.connector.source.EtcdView;
import io.tidemark.etcd.EtcdWatch;
import io.tidemark.etcd.RangePage;
import io.tidemark.etcd.connection.EtcdException;
import io.tidemark.record.Bytes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BarriersTest {
    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    private final SlowEtcd etcd = new SlowEtcd();
    private final RecordingFeed feed = new RecordingFeed();
    private final Barriers barriers = new Barriers(etcd, feed, Duration.ofMinutes(1));

    @AfterEach
    void endReads() {
        executor.shutdownNow();
    }

    @Test
    void answersTheRevisionAndRequestsItsMark() throws Exception {
        etcd.allowed.release();
        assertThat(barriers.await()).isEqualTo(new Barrier(4, 100));
        assertThat(feed.awaited).hasValue(100);
    }

    @Test
    void answersWithoutBlockingTheCaller() throws Exception {
        CompletableFuture<Barrier> answer = barriers.begin();
        etcd.reading.await();
        assertThat(answer).isNotDone();
        etcd.allowed.release();
        assertThat(answer.get()).isEqualTo(new Barrier(4, 100));
        assertThat(feed.awaited).hasValue(100);
    }

    @Test
    void failsWithTheSameReasonWithoutBlocking() {
        assertThat(new Barriers(etcd, feed).begin())
                .failsWithin(Duration.ofMinutes(3))
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(BarrierException.class)
                .withMessage("etcd did not answer within 2900 ms");
    }

    @Test
    void callersDuringAReadShareTheNextRead() throws Exception {
        Future<Barrier> first = executor.submit(barriers::await);
        etcd.reading.await();
        List<FutureTask<Barrier>> later = new ArrayList<>();
        List<Thread> callers = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            later.add(new FutureTask<>(barriers::await));
            callers.add(Thread.ofVirtual().start(later.getLast()));
        }
        await().until(() -> callers.stream().allMatch(BarriersTest::isWaiting));
        etcd.revision.set(200);
        etcd.allowed.release(2);
        assertThat(first.get().revision()).isGreaterThanOrEqualTo(100);
        for (Future<Barrier> each : later) {
            assertThat(each.get()).isEqualTo(new Barrier(4, 200));
        }
        assertThat(etcd.reads).hasValue(2);
    }

    private static boolean isWaiting(Thread caller) {
        return caller.getState() == Thread.State.TIMED_WAITING;
    }

    @Test
    void failsWithinThreeSecondsWhenEtcdDoesNotAnswer() {
        assertThatThrownBy(new Barriers(etcd, feed)::await)
                .isInstanceOf(BarrierException.class)
                .hasMessageContaining("did not answer");
    }

    @Test
    void readsAgainAfterAFailedRead() throws Exception {
        etcd.allowed.release(2);
        etcd.failure = new EtcdException(EtcdException.Kind.UNAVAILABLE, "down", null);
        assertThatThrownBy(barriers::await).hasMessageContaining("down");
        etcd.failure = null;
        assertThat(barriers.await().revision()).isEqualTo(100);
    }

    @Test
    void neverAnswersThisEpochForAnotherHistory() {
        etcd.allowed.release(2);
        etcd.revision.set(5);
        assertThatThrownBy(barriers::await).hasMessageContaining("revision 5");
        assertThat(feed.suspicions).hasValue(1);
        etcd.revision.set(500);
        etcd.cluster = 77;
        assertThatThrownBy(barriers::await).hasMessageContaining("cluster 4d");
        assertThat(feed.suspicions).hasValue(2);
    }

    @Test
    void failsWithoutAHistory() {
        feed.history = null;
        assertThatThrownBy(barriers::await).hasMessageContaining("does not follow etcd yet");
    }

    private static final class RecordingFeed implements Barriers.Feed {
        private volatile ResumePoint.@Nullable At history = new ResumePoint.At(4, 90, 9);
        private final AtomicLong awaited = new AtomicLong();
        private final AtomicInteger suspicions = new AtomicInteger();

        @Override
        public ResumePoint.@Nullable At history() {
            return history;
        }

        @Override
        public void await(long revision) {
            awaited.set(revision);
        }

        @Override
        public void requestEtcdCheck(String why) {
            suspicions.incrementAndGet();
        }
    }

    /** Blocks each read until a permit is released. */
    private static final class SlowEtcd implements EtcdSource {
        private final Semaphore allowed = new Semaphore(0);
        private final CountDownLatch reading = new CountDownLatch(1);
        private final AtomicLong revision = new AtomicLong(100);
        private final AtomicInteger reads = new AtomicInteger();
        private volatile long cluster = 9;
        private volatile @Nullable EtcdException failure;

        @Override
        public Newest newest() {
            reading.countDown();
            try {
                allowed.acquire();
            } catch (InterruptedException e) {
                throw new EtcdException(EtcdException.Kind.OTHER, "interrupted", e);
            }
            reads.incrementAndGet();
            EtcdException failed = failure;
            if (failed != null) {
                throw failed;
            }
            return new Newest(cluster, revision.get());
        }

        @Override
        public EtcdView view() {
            throw new IllegalStateException("not used by barriers");
        }

        @Override
        public long oldestRevision() {
            throw new IllegalStateException("not used by barriers");
        }

        @Override
        public RangePage list(Bytes fromKeyInclusive, long atRevision, int limit) {
            throw new IllegalStateException("not used by barriers");
        }

        @Override
        public EtcdWatch watch(long revision) {
            throw new IllegalStateException("not used by barriers");
        }

        @Override
        public void close() {}
    }
}
