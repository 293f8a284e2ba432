package io.tidemark.query.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RequestCoalescerTest {
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
    private final AtomicInteger rounds = new AtomicInteger();

    private RequestCoalescer<Integer> shared(RequestCoalescer.Round<Integer> round) {
        return new RequestCoalescer<>(Duration.ofSeconds(1), nanos::get, round);
    }

    @Test
    void sharesARoundWithinThePause() throws Exception {
        RequestCoalescer<Integer> shared = shared(rounds::incrementAndGet);

        assertThat(shared.get()).isEqualTo(1);
        nanos.addAndGet(Duration.ofSeconds(1).toNanos() - 1);
        assertThat(shared.get()).isEqualTo(1);
        nanos.incrementAndGet();
        assertThat(shared.get()).isEqualTo(2);
    }

    @Test
    void beginsThePauseWhenARoundEnds() throws Exception {
        RequestCoalescer<Integer> shared =
                shared(() -> {
                    nanos.addAndGet(Duration.ofSeconds(5).toNanos());
                    return rounds.incrementAndGet();
                });

        assertThat(shared.get()).isEqualTo(1);
        assertThat(shared.get()).isEqualTo(1);
    }

    @Test
    void sharesARoundInProgress() throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch finish = new CountDownLatch(1);
        RequestCoalescer<Integer> shared =
                shared(() -> {
                    running.countDown();
                    finish.await();
                    return rounds.incrementAndGet();
                });
        try (ExecutorService askers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Integer>> answers = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                answers.add(askers.submit(shared::get));
            }
            running.await();
            finish.countDown();
            for (Future<Integer> answer : answers) {
                assertThat(answer.get()).isEqualTo(1);
            }
        }
        assertThat(rounds).hasValue(1);
    }

    @Test
    void retriesAfterAFailure() throws Exception {
        RequestCoalescer<Integer> shared =
                shared(() -> {
                    if (rounds.incrementAndGet() == 1) {
                        throw new InterruptedException("stopping");
                    }
                    return rounds.get();
                });

        assertThatThrownBy(shared::get).isInstanceOf(InterruptedException.class);
        assertThat(shared.get()).isEqualTo(2);
    }
}
