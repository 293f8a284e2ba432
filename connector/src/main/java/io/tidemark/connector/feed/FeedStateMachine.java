package io.tidemark.connector.feed;

import io.tidemark.connector.feed.FeedState.Checking;
import io.tidemark.connector.feed.FeedState.Following;
import io.tidemark.connector.feed.FeedState.Gap;
import io.tidemark.connector.feed.FeedState.Idle;
import io.tidemark.connector.feed.FeedState.Listing;
import io.tidemark.connector.feed.FeedState.Locating;
import io.tidemark.connector.feed.FeedState.NewEpoch;
import io.tidemark.connector.feed.FeedState.Preparing;
import io.tidemark.connector.feed.FeedState.Stopped;
import io.tidemark.connector.feed.FeedState.Waiting;
import io.tidemark.connector.source.EtcdEvent;
import io.tidemark.connector.source.EtcdSource;
import io.tidemark.connector.source.EtcdView;
import io.tidemark.record.Bytes;
import io.tidemark.record.Change.TideMark.Kind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides what the connector does next: a pure function from a state and an event to a state and
 * effects. {@link FeedState} has the picture.
 *
 * <p>Its rules: every list has an epoch of its own, higher than any that the topic holds, so half a
 * list can never be taken for a whole one. A list is one transaction. What was written is marked
 * after whole revisions only, and what was not committed is written again.
 *
 * @param prefix what is mirrored
 * @param backfill most revisions before the newest at which the first list may be taken, at least 0
 */
public record FeedStateMachine(Bytes prefix, long backfill) {
    public FeedStateMachine {
        if (backfill < 0) {
            throw new IllegalArgumentException("backfill: " + backfill);
        }
    }

