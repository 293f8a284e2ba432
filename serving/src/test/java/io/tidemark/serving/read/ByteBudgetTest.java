package io.tidemark.serving.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tidemark.serving.read.ByteBudget.Share;
import io.tidemark.serving.status.StatusException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ByteBudgetTest {
    private final ByteBudget budget = new ByteBudget(800, 400);

    private static void refused(Share share, long bytes) {
        assertThatThrownBy(() -> share.take(bytes))
                .isInstanceOfSatisfying(
                        StatusException.class,
                        e -> {
                            assertThat(e.status().code()).isEqualTo(429);
                            assertThat(e.status().retryAfterSeconds()).isEqualTo(1);
                        });
    }

    @Test
    void reservesAnEighthForResponsesThatHaveBegun() {
        try (Share a = budget.share("a");
                Share b = budget.share("b");
                Share c = budget.share("c")) {
            a.take(350);
            b.take(350);
            refused(c, 1);
            assertThat(a.tryTake(50, true)).isTrue();
            assertThat(b.tryTake(51, true)).isFalse();
            assertThat(b.tryTake(50, true)).isTrue();
        }
        assertThat(budget.held()).isZero();
    }

    @Test
    void limitsOneClientToItsShare() {
        try (Share first = budget.share("a");
                Share second = budget.share("a");
                Share other = budget.share("b")) {
            first.take(200);
            second.take(150);
            refused(second, 1);
            other.take(300);
        }
        assertThat(budget.held()).isZero();
    }

    @Test
    void fitsASingleResponseOfAnySize() {
        try (Share alone = budget.share("a")) {
            alone.take(10_000);
            alone.take(10_000);
            refused(budget.share("b"), 1);
        }
        assertThat(budget.held()).isZero();
    }

    @Test
    void waitsForMemoryOnceAResponseHasBegun() throws Exception {
        Share held = budget.share("a");
        held.take(700);
        try (Share waiting = budget.share("b")) {
            CompletableFuture<Void> got =
                    CompletableFuture.runAsync(
                            () -> {
                                try {
                                    waiting.await(300, Duration.ofMinutes(1));
                                } catch (InterruptedException e) {
                                    throw new IllegalStateException(e);
                                }
                            },
                            task -> Thread.ofVirtual().start(task));
            assertThat(got.isDone()).isFalse();
            held.release(500);
            got.get(3, TimeUnit.MINUTES);
            assertThat(budget.held()).isEqualTo(500);
            assertThatThrownBy(() -> waiting.await(10_000, Duration.ZERO))
                    .isInstanceOf(StatusException.class);
        }
        held.close();
        assertThat(budget.held()).isZero();
    }

    @Test
    void booksNothingAfterClose() {
        Share share = budget.share("a");
        share.close();
        assertThat(share.tryTake(1, true)).isFalse();
        share.release(5);
        assertThat(budget.held()).isZero();
    }

    @Test
    void shrinksPagesAsMemoryFills() {
        ByteBudget large = new ByteBudget(64 << 20, 64 << 20);
        try (Share share = large.share("a")) {
            assertThat(share.page(512 << 10)).isEqualTo(512 << 10);
            share.take(60 << 20);
            assertThat(share.page(512 << 10)).isEqualTo(256 << 10);
            share.take(4 << 20);
            assertThat(share.page(512 << 10)).isEqualTo(16 << 10);
        }
    }

    @Test
    void shrinksPagesWithWhatTheClientHolds() {
        ByteBudget large = new ByteBudget(64 << 20, 32 << 20);
        try (Share first = large.share("a");
                Share second = large.share("a");
                Share other = large.share("b")) {
            first.take(24 << 20);
            assertThat(second.page(8 << 20)).isEqualTo(512 << 10);
            assertThat(other.page(8 << 20)).isEqualTo(2 << 20);
            other.take(24 << 20);
            assertThat(other.page(8 << 20)).isEqualTo(512 << 10);
            first.release(16 << 20);
            assertThat(second.page(8 << 20)).isEqualTo(3 << 19);
        }
    }

    @Test
    void aWaitEndsWhenItsResponseIsClosed() throws Exception {
        try (Share held = budget.share("a")) {
            held.take(700);
            Share waiting = budget.share("b");
            CompletableFuture<Throwable> end = new CompletableFuture<>();
            Thread thread =
                    Thread.ofVirtual()
                            .start(() -> {
                                try {
                                    waiting.await(300, Duration.ofMinutes(5));
                                    end.complete(new AssertionError("booked after close"));
                                } catch (StatusException | InterruptedException e) {
                                    end.complete(e);
                                }
                            });
            await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);
            waiting.close();
            assertThat(end.get(3, TimeUnit.MINUTES)).isInstanceOf(StatusException.class);
            assertThat(budget.held()).isEqualTo(700);
        }
    }

    @Test
    void memoryCountsForTheUserOnceItIsKnown() {
        ByteBudget budget = new ByteBudget(1000, 100);
        ByteBudget.Share mine = budget.share("address");
        mine.take(80);
        mine.chargeTo("ann");
        ByteBudget.Share other = budget.share("address");
        assertThat(other.tryTake(80, true)).isTrue();
        assertThat(budget.share("ann").tryTake(80, true)).isFalse();
        mine.close();
        assertThat(budget.share("ann").tryTake(80, true)).isTrue();
        assertThat(budget.held()).isEqualTo(160);
    }
}
