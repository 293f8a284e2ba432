package io.tidemark.query.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class BookmarkClockTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final long HOUR = Duration.ofHours(1).toNanos();

    private long now = 1_000;

    @Test
    void isDueAfterTheIntervalAndTwoSecondsBeforeTheEnd() {
        long soon = now + Duration.ofSeconds(30).toNanos();
        assertThat(clock(true, soon, 5, 5).wakeAt())
                .isEqualTo(soon - Duration.ofSeconds(2).toNanos());
        assertThat(clock(true, now + HOUR, 5, 5).wakeAt()).isEqualTo(now + MINUTE.toNanos());
    }

    @Test
    void isNotDueInTheLastTwoSecondsOrUnlessRequested() {
        long end = now + Duration.ofSeconds(1).toNanos();
        assertThat(clock(true, end, 5, 5).wakeAt()).isEqualTo(end);
        assertThat(clock(false, now + HOUR, 5, 5).wakeAt()).isEqualTo(now + HOUR);
    }

    @Test
    void skipsABookmarkAtTheStartRevision() {
        BookmarkClock clock = clock(5, 5);
        clock.reached(5);
        now = clock.wakeAt();
        assertThat(clock.due()).isFalse();
        clock.reached(6);
        assertThat(clock.due()).isFalse();
        assertThat(takeNext(clock)).isEqualTo(6);
    }

    @Test
    void skipsABookmarkAtTheLastHistoricEvent() {
        BookmarkClock clock = clock(5, 9);
        clock.sent(9);
        clock.reached(9);
        now = clock.wakeAt();
        assertThat(clock.due()).isFalse();

        BookmarkClock quiet = clock(5, 9);
        quiet.sent(7);
        quiet.reached(9);
        assertThat(takeNext(quiet)).isEqualTo(9);

        BookmarkClock live = clock(5, 9);
        live.sent(10);
        live.reached(10);
        assertThat(takeNext(live)).isEqualTo(10);
    }

    @Test
    void neverGoesBackBehindAFutureStart() {
        BookmarkClock clock = clock(100, 9);
        clock.reached(50);
        now = clock.wakeAt();
        assertThat(clock.due()).isFalse();
    }

    @Test
    void anEagerOneIsDueAtOnceAndAfterEvents() {
        BookmarkClock clock = BookmarkClock.eager(() -> now, MINUTE, now + HOUR, 5, 5);
        assertThat(clock.due()).isFalse();
        now = clock.wakeAt();
        clock.reached(5);
        assertThat(clock.due()).isTrue();
        assertThat(clock.take()).isEqualTo(5);
        assertThat(clock.due()).isFalse();
        clock.reached(6);
        assertThat(clock.due()).isFalse();
        clock.sent(7);
        clock.reached(7);
        assertThat(clock.due()).isTrue();
        assertThat(clock.take()).isEqualTo(7);
        assertThat(clock.due()).isFalse();
        assertThat(takeNext(clock)).isEqualTo(7);
    }

    @Test
    void anEagerOneWaitsForAFutureStart() {
        BookmarkClock clock = BookmarkClock.eager(() -> now, MINUTE, now + HOUR, 8, 5);
        now = clock.wakeAt();
        assertThat(clock.wouldProgress(8)).isFalse();
        clock.reached(8);
        assertThat(clock.due()).isFalse();
        clock.reached(9);
        assertThat(takeNext(clock)).isEqualTo(9);
    }

    private BookmarkClock clock(long position, long opened) {
        return clock(true, now + HOUR, position, opened);
    }

    private BookmarkClock clock(boolean wanted, long deadline, long position, long opened) {
        return new BookmarkClock(() -> now, wanted, MINUTE, deadline, position, opened);
    }

    private long takeNext(BookmarkClock clock) {
        now = clock.wakeAt();
        assertThat(clock.due()).isTrue();
        return clock.take();
    }
}
