package io.tidemark.serving.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class BarriersTest {
    @Test
    void sharesTheNextBarrierBetweenRequestsDuringOne() throws Exception {
        Semaphore go = new Semaphore(0);
        CountDownLatch asked = new CountDownLatch(1);
        AtomicLong revisions = new AtomicLong();
        Barriers barriers =
                new Barriers(
                        _ -> {
                            asked.countDown();
                            go.acquire();
                            return new Barrier(1, revisions.incrementAndGet());
                        },
                        () -> "http://connector");
        CompletableFuture<Barrier> first = barriers.take();
        asked.await();
        CompletableFuture<Barrier> second = barriers.take();
        CompletableFuture<Barrier> third = barriers.take();
        assertThat(second).isNotSameAs(first).isSameAs(third);
        go.release(2);
        assertThat(first.get().revision()).isEqualTo(1);
        assertThat(second.get().revision()).isEqualTo(2);
        assertThat(third.get().revision()).isEqualTo(2);
        go.release();
        assertThat(barriers.take().get().revision()).isEqualTo(3);
    }

    @Test
    void reportsAFailureAndTakesTheNext() {
        AtomicLong calls = new AtomicLong();
        Barriers barriers =
                new Barriers(
                        _ -> {
                            if (calls.incrementAndGet() == 1) {
                                throw new IOException("etcd is away");
                            }
                            return new Barrier(1, 9);
                        },
                        () -> "http://connector");
        assertThatThrownBy(() -> barriers.take().get()).hasRootCauseMessage("etcd is away");
        assertThat(barriers.take().join().revision()).isEqualTo(9);
    }

    @Test
    void failsWithoutAConnector() {
        Barriers barriers = new Barriers(_ -> new Barrier(1, 1), () -> "");
        assertThatThrownBy(() -> barriers.take().get())
                .hasRootCauseMessage("no connector is known yet");
    }
}
