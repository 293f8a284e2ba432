package io.tidemark.connector.feed;

import io.tidemark.connector.feed.FeedState.Gap;
import io.tidemark.connector.feed.FeedState.LoadingTopicKeys;
import io.tidemark.connector.feed.FeedState.ReconcilingGap;
import io.tidemark.connector.feed.FeedStateMachine.Step;
import io.tidemark.connector.source.EtcdSource;
import io.tidemark.connector.source.EtcdView;
import io.tidemark.record.Bytes;
import java.util.ArrayList;
import java.util.List;

/**
 * The way across a gap: etcd compacted what comes after the last mark. The epoch stays, since all
 * that was mirrored is still true. etcd is listed at its newest revision and compared with the
 * topic; what is missing is written in one transaction, whose mark raises the floor to that
 * revision. Cut off at any point it is begun again, as the resume point stays compacted.
 */
final class GapSteps {
    private GapSteps() {}

    static Step begin(ResumePoint.At marked, long compactRevision) {
        return FeedStateMachine.step(
                new Gap(marked, compactRevision),
                new FeedEffect.StopWatch(),
                new FeedEffect.Commit(),
                new FeedEffect.CheckEtcd());
    }

    static Step compare(Gap gap, EtcdView etcd) {
        ResumePoint.At marked = gap.marked();
        return FeedStateMachine.otherEtcd(etcd, marked)
                .map(why -> FeedStateMachine.newEpoch(etcd, marked.epoch() + 1, false, why))
                .orElseGet(() ->
                        FeedStateMachine.step(
                                new LoadingTopicKeys(etcd, marked, gap.compactRevision()),
                                new FeedEffect.LoadTopicKeyVersions(marked)));
    }

    static Step list(LoadingTopicKeys comparing, Bytes prefix) {
        EtcdView etcd = comparing.etcd();
        return FeedStateMachine.step(
                new ReconcilingGap(etcd, comparing.marked(), comparing.compactRevision(), 0, 0),
                new FeedEffect.ListPage(prefix, etcd.revision()));
    }

    static Step onPage(ReconcilingGap crossing, EtcdSource.Page page, GapPolicy onGap) {
        EtcdView etcd = crossing.etcd();
        ResumePoint.At marked = crossing.marked();
        long revision = etcd.revision();
        List<FeedEffect> effects = new ArrayList<>();
        effects.add(new FeedEffect.WriteGapPuts(marked.epoch(), page.keyValues()));
        if (page.more()) {
            Bytes next = page.keyValues().getLast().key().successor();
            effects.add(new FeedEffect.ListPage(next, revision));
            return new Step(
                    new ReconcilingGap(
                            etcd,
                            marked,
                            crossing.compactRevision(),
                            crossing.objects() + page.keyValues().size(),
                            page.remaining()),
                    effects);
        }
        effects.add(new FeedEffect.WriteGapDeletes(marked.epoch(), revision));
        effects.add(
                new FeedEffect.WriteMark(
                        onGap.mark(), marked.epoch(), revision, marked.clusterId()));
        effects.add(new FeedEffect.Commit());
        Step follow = FeedStateMachine.follow(etcd, marked.advancedTo(revision));
        effects.addAll(follow.effects());
        return new Step(follow.state(), effects);
    }

    /** The list's revision was compacted away as well: a newer one is asked for. */
    static Step again(ReconcilingGap crossing) {
        return FeedStateMachine.step(
                new Gap(crossing.marked(), crossing.compactRevision()),
                new FeedEffect.Abort(),
                new FeedEffect.CheckEtcd());
    }
}
