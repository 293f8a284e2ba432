package io.tidemark.connector.feed;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.etcd.KeyValue;
import io.tidemark.etcd.RangePage;
import io.tidemark.record.Bytes;
import java.time.Duration;
import java.util.Collections;
import org.junit.jupiter.api.Test;

class FeedScheduleTest {
    private final FeedSchedule pace = new FeedSchedule(0);

    @Test
    void commitsInAQuietMomentButNotMoreOftenThanEverySecond() {
        pace.changed(millis(10));
        assertThat(pace.commitDue(millis(50))).as("quiet, but soon after the start").isFalse();
        assertThat(pace.commitDue(millis(1_000))).isTrue();
        pace.committed(millis(1_000));
        assertThat(pace.commitDue(millis(9_000))).as("nothing is open").isFalse();
    }

    @Test
    void commitsEveryFiveSecondsWithoutQuietMoments() {
        for (int at = 0; at < 5_000; at += 10) {
            pace.changed(millis(at));
            assertThat(pace.commitDue(millis(at + 1))).isFalse();
        }
        assertThat(pace.commitDue(millis(5_000))).isTrue();
    }

    @Test
    void commitsMarksWithoutChangesAfterFiveSeconds() {
        pace.marked(millis(1_000));
        assertThat(pace.commitDue(millis(5_999))).isFalse();
        assertThat(pace.commitDue(millis(6_000))).isTrue();
    }

    @Test
    void batchesChangesThatArriveSoonAfterAMark() {
        assertThat(pace.batchDelay(millis(100))).isEqualTo(Duration.ZERO);
        pace.marked(millis(100));
        assertThat(pace.batchDelay(millis(102))).isEqualTo(Duration.ofMillis(8));
        assertThat(pace.batchDelay(millis(110))).isEqualTo(Duration.ZERO);
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
    void pagesGrowWithSmallValuesAndShrinkWithLargeOnes() {
        PageSize size = new PageSize();
        for (int i = 0; i < 10; i++) {
            size.listed(page(size.limit(), 100));
        }
        assertThat(size.limit()).isEqualTo(PageSize.MOST);
        size.listed(page(100, 1_000_000));
        assertThat(size.limit()).isEqualTo(4);
        assertThat(size.tooLarge()).isTrue();
        assertThat(size.limit()).isEqualTo(1);
        assertThat(size.tooLarge()).isFalse();
    }

    private static RangePage page(int keys, int valueBytes) {
        KeyValue keyValue =
                new KeyValue(Bytes.utf8("k"), Bytes.wrap(new byte[valueBytes]), 1, 1, 1, 0);
        return new RangePage(Collections.nCopies(keys, keyValue), false, keys, 1, 1);
    }

    private static long millis(long millis) {
        return Duration.ofMillis(millis).toNanos();
    }
}
