package io.tidemark.query.compress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PoolTest {
    private final AtomicInteger made = new AtomicInteger();
    private final List<Integer> freed = new ArrayList<>();
    private final Pool<Integer> pool = new Pool<>(made::incrementAndGet, freed::add);

    @Test
    void lendsTheSameOneAgain() {
        assertThat(pool.<Integer>use(one -> one).intValue()).isEqualTo(1);
        assertThat(pool.<Integer>use(one -> one).intValue()).isEqualTo(1);
        assertThat(freed).isEmpty();
    }

    @Test
    void makesAnotherWhileOneIsLent() {
        assertThat(pool.<Integer>use(_ -> pool.use(two -> two)).intValue()).isEqualTo(2);
    }

    @Test
    void keepsAsManyAsThereAreProcessors() {
        int most = Runtime.getRuntime().availableProcessors();
        nest(most + 3);
        assertThat(freed).hasSize(3);
    }

    private void nest(int depth) {
        if (depth > 0) {
            pool.use(one -> {
                nest(depth - 1);
                return one;
            });
        }
    }

    @Test
    void freesOneWhoseUseFailed() {
        assertThatThrownBy(() ->
                        pool.use(_ -> {
                            throw new IllegalStateException("broken");
                        }))
                .hasMessage("broken");
        assertThat(freed).containsExactly(1);
        assertThat(pool.<Integer>use(one -> one).intValue()).isEqualTo(2);
    }

    @Test
    void freesAllAfterItIsClosed() {
        pool.use(one -> one);
        pool.use(_ -> {
            pool.close();
            return 0;
        });
        assertThat(freed).containsExactly(1);
        pool.use(one -> one);
        pool.close();
        assertThat(freed).containsExactly(1, 2);
    }
}
