package io.tidemark.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class CoalescerTest {
    private static final Duration SOON = Duration.ofSeconds(30);

    /** Permits for calls of {@link #numbered}. */
    private final Semaphore allowed = new Semaphore(0);

    private final CountDownLatch begun = new CountDownLatch(1);
    private final AtomicInteger calls = new AtomicInteger();
    private final Coalescer<Integer> numbered =
            new Coalescer<>(
                    "numbered",
                    () -> {
                        int number = calls.incrementAndGet();
                        begun.countDown();
                        allowed.acquire();
                        return number;
                    });

    /** Each of many callers reads a clock first; a call that begins advances it and returns it. */
    @Test
    void neverAnswersWithACallThatBeganBeforeTheRequest() throws Exception {
        AtomicLong clock = new AtomicLong();
        AtomicInteger inside = new AtomicInteger();
        Coalescer<Long> coalescer =
                new Coalescer<>(
                        "clock",
                        () -> {
                            assertThat(inside.incrementAndGet()).isEqualTo(1);
                            long began = clock.incrementAndGet();
                            if (began % 3 == 0) {
                                Thread.sleep(Duration.ofNanos(began % 7 * 50_000));
                            }
                            inside.decrementAndGet();
                            if (began % 5 == 0) {
                                throw new FailedAt(began);
                            }
                            return began;
                        });
        List<FutureTask<Integer>> callers = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            callers.add(new FutureTask<>(() -> failuresOf(coalescer, clock, 500)));
            Thread.ofVirtual().start(callers.getLast());
        }
        int failures = 0;
        for (FutureTask<Integer> caller : callers) {
            failures += caller.get();
        }
        assertThat(failures).isPositive();
        assertThat(clock.get()).isLessThan(64 * 500);
    }

    private static int failuresOf(Coalescer<Long> coalescer, AtomicLong clock, int requests)
            throws Exception {
        int failures = 0;
        for (int i = 0; i < requests; i++) {
            long asked = clock.get();
            long began;
            try {
                began = coalescer.get(SOON);
            } catch (ExecutionException e) {
                assertThat(e).hasCauseInstanceOf(FailedAt.class);
                began = ((FailedAt) e.getCause()).began;
                failures++;
            }
            assertThat(began).isGreaterThan(asked);
            if (ThreadLocalRandom.current().nextInt(4) == 0) {
                Thread.yield();
            }
        }
        return failures;
    }

    private static final class FailedAt extends Exception {
        private static final long serialVersionUID = 1L;

        private final long began;

        FailedAt(long began) {
            this.began = began;
        }
    }

    @Test
    void callersDuringACallShareTheNextOne() throws Exception {
        FutureTask<Integer> first = request(SOON);
        begun.await();
        List<FutureTask<Integer>> later = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            later.add(request(SOON));
        }
        allowed.release(2);
        assertThat(first.get()).isEqualTo(1);
        for (FutureTask<Integer> each : later) {
            assertThat(each.get()).isEqualTo(2);
        }
        allowed.release();
        assertThat(numbered.get(SOON)).isEqualTo(3);
    }

    /** Starts a caller, and returns when it waits. */
    private FutureTask<Integer> request(Duration within) throws InterruptedException {
        FutureTask<Integer> request = new FutureTask<>(() -> numbered.get(within));
        Thread caller = Thread.ofVirtual().start(request);
        while (caller.getState() != Thread.State.TIMED_WAITING) {
            Thread.sleep(1);
        }
        return request;
    }

    @Test
    void callersThatGiveUpDisturbNoOthers() throws Exception {
        FutureTask<Integer> first = request(SOON);
        begun.await();
        FutureTask<Integer> interrupted = request(SOON);
        FutureTask<Integer> patient = request(SOON);
        assertThatThrownBy(() -> numbered.get(Duration.ofMillis(1)))
                .isInstanceOf(TimeoutException.class);
        assertThatThrownBy(() -> numbered.get(Duration.ZERO)).isInstanceOf(TimeoutException.class);
        interrupted.cancel(true);
        allowed.release(2);
        assertThat(first.get()).isEqualTo(1);
        assertThat(patient.get()).isEqualTo(2);
        assertThat(calls).hasValue(2);
    }

    @Test
    void reportsAnyFailureAndCallsAgain() throws Exception {
        for (Throwable failure :
                List.of(
                        new IOException("away"),
                        new IllegalStateException("bug"),
                        new InterruptedException("stopping"),
                        new StackOverflowError("too deep"))) {
            AtomicInteger attempts = new AtomicInteger();
            Coalescer<Integer> coalescer =
                    new Coalescer<>("failing", () -> failOnce(attempts, failure));
            assertThatThrownBy(() -> coalescer.get(SOON))
                    .isInstanceOf(ExecutionException.class)
                    .cause()
                    .isSameAs(failure);
            assertThat(coalescer.get(SOON)).isEqualTo(2);
        }
    }

    private static int failOnce(AtomicInteger attempts, Throwable failure) throws Exception {
        int attempt = attempts.incrementAndGet();
        if (attempt > 1) {
            return attempt;
        }
        if (failure instanceof Error error) {
            throw error;
        }
        throw (Exception) failure;
    }
}
