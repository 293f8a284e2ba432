package io.tidemark.connector.feed;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FeedScheduleTest {
    private final FeedSchedule pace = new FeedSchedule(0);

    @Test
    void commitsInAQuietMomentButNotMoreOftenThanEverySecond() {
        changedAndMarked(10);
        assertThat(pace.commitDue(millis(50))).as("quiet, but soon after the start").isFalse();
        assertThat(pace.commitDue(millis(1_000))).isTrue();
        pace.committed(millis(1_000));
        assertThat(pace.commitDue(millis(9_000))).as("nothing is open").isFalse();
    }

    @Test
    void commitsEveryFiveSecondsWithoutQuietMoments() {
        for (int at = 0; at < 5_000; at += 10) {
            changedAndMarked(at);
            assertThat(pace.commitDue(millis(at + 1))).isFalse();
        }
        assertThat(pace.commitDue(millis(5_000))).isTrue();
    }

    @Test
    void neverCommitsInsideARevision() {
        changedAndMarked(10);
        pace.changed(millis(20), 1);
        assertThat(pace.commitDue(millis(1_000))).as("in a quiet moment").isFalse();
        assertThat(pace.commitDue(millis(60_000))).as("however long it takes").isFalse();
        changedAndMarked(60_000);
        assertThat(pace.commitDue(millis(60_001))).isTrue();
    }

    private void changedAndMarked(long atMillis) {
        pace.changed(millis(atMillis), 1);
        pace.marked(millis(atMillis));
    }

    @Test
    void commitsMarksWithoutChangesAfterFiveSeconds() {
        pace.marked(millis(1_000));
        assertThat(pace.commitDue(millis(5_999))).isFalse();
        assertThat(pace.commitDue(millis(6_000))).isTrue();
    }

    @Test
    void marksEachOfAHundredAndFortyChangesASecondAtOnce() {
        for (int at = 100; at < 10_000; at += 7) {
            assertThat(pace.batchDelay(millis(at))).as("at %d", at).isEqualTo(Duration.ZERO);
            changedAndMarked(at);
        }
    }

    @Test
    void aFewMarksOfABurstAreCloserThanTheOthers() {
        changedAndMarked(1_000);
        assertThat(pace.batchDelay(millis(1_000))).isEqualTo(Duration.ofMillis(2));
        assertThat(pace.batchDelay(millis(1_001))).isEqualTo(Duration.ofMillis(1));
        assertThat(pace.batchDelay(millis(1_002))).isEqualTo(Duration.ZERO);
        List<Long> delays = new ArrayList<>();
        for (long at = 1_002; delays.size() < 8; ) {
            changedAndMarked(at);
            long delay = pace.batchDelay(millis(at)).toMillis();
            delays.add(delay);
            at += delay;
        }
        assertThat(delays).containsExactly(2L, 2L, 2L, 2L, 2L, 3L, 5L, 5L);
    }

    @Test
    void spacesMarksByTheRateOfChanges() {
        assertThat(delayAfterManyMarksOf(1, 10)).as("1,000/s").isEqualTo(Duration.ofMillis(5));
        assertThat(delayAfterManyMarksOf(10, 15))
                .as("1,500/s")
                .isBetween(Duration.ofMillis(7), Duration.ofMillis(8));
        assertThat(delayAfterManyMarksOf(10, 20)).as("2,000/s").isEqualTo(Duration.ofMillis(10));
        assertThat(delayAfterManyMarksOf(10, 4_000)).isEqualTo(Duration.ofMillis(10));
    }

    /** Marks of so many changes each, one as soon as it is due. */
    private static Duration delayAfterManyMarksOf(long firstMillis, int changesPerTenMillis) {
        FeedSchedule pace = new FeedSchedule(0);
        long at = millis(firstMillis);
        long before = 0;
        Duration delay = Duration.ZERO;
        for (int i = 0; i < 50; i++) {
            pace.changed(at, (int) (changesPerTenMillis * (at - before) / millis(10)));
            pace.marked(at);
            delay = pace.batchDelay(at);
            before = at;
            at += delay.toNanos();
        }
        return delay;
    }

    @Test
    void commitsAnEmptyTransactionAsAnyOther() {
        pace.begun(millis(1_000));
        assertThat(pace.commitDue(millis(5_999))).isFalse();
        assertThat(pace.commitDue(millis(6_000))).isTrue();
    }

    @Test
    void requestsProgressAfterAnIdleSecondOrSoonerForWaiters() {
        assertThat(pace.progressDue(millis(500), false)).isFalse();
        assertThat(pace.progressDue(millis(500), true)).isTrue();
        pace.asked(millis(500));
        assertThat(pace.progressDue(millis(599), true)).isFalse();
        assertThat(pace.progressDue(millis(600), true)).isTrue();
        assertThat(pace.progressDue(millis(1_000), false)).isTrue();
        pace.marked(millis(1_000));
        assertThat(pace.progressDue(millis(1_999), false)).isFalse();
        assertThat(pace.progressDue(millis(2_000), false)).isTrue();
    }

    @Test
    void aWatchIsDeadAfterAMinuteOfSilence() {
        pace.watchResponded(millis(1_000));
        assertThat(pace.isWatchDead(millis(60_999))).isFalse();
        assertThat(pace.isWatchDead(millis(61_000))).isTrue();
    }

    @Test
    void commitTimeDoesNotCountAsSilence() {
        pace.watchResponded(millis(1_000));
        pace.excludeTime(millis(500));
        pace.begun(millis(15_000));
        assertThat(pace.isWatchDead(millis(61_499))).isFalse();
        assertThat(pace.isWatchDead(millis(61_500))).isTrue();
    }

    @Test
    void commitsOnlyAfterAQuietMomentAndAFullSecond() {
        changedAndMarked(10);
        assertThat(pace.commitDue(millis(999))).as("soon after the start").isFalse();
        changedAndMarked(2_000);
        assertThat(pace.commitDue(millis(2_029))).as("not quiet yet").isFalse();
        assertThat(pace.commitDue(millis(2_030))).isTrue();
    }

    @Test
    void aCommitStartsTheNextTransactionAfresh() {
        pace.changed(millis(1_000), 1);
        pace.committed(millis(2_000));
        pace.marked(millis(3_000));
        assertThat(pace.commitDue(millis(4_000))).as("no change since").isFalse();
        assertThat(pace.commitDue(millis(7_999))).isFalse();
        assertThat(pace.commitDue(millis(8_000))).isTrue();
    }

    @Test
    void isIdleASecondAfterTheLastMark() {
        pace.marked(millis(100));
        assertThat(pace.idle(millis(1_099))).isFalse();
        assertThat(pace.idle(millis(1_100))).isTrue();
    }

    @Test
    void progressIsOverdueLaterWhenEtcdSendsItOnRequest() {
        pace.marked(millis(100));
        assertThat(pace.isProgressOverdue(millis(1_099), false)).isFalse();
        assertThat(pace.isProgressOverdue(millis(1_100), false)).isTrue();
        assertThat(pace.isProgressOverdue(millis(2_099), true)).isFalse();
        assertThat(pace.isProgressOverdue(millis(2_100), true)).isTrue();
    }

    @Test
    void progressIsNotOverdueInsideARevision() {
        pace.marked(millis(100));
        pace.changed(millis(5_000), 1);
        assertThat(pace.isProgressOverdue(millis(5_000), false)).isFalse();
        assertThat(pace.isProgressOverdue(millis(5_000), true)).isFalse();
    }

    @Test
    void theFirstMarkWaitsForNoHeartbeat() {
        assertThat(pace.isHeartbeatDue(0)).isTrue();
        pace.marked(millis(10));
        assertThat(pace.isHeartbeatDue(millis(1_009))).isFalse();
        assertThat(pace.isHeartbeatDue(millis(1_010))).isTrue();
    }

    @Test
    void asksEtcdAtOnceAndThenEveryTenthOfASecond() {
        assertThat(pace.progressDue(0, true)).isTrue();
        assertThat(pace.idleCheckDue(0)).isTrue();
        pace.idleChecked(millis(500));
        assertThat(pace.idleCheckDue(millis(599))).isFalse();
        assertThat(pace.idleCheckDue(millis(600))).isTrue();
    }

    @Test
    void pollsShortlyWhileAQuietMomentMayCome() {
        assertThat(pace.pollTimeout()).isEqualTo(Duration.ofMillis(100));
        pace.changed(millis(10), 1);
        assertThat(pace.pollTimeout()).isEqualTo(Duration.ofMillis(30));
        pace.committed(millis(2_000));
        assertThat(pace.pollTimeout()).isEqualTo(Duration.ofMillis(100));
    }

    @Test
    void countsFromItsStart() {
        FeedSchedule later = new FeedSchedule(millis(70_000));
        assertThat(later.isWatchDead(millis(129_999))).isFalse();
        assertThat(later.isWatchDead(millis(130_000))).isTrue();
        assertThat(later.idle(millis(70_999))).isFalse();
        assertThat(later.batchDelay(millis(70_001))).isEqualTo(Duration.ofMillis(1));
        later.changed(millis(70_010), 1);
        later.marked(millis(70_010));
        assertThat(later.commitDue(millis(70_999))).isFalse();
        assertThat(later.commitDue(millis(71_000))).isTrue();
    }

    private static long millis(long millis) {
        return Duration.ofMillis(millis).toNanos();
    }
}
