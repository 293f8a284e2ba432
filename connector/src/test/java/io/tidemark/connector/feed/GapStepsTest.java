package io.tidemark.connector.feed;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connector.feed.FeedStateMachine.Step;
import io.tidemark.connector.source.EtcdView;
import io.tidemark.etcd.KeyValue;
import io.tidemark.etcd.ProgressSupport;
import io.tidemark.etcd.RangePage;
import io.tidemark.record.Bytes;
import io.tidemark.record.Change.TideMark.Kind;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class GapStepsTest {
    private static final long CLUSTER = 0xabcL;
    private static final Bytes PREFIX = Bytes.utf8("/registry/");
    private static final EtcdView ETCD =
            new EtcdView(CLUSTER, 1000, "3.5.16", ProgressSupport.MANUAL);
    private static final ResumePoint.At MARKED = new ResumePoint.At(3, 500, CLUSTER);

    private final FeedStateMachine machine = new FeedStateMachine(PREFIX, 100);

    @Test
    void aCompactedWatchStopsAndLoadsTheTopicsKeys() {
        Step step =
                machine.on(
                        new FeedState.Following(ETCD, MARKED), new FeedEvent.WatchCompacted(800));
        assertThat(step)
                .isEqualTo(
                        new Step(
                                new FeedState.Gap(MARKED, 800),
                                List.of(
                                        new FeedEffect.StopWatch(),
                                        new FeedEffect.Commit(),
                                        new FeedEffect.LoadTopicKeyVersions(MARKED))));
        Step atResume =
                machine.on(
                        new FeedState.Verifying(ETCD, MARKED), new FeedEvent.HistoryCompacted(800));
        assertThat(atResume).isEqualTo(step);
    }

    @Test
    void aGapKeepsTheEpochAndEndsWithItsMark() {
        assertThat(reconciling().effects()).containsExactly(new FeedEffect.ListPage(PREFIX, 1000));
        Step first =
                machine.on(
                        reconciling().state(),
                        new FeedEvent.PageListed(
                                new RangePage(List.of(kv("a")), true, 2, 1000, CLUSTER)));
        assertThat(first.effects())
                .containsExactly(
                        new FeedEffect.WriteGapPuts(3, List.of(kv("a"))),
                        new FeedEffect.ListPage(Bytes.utf8("a\0"), 1000));
        Step last =
                machine.on(
                        first.state(),
                        new FeedEvent.PageListed(
                                new RangePage(List.of(kv("b")), false, 1, 1000, CLUSTER)));
        assertThat(last.effects())
                .containsExactly(
                        new FeedEffect.WriteGapPuts(3, List.of(kv("b"))),
                        new FeedEffect.WriteGapDeletes(3, 1000),
                        new FeedEffect.WriteMark(Kind.GAP, 3, 1000, CLUSTER),
                        new FeedEffect.Commit(),
                        new FeedEffect.StartWatch(1000));
        assertThat(last.state()).isEqualTo(new FeedState.Following(ETCD, MARKED.advancedTo(1000)));
    }

    @Test
    void countsComparedKeys() {
        FeedState before = new FeedState.ReconcilingGap(ETCD, MARKED, 800, 5, 3);
        Step step =
                machine.on(
                        before,
                        new FeedEvent.PageListed(
                                new RangePage(List.of(kv("a")), true, 2, 1000, CLUSTER)));
        assertThat(step.state()).isEqualTo(new FeedState.ReconcilingGap(ETCD, MARKED, 800, 6, 1));
    }

    @Test
    void comparesOnlyWithTheMirroredCluster() {
        FeedState gap = new FeedState.Gap(MARKED, 800);
        EtcdView unchanged = new EtcdView(CLUSTER, 500, "", ProgressSupport.MANUAL);
        assertThat(machine.on(gap, new FeedEvent.EtcdChecked(unchanged)).state())
                .isEqualTo(new FeedState.ReconcilingGap(unchanged, MARKED, 800, 0, 0));
        EtcdView other = new EtcdView(0xdef, 1000, "", ProgressSupport.MANUAL);
        assertThat(machine.on(gap, new FeedEvent.EtcdChecked(other)))
                .isEqualTo(
                        new Step(
                                new FeedState.NewEpoch(
                                        4,
                                        false,
                                        "the mirror is of cluster abc, but this is cluster def"),
                                List.of(new FeedEffect.LoadTopicKeys())));
    }

    @Test
    void beginsANewEpochWhenAbortedWritesAreUnknown() {
        Step step =
                machine.on(
                        new FeedState.Gap(MARKED, 800), new FeedEvent.HistoryMismatch("forgotten"));
        assertThat(step.state())
                .isEqualTo(new FeedState.NewEpoch(MARKED.epoch() + 1, false, "forgotten"));
        assertThat(step.effects())
                .containsExactly(
                        new FeedEffect.StopWatch(),
                        new FeedEffect.Abort(),
                        new FeedEffect.LoadTopicKeys());
    }

    @Test
    void abortedWritesMayBeCompactedWhenTheLastMarkIsOlderThanTheLag() {
        Duration lag = Duration.ofHours(6);
        KeyTable held = new KeyTable();
        assertThat(held.mayMissAbortedWrites(lag, 1_000)).isFalse();
        held.marked(lag.toMillis());
        held.marked(2 * lag.toMillis());
        long margin = Duration.ofMinutes(1).toMillis();
        assertThat(held.mayMissAbortedWrites(lag, 2 * lag.toMillis() - margin)).isFalse();
        assertThat(held.mayMissAbortedWrites(lag, 2 * lag.toMillis() - margin + 1)).isTrue();
    }

    @Test
    void marksABridgedGap() {
        FeedStateMachine bridging = new FeedStateMachine(PREFIX, 100, GapPolicy.BRIDGE);
        Step last =
                bridging.on(
                        reconciling().state(),
                        new FeedEvent.PageListed(
                                new RangePage(List.of(), false, 0, 1000, CLUSTER)));
        assertThat(last.effects())
                .contains(new FeedEffect.WriteMark(Kind.BRIDGE, 3, 1000, CLUSTER));
    }

    @Test
    void restartsTheListAtANewerRevisionAfterASecondCompaction() {
        Step again = machine.on(reconciling().state(), new FeedEvent.ListCompacted());
        assertThat(again)
                .isEqualTo(
                        new Step(
                                new FeedState.Gap(MARKED, 800),
                                List.of(
                                        new FeedEffect.Abort(),
                                        new FeedEffect.LoadTopicKeyVersions(MARKED))));
    }

    @Test
    void anotherHistoryFoundDuringTheComparisonBeginsANewEpoch() {
        Step step =
                machine.on(reconciling().state(), new FeedEvent.HistoryMismatch("another history"));
        assertThat(step.state()).isEqualTo(new FeedState.NewEpoch(4, false, "another history"));
        assertThat(step.effects()).contains(new FeedEffect.Abort());
        EtcdView setBack = new EtcdView(CLUSTER, 400, "", ProgressSupport.MANUAL);
        Step lower = machine.on(new FeedState.Gap(MARKED, 800), new FeedEvent.EtcdChecked(setBack));
        assertThat(lower.state()).isInstanceOf(FeedState.NewEpoch.class);
    }

    @Test
    void aFaultDuringTheComparisonStartsItOver() {
        Step lost = machine.on(reconciling().state(), new FeedEvent.EtcdLost("down"));
        assertThat(lost.state()).isEqualTo(new FeedState.Waiting(null, "etcd: down"));
        assertThat(lost.effects()).contains(new FeedEffect.CloseTopic());
        Step sink = machine.on(reconciling().state(), new FeedEvent.SinkLost("down"));
        assertThat(sink.effects()).contains(new FeedEffect.CloseTopic());
    }

    private Step reconciling() {
        Step loaded = machine.on(new FeedState.Gap(MARKED, 800), new FeedEvent.TopicKeysLoaded(2));
        assertThat(loaded.effects()).containsExactly(new FeedEffect.CheckEtcd());
        return machine.on(loaded.state(), new FeedEvent.EtcdChecked(ETCD));
    }

    private static KeyValue kv(String key) {
        return new KeyValue(Bytes.utf8(key), Bytes.utf8("v"), 5, 5, 1, 0);
    }
}
