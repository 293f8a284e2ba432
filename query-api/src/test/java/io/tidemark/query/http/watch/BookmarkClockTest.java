package io.tidemark.query.http.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class BookmarkClockTest {
    private static final Duration NOW = Duration.ofNanos(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    @Test
    void isDueAfterTheIntervalAndTwoSecondsBeforeTheEnd() {
        long now = System.nanoTime();
        long soon = now + Duration.ofSeconds(30).toNanos();
        BookmarkClock beforeEnd = new BookmarkClock(true, MINUTE, soon, 5, 5);
        assertThat(beforeEnd.wakeAt()).isEqualTo(soon - Duration.ofSeconds(2).toNanos());

        long later = now + Duration.ofHours(1).toNanos();
        BookmarkClock regular = new BookmarkClock(true, MINUTE, later, 5, 5);
        assertThat(regular.wakeAt() - now)
                .isBetween(MINUTE.toNanos(), MINUTE.plusSeconds(30).toNanos());
    }

    @Test
    void isNotDueInTheLastTwoSecondsOrUnlessRequested() {
        long end = System.nanoTime() + Duration.ofSeconds(1).toNanos();
        assertThat(new BookmarkClock(true, MINUTE, end, 5, 5).wakeAt()).isEqualTo(end);
        long far = System.nanoTime() + Duration.ofHours(1).toNanos();
        assertThat(new BookmarkClock(false, MINUTE, far, 5, 5).wakeAt()).isEqualTo(far);
    }

    @Test
    void skipsABookmarkAtTheStartRevision() {
        BookmarkClock clock = due(5, 5);
        clock.reached(5);
        assertThat(clock.due()).isFalse();
        clock.reached(6);
        awaitDue(clock);
        assertThat(clock.take()).isEqualTo(6);
    }

    @Test
    void skipsABookmarkAtTheLastHistoricEvent() {
        BookmarkClock clock = due(5, 9);
        clock.sent(9);
        clock.reached(9);
        assertThat(clock.due()).isFalse();

        BookmarkClock quiet = due(5, 9);
        quiet.sent(7);
        quiet.reached(9);
        awaitDue(quiet);
        assertThat(quiet.take()).isEqualTo(9);

        BookmarkClock live = due(5, 9);
        live.sent(10);
        live.reached(10);
        awaitDue(live);
        assertThat(live.take()).isEqualTo(10);
    }

    @Test
    void neverGoesBackBehindAFutureStart() {
        BookmarkClock clock = due(100, 9);
        clock.reached(50);
        assertThat(clock.due()).isFalse();
    }

    private static BookmarkClock due(long position, long opened) {
        long far = System.nanoTime() + Duration.ofHours(1).toNanos();
        return new BookmarkClock(true, NOW, far, position, opened);
    }

    private static void awaitDue(BookmarkClock clock) {
        while (System.nanoTime() - clock.wakeAt() < 0) {
            Thread.onSpinWait();
        }
        assertThat(clock.due()).isTrue();
    }
}
