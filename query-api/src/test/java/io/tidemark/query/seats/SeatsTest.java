package io.tidemark.query.seats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.query.seats.Seats.Seat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SeatsTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    private static Seats seats(int all, int perUser, Duration longestWait) {
        return new Seats(new SeatLimits(all, perUser, 1000, 1000, longestWait));
    }

    @Test
    void aRequestWaitsForASeatThatIsFreed() throws Exception {
        Seats seats = seats(1, 1, LONG);
        Seat first = seats.take("a", 1).orElseThrow();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Optional<Seat>> second = threads.submit(() -> seats.take("b", 1));
            Awaitility.await().until(() -> seats.waiting() == 1);
            assertThat(second).isNotDone();
            first.close();
            first.close();
            second.get(LONG.toSeconds(), TimeUnit.SECONDS).orElseThrow().close();
        }
        assertThat(seats.taken()).isZero();
        assertThat(seats.refused()).isZero();
    }

    @Test
    void aRequestGivesUpAndFreesItsPlace() throws Exception {
        Seats seats = seats(4, 1, Duration.ofMillis(20));
        Seat first = seats.take("a", 1).orElseThrow();
        assertThat(seats.take("a", 1)).isEmpty();
        assertThat(seats.refused()).isEqualTo(1);
        assertThat(seats.waiting()).isZero();
        first.close();
        seats.take("a", 1).orElseThrow().close();
    }

    @Test
    void anInterruptedRequestLeavesTheQueue() throws Exception {
        Seats seats = seats(1, 1, LONG);
        Seat first = seats.take("a", 1).orElseThrow();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Optional<Seat>> second = threads.submit(() -> seats.take("b", 1));
            Awaitility.await().until(() -> seats.waiting() == 1);
            threads.shutdownNow();
            assertThatThrownBy(() -> second.get(LONG.toSeconds(), TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(InterruptedException.class);
        }
        assertThat(seats.waiting()).isZero();
        first.close();
        assertThat(seats.taken()).isZero();
    }

    @Test
    void aFullQueueRefusesAtOnce() throws Exception {
        Seats seats = new Seats(new SeatLimits(1, 1, 0, 0, LONG));
        assertThat(seats.take("a", 1)).isPresent();
        assertThat(seats.take("b", 1)).isEmpty();
    }

    @Test
    void manyThreadsNeverHaveMoreThanTheirShare() throws Exception {
        Seats seats = seats(8, 2, LONG);
        AtomicInteger running = new AtomicInteger();
        List<Future<?>> all = new ArrayList<>();
        AtomicInteger most = new AtomicInteger();
        AtomicInteger mostOfUser = new AtomicInteger();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int user = 0; user < 6; user++) {
                AtomicInteger mine = new AtomicInteger();
                String name = "u" + user;
                for (int i = 0; i < 150; i++) {
                    all.add(
                            threads.submit(() -> {
                                try (Seat _ = seats.take(name, 1).orElseThrow()) {
                                    most.accumulateAndGet(running.incrementAndGet(), Math::max);
                                    mostOfUser.accumulateAndGet(mine.incrementAndGet(), Math::max);
                                    Thread.yield();
                                    mine.decrementAndGet();
                                    running.decrementAndGet();
                                }
                                return null;
                            }));
                }
            }
            for (Future<?> each : all) {
                each.get(LONG.toSeconds(), TimeUnit.SECONDS);
            }
        }
        assertThat(most.get()).isBetween(1, 8);
        assertThat(mostOfUser.get()).isBetween(1, 2);
        assertThat(seats.taken() + seats.waiting()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "0, 1",
        "1, 1",
        "100000, 1",
        "100001, 2",
        "450000, 5",
        "1000000, 10",
        "1000001, 10",
        "9000000000, 10"
    })
    void aSeatIsWorth100Kilobytes(long bytes, int expected) {
        SeatCosts costs = new SeatCosts();
        assertThat(costs.of(7)).isEqualTo(1);
        costs.learn(7, bytes);
        assertThat(costs.of(7)).isEqualTo(expected);
        costs.learn(7, 0);
        assertThat(costs.of(7)).isEqualTo(1);
    }
}
