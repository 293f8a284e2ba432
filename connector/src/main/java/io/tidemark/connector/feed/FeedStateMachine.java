package io.tidemark.connector.feed;

import io.tidemark.connector.feed.FeedState.Checking;
import io.tidemark.connector.feed.FeedState.FindingBackfillRevision;
import io.tidemark.connector.feed.FeedState.Following;
import io.tidemark.connector.feed.FeedState.Gap;
import io.tidemark.connector.feed.FeedState.Idle;
import io.tidemark.connector.feed.FeedState.Listing;
import io.tidemark.connector.feed.FeedState.NewEpoch;
import io.tidemark.connector.feed.FeedState.OpeningTopic;
import io.tidemark.connector.feed.FeedState.ReconcilingGap;
import io.tidemark.connector.feed.FeedState.Stopped;
import io.tidemark.connector.feed.FeedState.Verifying;
import io.tidemark.connector.feed.FeedState.Waiting;
import io.tidemark.connector.source.EtcdView;
import io.tidemark.etcd.KeyChange;
import io.tidemark.record.Bytes;
import io.tidemark.record.Change.TideMark.Kind;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides what the connector does next: a pure function from a state and an event to the next state
 * and its effects. {@link FeedState} has the diagram.
 *
 * <p>Invariants: every list has a new epoch, higher than any in the topic, so a partial list can
 * never be taken for a complete one. A list is one transaction. Marks follow whole revisions only,
 * and uncommitted writes are repeated. No change of a watch counts before etcd's history was
 * verified to be the mirrored one. {@link ListSteps} has the steps of a list, {@link GapSteps}
 * those of a gap, when etcd compacted what comes next.
 *
 * @param prefix the mirrored prefix
 * @param backfill most revisions before the newest at which the first list may be taken, at least 0
 * @param onGap what happens to open watches when etcd compacted what comes next
 */
public record FeedStateMachine(Bytes prefix, long backfill, GapPolicy onGap) {
    public FeedStateMachine {
        if (backfill < 0) {
            throw new IllegalArgumentException("backfill: " + backfill);
        }
    }

    /** Gaps end open watches. */
    public FeedStateMachine(Bytes prefix, long backfill) {
        this(prefix, backfill, GapPolicy.EXPIRE);
    }

    /** The state after an event, and the effects to carry out, in order. */
    public record Step(FeedState state, List<FeedEffect> effects) {
        public Step {
            effects = List.copyOf(effects);
        }
    }

    /**
     * @throws IllegalStateException when the event cannot happen in that state: a bug in the driver
     */
    public Step on(FeedState state, FeedEvent event) {
        if (state instanceof Stopped) {
            return step(state);
        }
        return switch (event) {
            case FeedEvent.FeedStarted() ->
                    state instanceof Idle
                            ? step(new Checking(null), new FeedEffect.CheckEtcd())
                            : unexpected(state, event);
            case FeedEvent.EtcdChecked(EtcdView etcd) -> onChecked(state, event, etcd);
            case FeedEvent.TopicOpened(ResumePoint resume) ->
                    state instanceof OpeningTopic(EtcdView etcd)
                            ? resume(etcd, resume)
                            : unexpected(state, event);
            case FeedEvent.HistoryVerified() ->
                    state instanceof Verifying(EtcdView etcd, ResumePoint.At marked)
                            ? step(new Following(etcd, marked))
                            : unexpected(state, event);
            case FeedEvent.HistoryCompacted(long compactRevision) ->
                    state instanceof Verifying(_, ResumePoint.At marked)
                            ? GapSteps.begin(marked, compactRevision)
                            : unexpected(state, event);
            case FeedEvent.HistoryMismatch(String why) -> onOtherHistory(state, event, why);
            case FeedEvent.TopicKeysLoaded(_) ->
                    state instanceof NewEpoch || state instanceof Gap
                            ? step(state, new FeedEffect.CheckEtcd())
                            : unexpected(state, event);
            case FeedEvent.OldestRevisionFound(long oldest) ->
                    state instanceof FindingBackfillRevision(EtcdView etcd, long epoch)
                            ? lists().fromOldest(etcd, epoch, oldest)
                            : unexpected(state, event);
            case FeedEvent.PageListed(var page) ->
                    switch (state) {
                        case Listing listing -> ListSteps.onPage(listing, page);
                        case ReconcilingGap gap -> GapSteps.onPage(gap, page, onGap);
                        default -> unexpected(state, event);
                    };
            case FeedEvent.ListCompacted() ->
                    switch (state) {
                        case Listing listing -> ListSteps.again(listing);
                        case ReconcilingGap gap -> GapSteps.again(gap);
                        default -> unexpected(state, event);
                    };
            case FeedEvent.WatchOpened(long clusterId) ->
                    state instanceof Following(_, ResumePoint.At marked)
                                    && marked.clusterId() != clusterId
                            ? onEtcdLost(state, "the watch was opened on another cluster")
                            : step(state);
            case FeedEvent.Changed(List<KeyChange> events, boolean whole) ->
                    state instanceof Following following
                            ? onChanges(following, events, whole)
                            : step(state);
            case FeedEvent.Progressed(long revision) ->
                    state instanceof Following following
                            ? onProgress(following, revision)
                            : step(state);
            case FeedEvent.WatchCompacted(long compactRevision) ->
                    state instanceof Following(_, ResumePoint.At marked)
                            ? GapSteps.begin(marked, compactRevision)
                            : step(state);
            case FeedEvent.RelistRequested(long epoch, String why) ->
                    state instanceof Following(_, ResumePoint.At marked) && marked.epoch() == epoch
                            ? beginNewEpoch(marked, true, why)
                            : step(state);
            case FeedEvent.CommitDue() ->
                    step(state, new FeedEffect.Commit(), new FeedEffect.BeginTransaction());
            case FeedEvent.Closing() -> step(state, new FeedEffect.Commit());
            case FeedEvent.RetryDue() ->
                    state instanceof Waiting(ResumePoint.@Nullable At held, _)
                            ? step(new Checking(held), new FeedEffect.CheckEtcd())
                            : unexpected(state, event);
            case FeedEvent.EtcdLost(String why) -> onEtcdLost(state, why);
            case FeedEvent.SinkLost(String why) -> onSinkLost(why);
            case FeedEvent.TopicInvalid(String why) -> stop(why, FeedState.End.INVALID_TOPIC);
            case FeedEvent.Fenced(String why) -> stop(why, FeedState.End.FENCED);
        };
    }

