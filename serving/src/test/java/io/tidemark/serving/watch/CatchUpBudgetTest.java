package io.tidemark.serving.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.serving.read.PageLimits;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CatchUpBudgetTest {
    private static final long TOTAL = 32 << 20;
    private static final int PARTITIONS = 8;
    private final CatchUpBudget pages = new CatchUpBudget(TOTAL, new PageLimits(512, 1 << 20));

    @Test
    void boundsTheTotalButAlwaysGrantsAMinimum() {
        List<Long> held = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            held.add((long) pages.reserve(0, PARTITIONS).bytes() * PARTITIONS);
            assertThat(held.getLast()).isPositive();
        }
        assertThat(pages.held())
                .isEqualTo(held.stream().mapToLong(each -> each).sum())
                .isLessThan(TOTAL + 1000 * PARTITIONS * 2048L);
        assertThat(held.getLast()).isEqualTo(PARTITIONS * 2048L);
        held.forEach(pages::release);
        assertThat(pages.held()).isZero();
        assertThat(pages.reserve(0, 1).bytes()).isEqualTo(1 << 20);
    }

    @Test
    void releasesThePreviousReservation() {
        long held = 0;
        for (int i = 0; i < 100; i++) {
            held = (long) pages.reserve(held, 2).bytes() * 2;
        }
        assertThat(pages.held()).isEqualTo(held);
    }
}
