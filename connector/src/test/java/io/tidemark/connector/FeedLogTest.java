package io.tidemark.connector;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemark.concurrent.TimeSource;
import io.tidemark.connector.ConnectorStatus.Phase;
import io.tidemark.connector.feed.FeedState;
import io.tidemark.connector.feed.ResumePoint;
import io.tidemark.connector.metrics.ConnectorMetrics;
import io.tidemark.connector.source.EtcdView;
import io.tidemark.etcd.ProgressSupport;
import org.junit.jupiter.api.Test;

class FeedLogTest {
    private static final EtcdView ETCD = new EtcdView(7, 289, "3.5.16", ProgressSupport.MANUAL);

    private final ConnectorMetrics metrics = new ConnectorMetrics(new SimpleMeterRegistry());
    private final FeedLog log = new FeedLog(metrics, TimeSource.SYSTEM);

    /** Who waits for the feed to follow serves reads from then on, at the status's revision. */
    @Test
    void followsOnceAllPartitionsHaveTheRevisionThatEtcdWasAt() {
        FeedState begun = following(2);
        log.moved(new FeedState.Idle(), begun);
        metrics.term().marked(1, 2);
        assertThat(log.status(begun, 1).phase()).isEqualTo(Phase.REPLAYING);

        FeedState sent = following(289);
        log.moved(begun, sent);
        assertThat(log.status(sent, 1).phase()).isEqualTo(Phase.REPLAYING);

        metrics.term().marked(1, 289);
        assertThat(log.status(sent, 1).phase()).isEqualTo(Phase.FOLLOWING);
        assertThat(log.status(sent, 1).revision()).isEqualTo(289);
    }

    private static FeedState following(long revision) {
        return new FeedState.Following(ETCD, new ResumePoint.At(1, revision, 7));
    }
}