    private ListSteps lists() {
        return new ListSteps(prefix, backfill);
    }

    private Step onChecked(FeedState state, FeedEvent event, EtcdView etcd) {
        return switch (state) {
            case Checking(ResumePoint.@Nullable At held) ->
                    held == null
                            ? step(new OpeningTopic(etcd), new FeedEffect.OpenTopic())
                            : resume(etcd, held);
            case NewEpoch begun -> lists().begin(begun, etcd);
            case Gap gap -> GapSteps.list(gap, etcd, prefix);
            case Idle _, OpeningTopic _, FindingBackfillRevision _, Listing _, Following _ ->
                    unexpected(state, event);
            case Verifying _, ReconcilingGap _, Waiting _, Stopped _ -> unexpected(state, event);
        };
    }

    private static Step resume(EtcdView etcd, ResumePoint resume) {
        return switch (resume) {
            case ResumePoint.Empty() ->
                    step(new FindingBackfillRevision(etcd, 1), new FeedEffect.FindOldestRevision());
            case ResumePoint.Incomplete(long highestEpoch, String why) ->
                    newEpoch(highestEpoch + 1, true, why);
            case ResumePoint.At at when at.clusterId() != etcd.clusterId() ->
                    newEpoch(at.epoch() + 1, false, otherCluster(etcd, at));
            // The history check compares revisions: until it was fenced, another connector may have
            // written after this one read etcd's revision.
            case ResumePoint.At at ->
                    step(
                            new Verifying(etcd, at),
                            FeedEffect.StartWatch.after(at),
                            new FeedEffect.CheckHistory(etcd, at));
        };
    }

    private static String otherCluster(EtcdView etcd, ResumePoint.At at) {
        return "the mirror is of cluster %x, but this is cluster %x"
                .formatted(at.clusterId(), etcd.clusterId());
    }

    /** Why etcd's status contradicts the mirrored history; empty when it does not. */
    static Optional<String> otherEtcd(EtcdView etcd, ResumePoint.At at) {
        if (at.clusterId() != etcd.clusterId()) {
            return Optional.of(otherCluster(etcd, at));
        }
        return at.revision() > etcd.revision()
                ? Optional.of(
                        "the mirror is at revision %d, but etcd only at %d: it was restored"
                                .formatted(at.revision(), etcd.revision()))
                : Optional.empty();
    }

