package io.tidemark.connector.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.connector.feed.FeedStateMachine.Step;
import io.tidemark.connector.source.EtcdView;
import io.tidemark.etcd.KeyChange;
import io.tidemark.etcd.KeyValue;
import io.tidemark.etcd.ProgressSupport;
import io.tidemark.etcd.RangePage;
import io.tidemark.record.Bytes;
import io.tidemark.record.Change.TideMark.Kind;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FeedStateMachineTest {
    private static final long CLUSTER = 0xabcL;
    private static final Bytes PREFIX = Bytes.utf8("/registry/");
    private static final EtcdView ETCD =
            new EtcdView(CLUSTER, 1000, "3.5.16", ProgressSupport.MANUAL);

    private final FeedStateMachine machine = new FeedStateMachine(PREFIX, 100);

    @Test
    void checksEtcdBeforeOpeningTheTopic() {
        Step begun = machine.on(new FeedState.Idle(), new FeedEvent.FeedStarted());
        Step checked = machine.on(begun.state(), new FeedEvent.EtcdChecked(ETCD));
        assertThat(begun.effects()).containsExactly(new FeedEffect.CheckEtcd());
        assertThat(checked)
                .isEqualTo(
                        new Step(
                                new FeedState.OpeningTopic(ETCD),
                                List.of(new FeedEffect.OpenTopic())));
    }

    @Test
    void anEmptyTopicGetsAListAtTheOldestRevisionThatBackfillAllows() {
        assertThat(listAt(950).revision()).isEqualTo(950);
        assertThat(listAt(10).revision()).isEqualTo(900);
        FeedStateMachine withoutBackfill = new FeedStateMachine(PREFIX, 0);
        Step step =
                withoutBackfill.on(
                        new FeedState.FindingBackfillRevision(ETCD, 1),
                        new FeedEvent.OldestRevisionFound(10));
        assertThat(step.effects())
                .containsExactly(
                        new FeedEffect.WriteMark(Kind.LIST_BEGIN, 1, 1000, CLUSTER),
                        new FeedEffect.ListPage(PREFIX, 1000));
    }

    @Test
    void aRelistRequestBeginsANewEpochOnce() {
        ResumePoint.At marked = new ResumePoint.At(3, 900, CLUSTER);
        FeedEvent request = new FeedEvent.RelistRequested(3, "lost");
        Step begun = machine.on(new FeedState.Following(ETCD, marked), request);
        assertThat(begun)
                .isEqualTo(
                        new Step(
                                new FeedState.NewEpoch(4, true, "lost"),
                                List.of(
                                        new FeedEffect.StopWatch(),
                                        new FeedEffect.Abort(),
                                        new FeedEffect.LoadTopicKeys())));
        FeedState newer = new FeedState.Following(ETCD, new ResumePoint.At(4, 900, CLUSTER));
        assertThat(machine.on(newer, request)).isEqualTo(new Step(newer, List.of()));
    }

    /** Loading the keys may take longer than etcd keeps a revision. */
    @Test
    void aNewEpochIsListedAtARevisionReadAfterTheTopicsKeys() {
        FeedState begun = new FeedState.NewEpoch(4, true, "lost");
        EtcdView now = new EtcdView(CLUSTER, 1_000_000, "3.5.16", ProgressSupport.MANUAL);
        Step checked = checkedAfterKeys(begun, now);
        assertThat(checked.effects()).containsExactly(new FeedEffect.FindOldestRevision());
        Step found = machine.on(checked.state(), new FeedEvent.OldestRevisionFound(1));
        assertThat(((FeedState.Listing) found.state()).revision()).isEqualTo(1_000_000 - 100);
        Step newest = checkedAfterKeys(new FeedState.NewEpoch(4, false, "restored"), now);
        assertThat(((FeedState.Listing) newest.state()).revision()).isEqualTo(1_000_000);
    }

    private Step checkedAfterKeys(FeedState begun, EtcdView etcd) {
        Step loaded = machine.on(begun, new FeedEvent.TopicKeysLoaded(3));
        assertThat(loaded).isEqualTo(new Step(begun, List.of(new FeedEffect.CheckEtcd())));
        return machine.on(begun, new FeedEvent.EtcdChecked(etcd));
    }

    @Test
    void relistsWhenTheTopicLostRecords() {
        ResumePoint lost = new ResumePoint.At(3, 900, CLUSTER).asIncomplete("lost", 5);
        Step step = machine.on(new FeedState.OpeningTopic(ETCD), new FeedEvent.TopicOpened(lost));
        assertThat(step.state()).isEqualTo(new FeedState.NewEpoch(9, true, "lost"));
        assertThat(new ResumePoint.Empty().asIncomplete("lost", 1))
                .isEqualTo(new ResumePoint.Incomplete(1, "lost"));
    }

    private FeedState.Listing listAt(long oldest) {
        Step opened =
                machine.on(
                        new FeedState.OpeningTopic(ETCD),
                        new FeedEvent.TopicOpened(new ResumePoint.Empty()));
        return (FeedState.Listing)
                machine.on(opened.state(), new FeedEvent.OldestRevisionFound(oldest)).state();
    }

    @Test
    void listsPagesDeletesStaleKeysMarksTheEndCommitsAndWatches() {
        FeedState listing = new FeedState.Listing(ETCD, 1, 900, 0, 0);
        Step first =
                machine.on(
                        listing,
                        new FeedEvent.PageListed(
                                new RangePage(List.of(kv("a")), true, 2, 1000, CLUSTER)));
        Step last =
                machine.on(
                        first.state(),
                        new FeedEvent.PageListed(
                                new RangePage(List.of(kv("b")), false, 1, 1000, CLUSTER)));
        assertThat(first.effects())
                .containsExactly(
                        new FeedEffect.WriteListed(1, List.of(kv("a"))),
                        new FeedEffect.ListPage(Bytes.utf8("a\0"), 900));
        assertThat(last.effects())
                .containsExactly(
                        new FeedEffect.WriteListed(1, List.of(kv("b"))),
                        new FeedEffect.DeleteStaleKeys(1, 900),
                        new FeedEffect.WriteMark(Kind.LIST_END, 1, 900, CLUSTER),
                        new FeedEffect.Commit(),
                        new FeedEffect.StartWatch(900));
        assertThat(last.state())
                .isEqualTo(new FeedState.Following(ETCD, new ResumePoint.At(1, 900, CLUSTER)));
    }

    @Test
    void listsAnEmptyPrefix() {
        Step step =
                machine.on(
                        new FeedState.Listing(ETCD, 1, 900, 0, 0),
                        new FeedEvent.PageListed(
                                new RangePage(List.of(), false, 0, 1000, CLUSTER)));
        assertThat(step.state()).isInstanceOf(FeedState.Following.class);
    }

    /** At the newest revision: a long list at the oldest one might be compacted each time. */
    @Test
    void restartsACompactedListInANewEpoch() {
        Step step =
                machine.on(
                        new FeedState.Listing(ETCD, 1, 900, 5000, 10),
                        new FeedEvent.ListCompacted());
        assertThat(step.effects())
                .containsExactly(new FeedEffect.Abort(), new FeedEffect.LoadTopicKeys());
        assertThat(checkedAfterKeys(step.state(), ETCD).state())
                .isEqualTo(new FeedState.Listing(ETCD, 2, ETCD.revision(), 0, 0));
    }

    @Test
    void resumesRightAfterTheLastCommittedMark() {
        ResumePoint.At at = new ResumePoint.At(3, 990, CLUSTER);
        Step step = machine.on(new FeedState.OpeningTopic(ETCD), new FeedEvent.TopicOpened(at));
        assertThat(step)
                .isEqualTo(
                        new Step(
                                new FeedState.Verifying(ETCD, at),
                                List.of(
                                        new FeedEffect.StartWatch(990),
                                        new FeedEffect.CheckHistory(ETCD, at))));
        assertThat(machine.on(step.state(), new FeedEvent.HistoryVerified()))
                .isEqualTo(new Step(new FeedState.Following(ETCD, at), List.of()));
    }

    @Test
    void anotherClusterOrAPartialListBeginsANewEpoch() {
        assertThat(opened(new ResumePoint.At(3, 990, 77)).epoch()).isEqualTo(4);
        FeedState.NewEpoch afterPartialList = opened(new ResumePoint.Incomplete(7, "partial list"));
        assertThat(afterPartialList.epoch()).isEqualTo(8);
        assertThat(checkedAfterKeys(afterPartialList, ETCD).effects())
                .containsExactly(new FeedEffect.FindOldestRevision());
    }

    @Test
    void aMirrorAheadOfTheEtcdCheckIsNotARestore() {
        ResumePoint.At further = new ResumePoint.At(3, 1001, CLUSTER);
        Step step =
                machine.on(new FeedState.OpeningTopic(ETCD), new FeedEvent.TopicOpened(further));
        assertThat(step.state()).isEqualTo(new FeedState.Verifying(ETCD, further));
    }

    private FeedState.NewEpoch opened(ResumePoint resume) {
        Step step = machine.on(new FeedState.OpeningTopic(ETCD), new FeedEvent.TopicOpened(resume));
        assertThat(step.effects()).containsExactly(new FeedEffect.LoadTopicKeys());
        return (FeedState.NewEpoch) step.state();
    }

    @Test
    void changesAreWrittenAndThenMarkedAtTheirLastRevision() {
        Step step = machine.on(following(900), changed(901, 903, 903));
        assertThat(step.effects().getLast())
                .isEqualTo(new FeedEffect.WriteMark(Kind.PROGRESS, 1, 903, CLUSTER));
        assertThat(step.state()).isEqualTo(following(903));
    }

    @Test
    void changesAtOrBelowTheMarkAreDropped() {
        assertThat(machine.on(following(900), changed(899, 900)).effects()).isEmpty();
        Step step = machine.on(following(900), changed(900, 901));
        assertThat(((FeedEffect.WriteChanges) step.effects().getFirst()).events()).hasSize(1);
    }

    @Test
    void changesThatGoBackInRevisionEndTheWatchAndWriteNothing() {
        Step step = machine.on(following(900), changed(905, 904));
        assertThat(step.effects())
                .noneMatch(FeedEffect.WriteChanges.class::isInstance)
                .contains(new FeedEffect.StopWatch());
    }

    @Test
    void progressIsMarkedAgainAtTheSameRevisionButNeverBelow() {
        assertThat(machine.on(following(900), new FeedEvent.Progressed(900)).effects())
                .containsExactly(new FeedEffect.WriteMark(Kind.PROGRESS, 1, 900, CLUSTER));
        assertThat(machine.on(following(900), new FeedEvent.Progressed(899)))
                .isEqualTo(
                        new Step(
                                new FeedState.Verifying(ETCD, at(900)),
                                List.of(new FeedEffect.CheckHistory(ETCD, at(900)))));
    }

    @Test
    void losingEtcdKeepsTheTopicOpenAndResumesAtTheMark() {
        Step lost = machine.on(following(950), new FeedEvent.EtcdLost("down"));
        assertThat(lost.effects())
                .containsExactly(
                        new FeedEffect.StopWatch(),
                        new FeedEffect.Commit(),
                        new FeedEffect.RetryLater("etcd: down"));
        Step again = machine.on(lost.state(), new FeedEvent.RetryDue());
        Step back = machine.on(again.state(), new FeedEvent.EtcdChecked(ETCD));
        assertThat(back.effects())
                .containsExactly(
                        new FeedEffect.StartWatch(950), new FeedEffect.CheckHistory(ETCD, at(950)));
    }

    @Test
    void beginsATransactionAfterEachCommitButTheLast() {
        assertThat(machine.on(following(950), new FeedEvent.CommitDue()).effects())
                .containsExactly(new FeedEffect.Commit(), new FeedEffect.BeginTransaction());
        assertThat(machine.on(following(950), new FeedEvent.Closing()).effects())
                .containsExactly(new FeedEffect.Commit());
    }

    @Test
    void losingKafkaReadsTheMarksAgain() {
        Step lost = machine.on(following(950), new FeedEvent.SinkLost("down"));
        Step again = machine.on(lost.state(), new FeedEvent.RetryDue());
        Step checked = machine.on(again.state(), new FeedEvent.EtcdChecked(ETCD));
        assertThat(lost.effects()).contains(new FeedEffect.CloseTopic());
        assertThat(checked.effects()).containsExactly(new FeedEffect.OpenTopic());
    }

    @Test
    void losingKafkaWhileWaitingForEtcdForgetsTheOpenTopic() {
        Step lost = machine.on(following(950), new FeedEvent.EtcdLost("down"));
        Step lostToo = machine.on(lost.state(), new FeedEvent.SinkLost("down too"));
        assertThat(lostToo.state()).isEqualTo(new FeedState.Waiting(null, "Kafka: down too"));
    }

    @Test
    void anotherHistoryAbortsAndBeginsANewEpoch() {
        Step step =
                machine.on(
                        new FeedState.Verifying(ETCD, at(500)),
                        new FeedEvent.HistoryMismatch("other"));
        assertThat(step)
                .isEqualTo(
                        new Step(
                                new FeedState.NewEpoch(2, false, "other"),
                                List.of(
                                        new FeedEffect.StopWatch(),
                                        new FeedEffect.Abort(),
                                        new FeedEffect.LoadTopicKeys())));
    }

    @Test
    void stopsWhenFenced() {
        Step step = machine.on(following(900), new FeedEvent.Fenced("another connector"));
        assertThat(step.state())
                .isEqualTo(new FeedState.Stopped("another connector", FeedState.End.FENCED));
        assertThat(machine.on(step.state(), new FeedEvent.RetryDue()).effects()).isEmpty();
    }

    @Test
    void ignoresSignalsOfAStoppedWatch() {
        FeedState waiting = new FeedState.Waiting(null, "pause");
        assertThat(machine.on(waiting, changed(901)).effects()).isEmpty();
        assertThat(machine.on(waiting, new FeedEvent.WatchCompacted(7)).effects()).isEmpty();
    }

    @Test
    void listsAnotherHistoryAtItsNewestRevision() {
        assertThat(checkedAfterKeys(new FeedState.NewEpoch(4, false, "other"), ETCD))
                .isEqualTo(
                        new Step(
                                new FeedState.Listing(ETCD, 4, 1000, 0, 0),
                                List.of(
                                        new FeedEffect.WriteMark(Kind.LIST_BEGIN, 4, 1000, CLUSTER),
                                        new FeedEffect.ListPage(PREFIX, 1000))));
    }

    @Test
    void revisionsStartAtOne() {
        EtcdView young = new EtcdView(CLUSTER, 1, "", ProgressSupport.MANUAL);
        Step step =
                machine.on(
                        new FeedState.FindingBackfillRevision(young, 1),
                        new FeedEvent.OldestRevisionFound(0));
        assertThat(step.effects()).contains(new FeedEffect.ListPage(PREFIX, 1));
        assertThat(FeedEffect.StartWatch.after(at(0))).isEqualTo(new FeedEffect.StartWatch(0));
    }

    @Test
    void refusesANegativeBackfill() {
        assertThatThrownBy(() -> new FeedStateMachine(PREFIX, -1))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void countsListedKeys() {
        Step step =
                machine.on(
                        new FeedState.Listing(ETCD, 1, 900, 5, 3),
                        new FeedEvent.PageListed(
                                new RangePage(List.of(kv("a")), true, 2, 1000, CLUSTER)));
        assertThat(step.state()).isEqualTo(new FeedState.Listing(ETCD, 1, 900, 6, 1));
    }

    @Test
    void aWatchOnAnotherClusterIsAFault() {
        assertThat(machine.on(following(900), new FeedEvent.WatchOpened(CLUSTER)))
                .isEqualTo(new Step(following(900), List.of()));
        assertThat(machine.on(following(900), new FeedEvent.WatchOpened(77)).state())
                .isEqualTo(
                        new FeedState.Waiting(
                                at(900), "etcd: the watch was opened on another cluster"));
    }

    @Test
    void aPartOfARevisionIsWrittenWithoutAMark() {
        List<KeyChange> part = List.of(new KeyChange.Delete(Bytes.utf8("k"), 901, null));
        assertThat(machine.on(following(900), new FeedEvent.Changed(part, false)))
                .isEqualTo(new Step(following(900), List.of(new FeedEffect.WriteChanges(1, part))));
    }

    @Test
    void progressAboveTheMarkIsMarked() {
        assertThat(machine.on(following(900), new FeedEvent.Progressed(905)))
                .isEqualTo(
                        new Step(
                                following(905),
                                List.of(new FeedEffect.WriteMark(Kind.PROGRESS, 1, 905, CLUSTER))));
    }

    static Stream<FeedState> holdingTheTopic() {
        return Stream.of(
                following(900),
                new FeedState.Verifying(ETCD, at(900)),
                new FeedState.Gap(at(900), 950),
                new FeedState.Checking(at(900)),
                new FeedState.Waiting(at(900), "before"));
    }

    @ParameterizedTest
    @MethodSource("holdingTheTopic")
    void losingEtcdKeepsTheResumePoint(FeedState state) {
        assertThat(machine.on(state, new FeedEvent.EtcdLost("etcd is down")).state())
                .isEqualTo(new FeedState.Waiting(at(900), "etcd is down"));
    }

    static Stream<FeedState> withinAListOrBeforeTheMarks() {
        return Stream.of(
                new FeedState.Idle(),
                new FeedState.Checking(null),
                new FeedState.OpeningTopic(ETCD),
                new FeedState.FindingBackfillRevision(ETCD, 1),
                new FeedState.NewEpoch(2, true, "lost"),
                new FeedState.Listing(ETCD, 1, 900, 1, 1),
                new FeedState.ReconcilingGap(ETCD, at(900), 950, 1, 1),
                new FeedState.Waiting(null, "before"));
    }

    @ParameterizedTest
    @MethodSource("withinAListOrBeforeTheMarks")
    void losingEtcdOtherwiseReadsTheMarksAgain(FeedState state) {
        assertThat(machine.on(state, new FeedEvent.EtcdLost("down")))
                .isEqualTo(
                        new Step(
                                new FeedState.Waiting(null, "etcd: down"),
                                List.of(
                                        new FeedEffect.StopWatch(),
                                        new FeedEffect.CloseTopic(),
                                        new FeedEffect.RetryLater("etcd: down"))));
    }

    @Test
    void stopsAtAnInvalidTopic() {
        Step step =
                machine.on(new FeedState.OpeningTopic(ETCD), new FeedEvent.TopicInvalid("no lag"));
        assertThat(step)
                .isEqualTo(
                        new Step(
                                new FeedState.Stopped("no lag", FeedState.End.INVALID_TOPIC),
                                List.of(
                                        new FeedEffect.StopWatch(),
                                        new FeedEffect.CloseTopic(),
                                        new FeedEffect.Stop("no lag"))));
    }

    @Test
    void anotherHistoryFoundWhileFollowingBeginsANewEpoch() {
        assertThat(machine.on(following(900), new FeedEvent.HistoryMismatch("other")).state())
                .isEqualTo(new FeedState.NewEpoch(2, false, "other"));
    }

    static Stream<FeedEvent> signalsOfAWatch() {
        return Stream.of(
                changed(901),
                new FeedEvent.Progressed(901),
                new FeedEvent.WatchCompacted(950),
                new FeedEvent.WatchOpened(77),
                new FeedEvent.RelistRequested(1, "lost"));
    }

    @ParameterizedTest
    @MethodSource("signalsOfAWatch")
    void countsNoSignalOfAWatchBeforeTheHistoryIsVerified(FeedEvent signal) {
        FeedState verifying = new FeedState.Verifying(ETCD, at(900));
        assertThat(machine.on(verifying, signal)).isEqualTo(new Step(verifying, List.of()));
    }

    static Stream<FeedEvent> answers() {
        return Stream.of(
                new FeedEvent.FeedStarted(),
                new FeedEvent.EtcdChecked(ETCD),
                new FeedEvent.TopicOpened(new ResumePoint.Empty()),
                new FeedEvent.HistoryVerified(),
                new FeedEvent.HistoryCompacted(950),
                new FeedEvent.TopicKeysLoaded(1),
                new FeedEvent.OldestRevisionFound(1),
                new FeedEvent.PageListed(new RangePage(List.of(), false, 0, 1000, CLUSTER)),
                new FeedEvent.ListCompacted(),
                new FeedEvent.RetryDue());
    }

    @ParameterizedTest
    @MethodSource("answers")
    void rejectsAnswersToWhatItDidNotRequest(FeedEvent answer) {
        assertThatThrownBy(() -> machine.on(following(900), answer))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void rejectsUnexpectedEvents() {
        assertThatThrownBy(() ->
                        machine.on(
                                new FeedState.Idle(),
                                new FeedEvent.TopicOpened(new ResumePoint.Empty())))
                .isInstanceOf(IllegalStateException.class);
    }

    private static FeedState following(long marked) {
        return new FeedState.Following(ETCD, at(marked));
    }

    private static ResumePoint.At at(long marked) {
        return new ResumePoint.At(1, marked, CLUSTER);
    }

    private static FeedEvent changed(long... revisions) {
        return new FeedEvent.Changed(
                Arrays.stream(revisions)
                        .mapToObj(r -> (KeyChange) new KeyChange.Delete(Bytes.utf8("k"), r, null))
                        .toList());
    }

    private static KeyValue kv(String key) {
        return new KeyValue(Bytes.utf8(key), Bytes.utf8("v"), 5, 5, 1, 0);
    }
}
