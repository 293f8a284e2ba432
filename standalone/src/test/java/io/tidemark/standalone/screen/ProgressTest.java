package io.tidemark.standalone.screen;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connector.ConnectorStatus;
import io.tidemark.connector.ConnectorStatus.Phase;
import io.tidemark.connector.metrics.GapReport;
import io.tidemark.streams.NodeProgress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ProgressTest {
    @Test
    void listingShowsObjectsRateAndRemainder() {
        assertThat(Progress.of(status(Phase.LISTING, 2_500, 10_000, 1_500)))
                .isEqualTo("listing 2,500 of 10,000 objects, 1,500/s, 7,500 remaining (5 s)");
    }

    @Test
    void waitingShowsTheError() {
        assertThat(Progress.of(status(Phase.WAITING, 0, 0, 0))).isEqualTo("waiting: no etcd");
    }

    @Test
    void followingShowsNothing() {
        assertThat(Progress.of(status(Phase.FOLLOWING, 9, 9, 0))).isEmpty();
    }

    @Test
    void restoringShowsRecordsRateAndRemainder() {
        Progress progress = new Progress();
        long second = TimeUnit.SECONDS.toNanos(1);

        assertThat(progress.of(restoring(0, 1_000), second))
                .isEqualTo("restoring 0 of 1,000 records, 0/s, 1,000 remaining");
        assertThat(progress.of(restoring(400, 1_000), 2 * second))
                .isEqualTo("restoring 400 of 1,000 records, 400/s, 600 remaining (2 s)");
    }

    @Test
    void waitingNodeShowsTheReason() {
        NodeProgress waiting =
                new NodeProgress(NodeProgress.Phase.WAITING_FOR_TOPIC, "no topic yet", List.of());

        assertThat(new Progress().of(waiting, 1)).isEqualTo("no topic yet");
    }

    private static NodeProgress restoring(long restored, long total) {
        return new NodeProgress(
                NodeProgress.Phase.RESTORING,
                "",
                List.of(new NodeProgress.Partition(0, restored, total, false)));
    }

    private static ConnectorStatus status(Phase phase, long listed, long total, double rate) {
        return new ConnectorStatus(
                phase, listed, total, rate, 1, 5, 6, 7, 0, 0, GapReport.NONE, "no etcd");
    }
}
