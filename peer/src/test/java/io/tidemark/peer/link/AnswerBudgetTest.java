package io.tidemark.peer.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.peer.link.AnswerBudget.Booking;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class AnswerBudgetTest {
    private final AnswerBudget budget = new AnswerBudget(100);

    @Test
    void refusesAnAnswerThatDoesNotFit() throws Exception {
        try (Booking first = budget.booking();
                Booking second = budget.booking()) {
            assertThat(first.take(60, Duration.ZERO)).isTrue();
            assertThat(second.take(41, Duration.ZERO)).isFalse();
            assertThat(second.take(40, Duration.ZERO)).isTrue();
        }
        assertThat(budget.held()).isZero();
    }

    @Test
    void admitsASingleAnswerOfAnySize() throws Exception {
        try (Booking alone = budget.booking()) {
            assertThat(alone.take(1_000, Duration.ZERO)).isTrue();
            assertThat(alone.take(1_000, Duration.ZERO)).isTrue();
        }
        assertThat(budget.held()).isZero();
    }

    @Test
    void waitsForReleasedMemory() throws Exception {
        Booking held = budget.booking();
        assertThat(held.take(100, Duration.ZERO)).isTrue();
        try (Booking waiting = budget.booking()) {
            FutureTask<Boolean> got =
                    new FutureTask<>(() -> waiting.take(100, Duration.ofMinutes(1)));
            Thread.ofVirtual().start(got);
            held.close();
            assertThat(got.get(3, TimeUnit.MINUTES)).isTrue();
        }
        assertThat(budget.held()).isZero();
    }
}
