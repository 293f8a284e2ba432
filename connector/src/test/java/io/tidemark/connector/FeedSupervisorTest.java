package io.tidemark.connector;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemark.connector.metrics.ConnectorMetrics;
import io.tidemark.connector.metrics.TermGauges;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FeedSupervisorTest {
    private final FeedLoopFixture feed = new FeedLoopFixture();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final ConnectorMetrics metrics = new ConnectorMetrics(meters);
    private final FeedSupervisor supervisor =
            new FeedSupervisor(() -> FeedTerm.inThread(feed.loop(0, metrics)), metrics::endTerm);

    @AfterEach
    void stop() throws Exception {
        supervisor.stepDown();
        feed.close();
    }

    private double gauge(String name) {
        return meters.get("tidemark.connector." + name).gauge().value();
    }

    /** A term as the sink sees it: its producer acknowledges marks. */
    private TermGauges lead(long epoch, long revision) {
        TermGauges term = metrics.term();
        supervisor.lead();
        feed.await(() -> supervisor.history() != null);
        term.etcdSeen(revision + 20_000);
        term.marked(epoch, revision);
        term.unreadableKeys(2);
        return term;
    }

    private void assertNothingLed() {
        assertThat(gauge("epoch")).isZero();
        assertThat(gauge("revision")).isZero();
        assertThat(gauge("etcd_revision")).isZero();
        assertThat(gauge("lag_revisions")).isZero();
        assertThat(gauge("unreadable_keys")).isZero();
        assertThat(gauge("mark.age.seconds")).isNaN();
    }

    @Test
    void resetsTheGaugesOfAnEndedTerm() {
        feed.etcd().put("/k/a");
        TermGauges _ = lead(4, 100);
        assertThat(gauge("epoch")).isEqualTo(4);
        assertThat(gauge("lag_revisions")).isEqualTo(20_000);
        assertThat(gauge("unreadable_keys")).isEqualTo(2);
        assertThat(gauge("mark.age.seconds")).isNotNegative();

        supervisor.stepDown();
        assertNothingLed();
    }

    @Test
    void ignoresLateAcknowledgementsOfAnEndedTerm() {
        feed.etcd().put("/k/a");
        TermGauges first = lead(4, 100);
        supervisor.stepDown();
        first.marked(4, 101);
        first.etcdSeen(50_000);
        first.unreadableKeys(3);
        assertNothingLed();

        TermGauges second = lead(5, 200);
        first.marked(4, 102);
        assertThat(second).isNotSameAs(first);
        assertThat(gauge("epoch")).isEqualTo(5);
        assertThat(gauge("revision")).isEqualTo(200);
    }
}
