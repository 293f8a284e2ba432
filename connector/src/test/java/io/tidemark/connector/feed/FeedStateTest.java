package io.tidemark.connector.feed;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connector.source.EtcdView;
import io.tidemark.etcd.ProgressSupport;
import io.tidemark.etcd.RangePage;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FeedStateTest {
    private static final EtcdView ETCD = new EtcdView(7, 1000, "3.5.16", ProgressSupport.MANUAL);
    private static final ResumePoint.At MARKED = new ResumePoint.At(3, 500, 7);

    static Stream<FeedState> withMarks() {
        return Stream.of(
                new FeedState.Checking(MARKED),
                new FeedState.Verifying(ETCD, MARKED),
                new FeedState.Following(ETCD, MARKED),
                new FeedState.Gap(MARKED, 800),
                new FeedState.ReconcilingGap(ETCD, MARKED, 800, 1, 1),
                new FeedState.Waiting(MARKED, "pause"));
    }

    @ParameterizedTest
    @MethodSource("withMarks")
    void theHistoryIsThatOfTheLastMark(FeedState state) {
        assertThat(state.history()).isEqualTo(MARKED);
    }

    @Test
    void aListIsAHistoryOfItsOwn() {
        assertThat(new FeedState.Listing(ETCD, 4, 900, 0, 0).history())
                .isEqualTo(new ResumePoint.At(4, 900, 7));
    }

    static Stream<FeedState> withoutMarks() {
        return Stream.of(
                new FeedState.Idle(),
                new FeedState.Checking(null),
                new FeedState.OpeningTopic(ETCD),
                new FeedState.FindingBackfillRevision(ETCD, 1),
                new FeedState.NewEpoch(4, true, "lost"),
                new FeedState.Waiting(null, "pause"),
                new FeedState.Stopped("fenced", FeedState.End.FENCED));
    }

    @ParameterizedTest
    @MethodSource("withoutMarks")
    void thereIsNoHistoryBeforeTheFirstMark(FeedState state) {
        assertThat(state.history()).isNull();
    }

    static Stream<FeedEvent> failures() {
        return Stream.of(
                new FeedEvent.EtcdLost("down"),
                new FeedEvent.SinkLost("down"),
                new FeedEvent.Fenced("other"),
                new FeedEvent.HistoryMismatch("other"),
                new FeedEvent.TopicInvalid("compaction"));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void failuresCancelTheRestOfAStep(FeedEvent event) {
        assertThat(event.isFailure()).isTrue();
    }

    static Stream<FeedEvent> answers() {
        return Stream.of(
                new FeedEvent.FeedStarted(),
                new FeedEvent.EtcdChecked(ETCD),
                new FeedEvent.TopicOpened(MARKED),
                new FeedEvent.HistoryVerified(),
                new FeedEvent.HistoryCompacted(8),
                new FeedEvent.TopicKeysLoaded(8),
                new FeedEvent.OldestRevisionFound(8),
                new FeedEvent.PageListed(new RangePage(List.of(), false, 0, 1000, 7)),
                new FeedEvent.ListCompacted(),
                new FeedEvent.RelistRequested(3, "lost"),
                new FeedEvent.WatchOpened(7),
                new FeedEvent.Changed(List.of()),
                new FeedEvent.Progressed(900),
                new FeedEvent.WatchCompacted(800),
                new FeedEvent.CommitDue(),
                new FeedEvent.Closing(),
                new FeedEvent.RetryDue());
    }

    @ParameterizedTest
    @MethodSource("answers")
    void otherEventsDoNotCancelTheRestOfAStep(FeedEvent event) {
        assertThat(event.isFailure()).isFalse();
    }
}
