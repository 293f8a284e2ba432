package io.tidemark.connector;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class CatchUpDetectorTest {
    private long now = 42;
    private final CatchUpDetector detector = new CatchUpDetector(now);

    private void pass(long millis) {
        now += Duration.ofMillis(millis).toNanos();
    }

    private void read(long revision) {
        detector.beforePoll(now);
        pass(10);
        detector.afterPoll(now, revision);
    }

    private void ask(long newest) {
        assertThat(detector.shouldProbe(now)).isTrue();
        detector.answered(newest, now);
    }

    private void catchUp() {
        ask(1);
        read(1);
        assertThat(detector.isBehind()).isFalse();
        assertThat(detector.shouldProbe(now)).isFalse();
    }

    @Test
    void aNewWatchIsBehindUntilItReachesTheNewestRevision() {
        read(10);
        ask(30);
        read(29);
        assertThat(detector.isBehind()).isTrue();
        assertThat(detector.shouldProbe(now)).as("until the answered revision is read").isFalse();
        read(30);
        assertThat(detector.isBehind()).isFalse();
    }

    @Test
    void isNotBehindWhilePolledContinuously() {
        catchUp();
        for (int i = 0; i < 100; i++) {
            pass(900);
            read(2 + i);
            assertThat(detector.isBehind()).isFalse();
        }
    }

    @Test
    void isBehindAfterAPauseUntilTheNewestRevisionIsRead() {
        catchUp();
        pass(9_000);
        detector.beforePoll(now);
        assertThat(detector.isBehind()).isTrue();
        detector.afterPoll(now, 500);
        ask(2_000);
        read(1_999);
        assertThat(detector.isBehind()).isTrue();
        read(2_000);
        assertThat(detector.isBehind()).isFalse();
    }

    @Test
    void isBehindAfterAPauseWithinAPoll() {
        catchUp();
        detector.beforePoll(now);
        pass(20_000);
        detector.afterPoll(now, 10);
        assertThat(detector.isBehind()).isTrue();
        ask(4_000);
        read(4_000);
        assertThat(detector.isBehind()).isFalse();
    }

    @Test
    void probesAgainAfterALongCatchUp() {
        ask(100);
        for (int i = 0; i < 3; i++) {
            pass(500);
            read(50);
        }
        read(100);
        assertThat(detector.isBehind()).isTrue();
        ask(150);
        read(150);
        assertThat(detector.isBehind()).isFalse();
    }

    @Test
    void ignoresAnswersToProbesFromBeforeThePause() {
        long asked = now;
        assertThat(detector.shouldProbe(now)).isTrue();
        pass(2_000);
        detector.beforePoll(now);
        detector.answered(5, asked);
        detector.afterPoll(now, 10);
        assertThat(detector.isBehind()).isTrue();
        ask(20);
        read(20);
        assertThat(detector.isBehind()).isFalse();
    }

    @Test
    void retriesAFailedProbeAfterAPause() {
        assertThat(detector.shouldProbe(now)).isTrue();
        assertThat(detector.shouldProbe(now)).as("while a probe is in flight").isFalse();
        detector.failed();
        assertThat(detector.shouldProbe(now)).isFalse();
        pass(200);
        assertThat(detector.shouldProbe(now)).isTrue();
    }
}
