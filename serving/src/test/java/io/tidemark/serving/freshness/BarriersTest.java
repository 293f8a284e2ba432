package io.tidemark.serving.freshness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class BarriersTest {
    @Test
    void reportsAFailureAndTakesTheNext() throws Exception {
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
        assertThatThrownBy(() -> barriers.take().get(3, TimeUnit.MINUTES))
                .hasRootCauseMessage("etcd is away");
        assertThat(barriers.take().get(3, TimeUnit.MINUTES)).isEqualTo(new Barrier(1, 9));
    }

    @Test
    void failsWithoutAConnector() {
        Barriers barriers = new Barriers(_ -> new Barrier(1, 1), () -> "");
        assertThatThrownBy(() -> barriers.take().get(3, TimeUnit.MINUTES))
                .hasRootCauseMessage("no connector is known yet");
    }
}
