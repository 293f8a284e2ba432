package io.tidemark.serving.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.serving.status.StatusException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Of 800 bytes, another response holds 500; the last 100 are for responses that have begun. */
class ReadAllowanceTest {
    private final ByteBudget budget = new ByteBudget(800, 800);
    private final AtomicBoolean begun = new AtomicBoolean();
    private final AtomicBoolean disconnected = new AtomicBoolean();
    private final ReadAllowance allowance =
            ReadAllowance.of(
                    budget.share("me"), begun::get, this::requireClient, Duration.ofNanos(50));

    private void requireClient() {
        if (disconnected.get()) {
            throw new ClientDisconnectedException("gone");
        }
    }

    @BeforeEach
    void anotherResponse() {
        budget.share("other").take(500);
    }

    @Test
    void stopsWhenTheClientHasDisconnected() {
        allowance.check();
        disconnected.set(true);
        assertThatThrownBy(allowance::check).isInstanceOf(ClientDisconnectedException.class);
    }

    @Test
    void stopsWhenItHasReadForTooLong() {
        allowance.spent(20);
        allowance.spent(30);
        allowance.check();
        allowance.spent(1);
        assertThatThrownBy(allowance::check)
                .isInstanceOfSatisfying(
                        StatusException.class, e -> assertThat(e.status().code()).isEqualTo(504));
    }

    @Test
    void usesReservedMemoryOnlyOnceItHasBegun() throws Exception {
        assertThat(allowance.reserve(100)).isEqualTo(100);
        assertThat(budget.held()).isEqualTo(600);
        assertThatThrownBy(() -> allowance.reserve(101)).isInstanceOf(StatusException.class);
        begun.set(true);
        assertThat(allowance.reserve(200)).isEqualTo(200);
        assertThat(budget.held()).isEqualTo(800);
    }

    @Test
    void booksTheActualSizeOfAPage() throws Exception {
        assertThat(allowance.reserve(100)).isEqualTo(100);
        assertThat(allowance.adjust(100, 60)).isTrue();
        assertThat(budget.held()).isEqualTo(560);
        assertThat(allowance.adjust(60, 60)).isTrue();
        assertThat(budget.held()).isEqualTo(560);
        assertThat(allowance.adjust(60, 200)).isTrue();
        assertThat(budget.held()).isEqualTo(700);
        assertThatThrownBy(() -> allowance.adjust(200, 201)).isInstanceOf(StatusException.class);
        allowance.release(200);
        assertThat(budget.held()).isEqualTo(500);
    }

    @Test
    void dropsAPageThatDoesNotFitAndBooksItAgainLater() throws Exception {
        begun.set(true);
        assertThat(allowance.reserve(100)).isEqualTo(100);
        assertThat(allowance.adjust(100, 300)).as("all that is free").isTrue();
        assertThat(allowance.adjust(300, 301)).isFalse();
        assertThat(budget.held()).isEqualTo(500);
        allowance.reserveAll(300);
        assertThat(budget.held()).isEqualTo(800);
    }

    @Test
    void anUnlimitedOneBooksNothing() throws Exception {
        ReadAllowance unlimited = ReadAllowance.UNLIMITED;
        unlimited.spent(1_000_000_000_000L);
        unlimited.check();
        assertThat(unlimited.reserve(7_000)).isEqualTo(7_000);
        assertThat(unlimited.adjust(7_000, 9_000)).isTrue();
        unlimited.reserveAll(9_000);
        unlimited.release(9_000);
        assertThat(budget.held()).isEqualTo(500);
    }
}