    /** The state after an event, and what is to be done on the way there, in order. */
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
            case FeedEvent.Begun() ->
                    state instanceof Idle
                            ? step(new Checking(null), new FeedEffect.CheckEtcd())
                            : unexpected(state, event);
            case FeedEvent.EtcdChecked(EtcdView etcd) -> onChecked(state, event, etcd);
            case FeedEvent.TopicOpened(ResumePoint resume) ->
                    state instanceof Preparing(EtcdView etcd)
                            ? resume(etcd, resume)
                            : unexpected(state, event);
            case FeedEvent.LiveKeysRead(_) ->
                    state instanceof NewEpoch begun ? onLiveKeys(begun) : unexpected(state, event);
            case FeedEvent.OldestFound(long oldest) ->
                    state instanceof Locating(EtcdView etcd, long epoch)
                            ? startList(etcd, epoch, listRevision(etcd, oldest))
                            : unexpected(state, event);
            case FeedEvent.PageListed(var page) ->
                    state instanceof Listing listing
                            ? onPage(listing, page)
                            : unexpected(state, event);
            case FeedEvent.ListCompacted() ->
                    state instanceof Listing listing
                            ? restartList(listing)
                            : unexpected(state, event);
            case FeedEvent.WatchOpened(long clusterId) ->
                    state instanceof Following(_, ResumePoint.At marked)
                                    && marked.clusterId() != clusterId
                            ? onEtcdLost(state, "the watch met another cluster")
                            : step(state);
            case FeedEvent.Changed(List<EtcdEvent> events) ->
                    state instanceof Following following
                            ? onChanges(following, events)
                            : step(state);
            case FeedEvent.Progressed(long revision) ->
                    state instanceof Following following
                            ? onProgress(following, revision)
                            : step(state);
            case FeedEvent.WatchCompacted(long compactRevision) ->
                    state instanceof Following(_, ResumePoint.At marked)
                            ? step(
                                    new Gap(marked, compactRevision),
                                    new FeedEffect.StopWatch(),
                                    new FeedEffect.Commit(),
                                    new FeedEffect.CheckEtcd())
                            : step(state);
            case FeedEvent.CommitDue() -> step(state, new FeedEffect.Commit());
            case FeedEvent.RetryDue() ->
                    state instanceof Waiting(ResumePoint.@Nullable At held, _)
                            ? step(new Checking(held), new FeedEffect.CheckEtcd())
                            : unexpected(state, event);
            case FeedEvent.EtcdLost(String why) -> onEtcdLost(state, why);
            case FeedEvent.SinkLost(String why) -> onSinkLost(why);
            case FeedEvent.TopicUnfit(String why) -> stop(why, FeedState.End.UNFIT);
            case FeedEvent.Fenced(String why) -> stop(why, FeedState.End.SHUT_OUT);
        };
    }

    private Step onChecked(FeedState state, FeedEvent event, EtcdView etcd) {
        return switch (state) {
            case Checking(ResumePoint.@Nullable At held) ->
                    held == null
                            ? step(new Preparing(etcd), new FeedEffect.OpenTopic())
                            : resume(etcd, held);
            case Gap gap -> bridge(gap, etcd);
            case Idle _, Preparing _, Locating _, NewEpoch _, Listing _, Following _ ->
                    unexpected(state, event);
            case Waiting _, Stopped _ -> unexpected(state, event);
        };
    }

    private static Step resume(EtcdView etcd, ResumePoint resume) {
        return switch (resume) {
            case ResumePoint.Empty() -> step(new Locating(etcd, 1), new FeedEffect.FindOldest());
            case ResumePoint.Incomplete(long highestEpoch, String why) ->
                    newEpoch(etcd, highestEpoch + 1, true, why);
            case ResumePoint.At at when at.clusterId() != etcd.clusterId() ->
                    newEpoch(
                            etcd,
                            at.epoch() + 1,
                            false,
                            "the mirror is of cluster %x, but this is cluster %x"
                                    .formatted(at.clusterId(), etcd.clusterId()));
            case ResumePoint.At at when at.revision() > etcd.revision() ->
                    newEpoch(
                            etcd,
                            at.epoch() + 1,
                            false,
                            "the mirror is at revision %d, but etcd only at %d: it was set back"
                                    .formatted(at.revision(), etcd.revision()));
            case ResumePoint.At at -> follow(etcd, at);
        };
    }

    /**
     * What happened in the gap is lost, but the history before it is still good: here it is to be
     * bridged within the epoch, by a list that is compared with the topic. Until then, a gap begins
     * a new epoch, which is right and costs watchers their place.
     */
    private static Step bridge(Gap gap, EtcdView etcd) {
        ResumePoint.At marked = gap.marked();
        return newEpoch(
                etcd,
                marked.epoch() + 1,
                false,
                "the mirror is at revision %d, but etcd has compacted through %d"
                        .formatted(marked.revision(), gap.compactRevision()));
    }

    private static Step newEpoch(EtcdView etcd, long epoch, boolean fromOldest, String why) {
        return step(new NewEpoch(etcd, epoch, fromOldest, why), new FeedEffect.ReadLiveKeys());
    }

    private Step onLiveKeys(NewEpoch begun) {
        return begun.fromOldest()
                ? step(new Locating(begun.etcd(), begun.epoch()), new FeedEffect.FindOldest())
                : startList(begun.etcd(), begun.epoch(), begun.etcd().revision());
    }

    private long listRevision(EtcdView etcd, long oldest) {
        return Math.max(1, Math.max(oldest, etcd.revision() - backfill));
    }

    private Step startList(EtcdView etcd, long epoch, long revision) {
        return step(
                new Listing(etcd, epoch, revision, 0, 0),
                new FeedEffect.WriteMark(Kind.LIST_BEGIN, epoch, revision, etcd.clusterId()),
                new FeedEffect.ListPage(prefix, revision));
    }

    private static Step onPage(Listing listing, EtcdSource.Page page) {
        long epoch = listing.epoch();
        long revision = listing.revision();
        List<FeedEffect> effects = new ArrayList<>();
        effects.add(new FeedEffect.WriteListed(epoch, page.keyValues()));
        if (page.more()) {
            Bytes next = page.keyValues().getLast().key().successor();
            effects.add(new FeedEffect.ListPage(next, revision));
            long objects = listing.objects() + page.keyValues().size();
            return new Step(
                    new Listing(listing.etcd(), epoch, revision, objects, page.remaining()),
                    effects);
        }
        long clusterId = listing.etcd().clusterId();
        effects.add(new FeedEffect.BuryGhosts(epoch, revision));
        effects.add(new FeedEffect.WriteMark(Kind.LIST_END, epoch, revision, clusterId));
        effects.add(new FeedEffect.Commit());
        Step follow = follow(listing.etcd(), new ResumePoint.At(epoch, revision, clusterId));
        effects.addAll(follow.effects());
        return new Step(follow.state(), effects);
    }

    /** What the list has written so far is taken back; its keys count as held by the topic. */
    private static Step restartList(Listing listing) {
        String why =
                "revision %d was compacted away while it was listed".formatted(listing.revision());
        return step(
                new NewEpoch(listing.etcd(), listing.epoch() + 1, true, why),
                new FeedEffect.Abort(),
                new FeedEffect.ReadLiveKeys());
    }

    private static Step follow(EtcdView etcd, ResumePoint.At marked) {
        return step(new Following(etcd, marked), new FeedEffect.StartWatch(marked.revision() + 1));
    }

    private static Step onChanges(Following following, List<EtcdEvent> events) {
        ResumePoint.At marked = following.marked();
        // A member that installed its leader's snapshot tells of changes again (etcd's 15271).
        List<EtcdEvent> fresh =
                events.stream().filter(e -> e.modRevision() > marked.revision()).toList();
        if (fresh.isEmpty()) {
            return step(following);
        }
        long last = marked.revision();
        for (EtcdEvent event : fresh) {
            if (event.modRevision() < last) {
                return onEtcdLost(
                        following,
                        "its watch went back from revision %d to %d"
                                .formatted(last, event.modRevision()));
            }
            last = event.modRevision();
        }
        return step(
                new Following(following.etcd(), marked.advancedTo(last)),
                new FeedEffect.WriteChanges(marked.epoch(), fresh),
                progressMark(marked, last));
    }

    /** An unchanged revision is marked as well: the mark says that it is still the newest. */
    private static Step onProgress(Following following, long revision) {
        ResumePoint.At marked = following.marked();
        if (revision < marked.revision()) {
            return step(following);
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
                    case Gap(ResumePoint.At marked, _) -> marked;
                    case Checking(ResumePoint.@Nullable At before) -> before;
                    case Waiting(ResumePoint.@Nullable At before, _) -> before;
                    case Idle _, Preparing _, Locating _, NewEpoch _, Listing _, Stopped _ -> null;
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

    private static Step step(FeedState state, FeedEffect... effects) {
        return new Step(state, List.of(effects));
    }
}
