package io.tidemark.serving.freshness;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.serving.read.ClusterView;
import io.tidemark.serving.read.FanOut;
import io.tidemark.serving.read.PartitionSet;
import io.tidemark.serving.read.ReadPoint;
import io.tidemark.serving.testing.MirroredCluster;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The cluster is listed at revision 100; states within five minutes are recent. */
class RecentRevisionsTest {
    private static final PartitionSet ALL = new PartitionSet(0, 2);

    private final MirroredCluster cluster = new MirroredCluster(2, 100);
    private final WatermarkTracker watermarks = new WatermarkTracker(cluster);
    private final ClusterView view =
            new ClusterView(cluster, Duration.ofMillis(100), FanOut.SEQUENTIAL);
    private final Freshness freshness =
            new Freshness(
                    watermarks,
                    new Barriers(cluster, () -> "http://connector"),
                    Duration.ofSeconds(30),
                    _ -> {});
    private final RecentRevisions recent =
            new RecentRevisions(view, cluster.clock(), Duration.ofMinutes(5));

    private boolean isRecent(long revision) throws InterruptedException {
        ReadPoint newest = freshness.any(ALL);
        return recent.isRecent(newest, newest.epoch(), revision);
    }

    private void minutePasses() {
        cluster.advance(Duration.ofMinutes(1));
        cluster.pod("ns", "p", Map.of());
    }

    @Test
    void revisionsOfTheLastFiveMinutesAreRecent() throws Exception {
        for (int i = 0; i < 10; i++) {
            minutePasses();
        }
        assertThat(isRecent(110)).isTrue();
        assertThat(isRecent(105)).as("in force until 4 minutes ago").isTrue();
        assertThat(isRecent(104)).as("replaced 5 minutes ago").isFalse();
        assertThat(isRecent(100)).isFalse();
        assertThat(isRecent(1)).isFalse();
        minutePasses();
        assertThat(isRecent(105)).isFalse();
    }

    @Test
    void aYoungMirrorKnowsThatItsFirstRevisionsAreRecent() throws Exception {
        assertThat(isRecent(100)).isTrue();
        minutePasses();
        assertThat(isRecent(100)).isTrue();
        assertThat(isRecent(99)).as("before the first list").isFalse();
    }

    /** Which states were in force when the missing marks were made is unknown. */
    @Test
    void ofAMirrorThatLagsOnlyTheNewestRevisionIsRecent() throws Exception {
        minutePasses();
        minutePasses();
        cluster.advance(Duration.ofMinutes(10));
        assertThat(isRecent(102)).isTrue();
        assertThat(isRecent(101)).isFalse();
    }

    @Test
    void whatWasFoundOutHoldsForASecond() throws Exception {
        for (int i = 0; i < 10; i++) {
            minutePasses();
        }
        assertThat(isRecent(105)).isTrue();
        cluster.advance(Duration.ofSeconds(59));
        assertThat(isRecent(105)).as("replaced 4:59 ago").isTrue();
        cluster.advance(Duration.ofMillis(999));
        cluster.advance(Duration.ofMillis(1));
        assertThat(isRecent(105)).as("replaced 5:00 ago, found out a second ago").isFalse();
        minutePasses();
        assertThat(isRecent(106)).isFalse();
        cluster.advance(Duration.ofMillis(999));
        assertThat(isRecent(107)).as("still known").isTrue();
    }

    @Test
    void anotherHistoryHasNoKnownAge() throws Exception {
        ReadPoint newest = freshness.any(ALL);
        assertThat(recent.isRecent(newest, newest.epoch() + 1, 100)).isFalse();
        assertThat(recent.isRecent(newest, newest.epoch() - 1, 1_000)).isFalse();
    }

    @Test
    void timesOfTheLastFiveMinutesAreRecent() {
        long now = cluster.clock().millis();
        assertThat(recent.isRecentTime(now + 1)).isTrue();
        assertThat(recent.isRecentTime(now - Duration.ofMinutes(5).toMillis())).isTrue();
        assertThat(recent.isRecentTime(now - Duration.ofMinutes(5).toMillis() - 1)).isFalse();
    }
}
