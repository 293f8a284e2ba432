package io.tidemark.streams;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class StreamThreadBackoffTest {
    @Test
    void replacesFailingThreadsMoreAndMoreSlowly() {
        StreamThreadBackoff failures = new StreamThreadBackoff();
        assertThat(failures.next(0)).isEqualTo(Duration.ofSeconds(1));
        assertThat(failures.next(1)).isEqualTo(Duration.ofSeconds(2));
        assertThat(failures.next(2)).isEqualTo(Duration.ofSeconds(4));
        assertThat(failures.next(3)).isEqualTo(Duration.ofSeconds(8));
        assertThat(failures.next(4)).isEqualTo(Duration.ofSeconds(8));
        assertThat(failures.consecutive()).isEqualTo(5);
        assertThat(failures.next(Duration.ofMinutes(2).toNanos())).isEqualTo(Duration.ofSeconds(1));
    }
}
