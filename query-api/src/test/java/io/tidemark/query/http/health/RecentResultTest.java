package io.tidemark.query.http.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.concurrent.Coalescer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RecentResultTest {
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
    private final AtomicInteger rounds = new AtomicInteger();

    private RecentResult<Integer> recent(Callable<Integer> round) {
        return new RecentResult<>(Duration.ofSeconds(1), nanos::get, round);
    }

    @Test
    void repeatsAResultForAWhile() throws Exception {
        RecentResult<Integer> recent = recent(rounds::incrementAndGet);

        assertThat(recent.call()).isEqualTo(1);
        nanos.addAndGet(Duration.ofSeconds(1).toNanos() - 1);
        assertThat(recent.call()).isEqualTo(1);
        nanos.incrementAndGet();
        assertThat(recent.call()).isEqualTo(2);
    }

    @Test
    void beginsTheTimeWhenTheOperationEnds() throws Exception {
        RecentResult<Integer> recent =
                recent(() -> {
                    nanos.addAndGet(Duration.ofSeconds(5).toNanos());
                    return rounds.incrementAndGet();
                });

        assertThat(recent.call()).isEqualTo(1);
        assertThat(recent.call()).isEqualTo(1);
    }

    @Test
    void isSharedByConcurrentCallers() throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch finish = new CountDownLatch(1);
        Coalescer<Integer> shared =
                new Coalescer<>(
                        "round",
                        recent(() -> {
                            running.countDown();
                            finish.await();
                            return rounds.incrementAndGet();
                        }));
        try (ExecutorService askers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Integer>> answers = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                answers.add(askers.submit(() -> shared.get(Duration.ofMinutes(1))));
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
    void keepsNoFailure() throws Exception {
        RecentResult<Integer> recent =
                recent(() -> {
                    if (rounds.incrementAndGet() == 1) {
                        throw new IOException("away");
                    }
                    return rounds.get();
                });

        assertThatThrownBy(recent::call).isInstanceOf(IOException.class);
        assertThat(recent.call()).isEqualTo(2);
    }
}
