package io.tidemark.connector.feed;

import io.tidemark.connector.feed.FeedState.Gap;
import io.tidemark.connector.feed.FeedState.ReconcilingGap;
import io.tidemark.connector.feed.FeedStateMachine.Step;
import io.tidemark.connector.source.EtcdView;
import io.tidemark.etcd.RangePage;
import io.tidemark.record.Bytes;
import java.util.ArrayList;
import java.util.List;

/**
 * Steps that reconcile a gap, when etcd compacted what comes after the last mark. The epoch stays,
 * since everything mirrored is still true. The connector lists etcd at its newest revision,
 * compares the list with the topic and writes the differences in one transaction, whose mark raises
 * the floor to that revision. Interrupted at any point it starts over, as the resume point stays
 * compacted.
 */
final class GapSteps {
    private GapSteps() {}

    static Step begin(ResumePoint.At marked, long compactRevision) {
        return FeedStateMachine.step(
                new Gap(marked, compactRevision),
                new FeedEffect.StopWatch(),
                new FeedEffect.Commit(),
                new FeedEffect.LoadTopicKeyVersions(marked));
    }

    static Step list(Gap gap, EtcdView etcd, Bytes prefix) {
        ResumePoint.At marked = gap.marked();
        return FeedStateMachine.otherEtcd(etcd, marked)
                .map(why -> FeedStateMachine.newEpoch(marked.epoch() + 1, false, why))
                .orElseGet(() ->
                        FeedStateMachine.step(
                                new ReconcilingGap(etcd, marked, gap.compactRevision(), 0, 0),
                                new FeedEffect.ListPage(prefix, etcd.revision())));
    }

    static Step onPage(ReconcilingGap gap, RangePage page, GapPolicy onGap) {
        EtcdView etcd = gap.etcd();
        ResumePoint.At marked = gap.marked();
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
                            gap.compactRevision(),
                            gap.objects() + page.keyValues().size(),
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

    /**
     * The list's revision was compacted as well: list at a newer one. The aborted writes count as
     * held by the topic.
     */
    static Step again(ReconcilingGap gap) {
        return FeedStateMachine.step(
                new Gap(gap.marked(), gap.compactRevision()),
                new FeedEffect.Abort(),
                new FeedEffect.LoadTopicKeyVersions(gap.marked()));
    }
}
