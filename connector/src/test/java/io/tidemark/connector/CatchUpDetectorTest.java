package io.tidemark.connector;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class CatchUpDetectorTest {
    private long now = 42;
    private final CatchUpDetector backlog = new CatchUpDetector(now);

    private void pass(long millis) {
        now += Duration.ofMillis(millis).toNanos();
    }

    private void read(long revision) {
        backlog.beforePoll(now);
        pass(10);
        backlog.afterPoll(now, revision);
    }

    private void ask(long newest) {
        assertThat(backlog.shouldProbe(now)).isTrue();
        backlog.answered(newest, now);
    }

    private void catchUp() {
        ask(1);
        read(1);
        assertThat(backlog.isBehind()).isFalse();
        assertThat(backlog.shouldProbe(now)).isFalse();
    }

    @Test
    void aWatchBeginsWithOne() {
        read(10);
        ask(30);
        read(29);
        assertThat(backlog.isBehind()).isTrue();
        assertThat(backlog.shouldProbe(now)).as("while it waits for what it was told").isFalse();
        read(30);
        assertThat(backlog.isBehind()).isFalse();
    }

    @Test
    void isNotBehindWhilePolledContinuously() {
        catchUp();
        for (int i = 0; i < 100; i++) {
            pass(900);
            read(2 + i);
            assertThat(backlog.isBehind()).isFalse();
        }
    }

    @Test
    void isBehindAfterAPauseUntilTheNewestRevisionIsRead() {
        catchUp();
        pass(9_000);
        backlog.beforePoll(now);
        assertThat(backlog.isBehind()).isTrue();
        backlog.afterPoll(now, 500);
        ask(2_000);
        read(1_999);
        assertThat(backlog.isBehind()).isTrue();
        read(2_000);
        assertThat(backlog.isBehind()).isFalse();
    }

    @Test
    void isBehindAfterAPauseWithinAPoll() {
        catchUp();
        backlog.beforePoll(now);
        pass(20_000);
        backlog.afterPoll(now, 10);
        assertThat(backlog.isBehind()).isTrue();
        ask(4_000);
        read(4_000);
        assertThat(backlog.isBehind()).isFalse();
    }

    @Test
    void whatTookLongIsAskedOnceMore() {
        ask(100);
        for (int i = 0; i < 3; i++) {
            pass(500);
            read(50);
        }
        read(100);
        assertThat(backlog.isBehind()).isTrue();
        ask(150);
        read(150);
        assertThat(backlog.isBehind()).isFalse();
    }

    @Test
    void anAnswerToAQuestionFromBeforeSaysNothing() {
        long asked = now;
        assertThat(backlog.shouldProbe(now)).isTrue();
        pass(2_000);
        backlog.beforePoll(now);
        backlog.answered(5, asked);
        backlog.afterPoll(now, 10);
        assertThat(backlog.isBehind()).isTrue();
        ask(20);
        read(20);
        assertThat(backlog.isBehind()).isFalse();
    }

    @Test
    void aQuestionInVainIsAskedAgainAfterAPause() {
        assertThat(backlog.shouldProbe(now)).isTrue();
        assertThat(backlog.shouldProbe(now)).as("while it is under way").isFalse();
        backlog.failed();
        assertThat(backlog.shouldProbe(now)).isFalse();
        pass(200);
        assertThat(backlog.shouldProbe(now)).isTrue();
    }
}
