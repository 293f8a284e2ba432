package io.tidemark.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class CompactionLagTest {
    @Test
    void toleratesClockSkewOfAMinuteOrATenthOfTheLag() {
        assertThat(CompactionLag.marginMillis(Duration.ofHours(6))).isEqualTo(60_000);
        assertThat(CompactionLag.marginMillis(Duration.ofMinutes(10))).isEqualTo(60_000);
        assertThat(CompactionLag.marginMillis(Duration.ofSeconds(8))).isEqualTo(800);
        assertThat(CompactionLag.marginMillis(Duration.ZERO)).isZero();
    }

    @Test
    void trustsTheLagMinusTheMargin() {
        assertThat(CompactionLag.trustedMillis(Duration.ofHours(1))).isEqualTo(59 * 60_000);
        assertThat(CompactionLag.trustedMillis(Duration.ofSeconds(8))).isEqualTo(7_200);
    }
}
