package io.tidemark.serving.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class BarriersTest {
    private static final Duration SOON = Duration.ofSeconds(10);

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
        assertThatThrownBy(() -> barriers.take(SOON)).hasRootCauseMessage("etcd is away");
        assertThat(barriers.take(SOON)).isEqualTo(new Barrier(1, 9));
    }

    @Test
    void failsWithoutAConnector() {
        Barriers barriers = new Barriers(_ -> new Barrier(1, 1), () -> "");
        assertThatThrownBy(() -> barriers.take(SOON))
                .hasRootCauseMessage("no connector is known yet");
    }
}