    /**
     * Begins a new epoch: nothing of that etcd may stay in the old one. The mismatch may show at
     * the very end of a gap's list; the remaining effects are dropped then.
     */
    private static Step onOtherHistory(FeedState state, FeedEvent event, String why) {
        return switch (state) {
            case Following(_, ResumePoint.At marked) -> beginNewEpoch(marked, false, why);
            case Verifying(_, ResumePoint.At marked) -> beginNewEpoch(marked, false, why);
            case Gap(ResumePoint.At marked, _) -> beginNewEpoch(marked, false, why);
            case ReconcilingGap(_, ResumePoint.At marked, _, _, _) ->
                    beginNewEpoch(marked, false, why);
            default -> unexpected(state, event);
        };
    }

    private static Step beginNewEpoch(ResumePoint.At marked, boolean fromOldest, String why) {
        return step(
                new NewEpoch(marked.epoch() + 1, fromOldest, why),
                new FeedEffect.StopWatch(),
                new FeedEffect.Abort(),
                new FeedEffect.LoadTopicKeys());
    }

    static Step newEpoch(long epoch, boolean fromOldest, String why) {
        return step(new NewEpoch(epoch, fromOldest, why), new FeedEffect.LoadTopicKeys());
    }

    static Step follow(EtcdView etcd, ResumePoint.At marked) {
        return step(new Following(etcd, marked), FeedEffect.StartWatch.after(marked));
    }

    /** Changes that end inside a revision are written now, and marked once the rest has arrived. */
    private static Step onChanges(Following following, List<KeyChange> events, boolean whole) {
        ResumePoint.At marked = following.marked();
        // The watch starts at the mark itself; and a member that installed its leader's snapshot
        // sends changes again (etcd's 15271).
        List<KeyChange> fresh =
                events.stream().filter(e -> e.revision() > marked.revision()).toList();
        if (fresh.isEmpty()) {
            return step(following);
        }
        long last = marked.revision();
        for (KeyChange event : fresh) {
            if (event.revision() < last) {
                return onEtcdLost(
                        following,
                        "its watch went back from revision %d to %d"
                                .formatted(last, event.revision()));
            }
            last = event.revision();
        }
        FeedEffect write = new FeedEffect.WriteChanges(marked.epoch(), fresh);
        return whole
                ? step(
                        new Following(following.etcd(), marked.advancedTo(last)),
                        write,
                        progressMark(marked, last))
                : step(following, write);
    }

    /**
     * An unchanged revision is marked as well: the mark says that it is still the newest. A lower
     * one comes from a lagging member, or from an etcd that was restored.
     */
    private static Step onProgress(Following following, long revision) {
        ResumePoint.At marked = following.marked();
        if (revision < marked.revision()) {
            return step(
                    new Verifying(following.etcd(), marked),
                    new FeedEffect.CheckHistory(following.etcd(), marked));
        }
        return step(
                new Following(following.etcd(), marked.advancedTo(revision)),
                progressMark(marked, revision));
    }

    private static FeedEffect progressMark(ResumePoint.At marked, long revision) {
        return new FeedEffect.WriteMark(
                Kind.PROGRESS, marked.epoch(), revision, marked.clusterId());
    }

    private static Step onEtcdLost(FeedState state, String why) {
        ResumePoint.@Nullable At held =
                switch (state) {
                    case Following(_, ResumePoint.At marked) -> marked;
                    case Verifying(_, ResumePoint.At marked) -> marked;
                    case Gap(ResumePoint.At marked, _) -> marked;
                    case Checking(ResumePoint.@Nullable At before) -> before;
                    case Waiting(ResumePoint.@Nullable At before, _) -> before;
                    case Idle _,
                            OpeningTopic _,
                            FindingBackfillRevision _,
                            NewEpoch _,
                            Listing _,
                            ReconcilingGap _,
                            Stopped _ ->
                            null;
                };
        String text = why.startsWith("etcd") ? why : "etcd: " + why;
        if (held == null) {
            return reopen(text);
        }
        return step(
                new Waiting(held, text),
                new FeedEffect.StopWatch(),
                new FeedEffect.Commit(),
                new FeedEffect.RetryLater(text));
    }

    private static Step onSinkLost(String why) {
        return reopen("Kafka: " + why);
    }

    private static Step reopen(String why) {
        return step(
                new Waiting(null, why),
                new FeedEffect.StopWatch(),
                new FeedEffect.CloseTopic(),
                new FeedEffect.RetryLater(why));
    }

    private static Step stop(String why, FeedState.End end) {
        return step(
                new Stopped(why, end),
                new FeedEffect.StopWatch(),
                new FeedEffect.CloseTopic(),
                new FeedEffect.Stop(why));
    }

    private static Step unexpected(FeedState state, FeedEvent event) {
        throw new IllegalStateException("%s in state %s".formatted(event, state));
    }

    static Step step(FeedState state, FeedEffect... effects) {
        return new Step(state, List.of(effects));
    }
}
