package io.tidemark.connector;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class BacklogTest {
    private long now = 42;
    private final Backlog backlog = new Backlog(now);

    private void pass(long millis) {
        now += Duration.ofMillis(millis).toNanos();
    }

    private void read(long revision) {
        backlog.reads(now);
        pass(10);
        backlog.hasRead(now, revision);
    }

    private void ask(long newest) {
        assertThat(backlog.asks(now)).isTrue();
        backlog.answered(newest, now);
    }

    private void catchUp() {
        ask(1);
        read(1);
        assertThat(backlog.isThere()).isFalse();
        assertThat(backlog.asks(now)).isFalse();
    }

    @Test
    void aWatchBeginsWithOne() {
        read(10);
        ask(30);
        read(29);
        assertThat(backlog.isThere()).isTrue();
        assertThat(backlog.asks(now)).as("while it waits for what it was told").isFalse();
        read(30);
        assertThat(backlog.isThere()).isFalse();
    }

    @Test
    void whoeverReadsAllTheTimeGetsNone() {
        catchUp();
        for (int i = 0; i < 100; i++) {
            pass(900);
            read(2 + i);
            assertThat(backlog.isThere()).isFalse();
        }
    }

    @Test
    void whoeverWasKeptFromReadingHasOneUntilItHasReadWhatIsNewest() {
        catchUp();
        pass(9_000);
        backlog.reads(now);
        assertThat(backlog.isThere()).isTrue();
        backlog.hasRead(now, 500);
        ask(2_000);
        read(1_999);
        assertThat(backlog.isThere()).isTrue();
        read(2_000);
        assertThat(backlog.isThere()).isFalse();
    }

    @Test
    void whoeverStoodStillWhileItReadHasOneAsWell() {
        catchUp();
        backlog.reads(now);
        pass(20_000);
        backlog.hasRead(now, 10);
        assertThat(backlog.isThere()).isTrue();
        ask(4_000);
        read(4_000);
        assertThat(backlog.isThere()).isFalse();
    }

    @Test
    void whatTookLongIsAskedOnceMore() {
        ask(100);
        for (int i = 0; i < 3; i++) {
            pass(500);
            read(50);
        }
        read(100);
        assertThat(backlog.isThere()).isTrue();
        ask(150);
        read(150);
        assertThat(backlog.isThere()).isFalse();
    }

    @Test
    void anAnswerToAQuestionFromBeforeSaysNothing() {
        long asked = now;
        assertThat(backlog.asks(now)).isTrue();
        pass(2_000);
        backlog.reads(now);
        backlog.answered(5, asked);
        backlog.hasRead(now, 10);
        assertThat(backlog.isThere()).isTrue();
        ask(20);
        read(20);
        assertThat(backlog.isThere()).isFalse();
    }

    @Test
    void aQuestionInVainIsAskedAgainAfterAPause() {
        assertThat(backlog.asks(now)).isTrue();
        assertThat(backlog.asks(now)).as("while it is under way").isFalse();
        backlog.failed();
        assertThat(backlog.asks(now)).isFalse();
        pass(200);
        assertThat(backlog.asks(now)).isTrue();
    }
}
