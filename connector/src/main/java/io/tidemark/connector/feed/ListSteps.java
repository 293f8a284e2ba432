package io.tidemark.connector.feed;

import io.tidemark.connector.feed.FeedState.FindingBackfillRevision;
import io.tidemark.connector.feed.FeedState.Listing;
import io.tidemark.connector.feed.FeedState.NewEpoch;
import io.tidemark.connector.feed.FeedStateMachine.Step;
import io.tidemark.connector.source.EtcdView;
import io.tidemark.etcd.RangePage;
import io.tidemark.record.Bytes;
import io.tidemark.record.Change.TideMark.Kind;
import java.util.ArrayList;
import java.util.List;

/**
 * Steps of a list, which begins an epoch: pages, deletes of stale keys, the end mark, all in one
 * transaction.
 *
 * @param backfill most revisions before the newest at which the list may be taken
 */
record ListSteps(Bytes prefix, long backfill) {
    Step begin(NewEpoch begun, EtcdView etcd) {
        return begun.fromOldest()
                ? FeedStateMachine.step(
                        new FindingBackfillRevision(etcd, begun.epoch()),
                        new FeedEffect.FindOldestRevision())
                : startList(etcd, begun.epoch(), etcd.revision());
    }

    Step fromOldest(EtcdView etcd, long epoch, long oldest) {
        long revision = Math.max(1, Math.max(oldest, etcd.revision() - backfill));
        return startList(etcd, epoch, revision);
    }

    private Step startList(EtcdView etcd, long epoch, long revision) {
        return FeedStateMachine.step(
                new Listing(etcd, epoch, revision, 0, 0),
                new FeedEffect.WriteMark(Kind.LIST_BEGIN, epoch, revision, etcd.clusterId()),
                new FeedEffect.ListPage(prefix, revision));
    }

    static Step onPage(Listing listing, RangePage page) {
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
        effects.add(new FeedEffect.DeleteStaleKeys(epoch, revision));
        effects.add(new FeedEffect.WriteMark(Kind.LIST_END, epoch, revision, clusterId));
        effects.add(new FeedEffect.Commit());
        Step follow =
                FeedStateMachine.follow(
                        listing.etcd(), new ResumePoint.At(epoch, revision, clusterId));
        effects.addAll(follow.effects());
        return new Step(follow.state(), effects);
    }

    /**
     * The list's revision was compacted: abort and start over; its keys count as held by the topic.
     * Now at the newest revision, which lasts longest: at the oldest one, a list that takes long
     * might never end.
     */
    static Step again(Listing listing) {
        String why =
                "revision %d was compacted away while it was listed".formatted(listing.revision());
        return FeedStateMachine.step(
                new NewEpoch(listing.epoch() + 1, false, why),
                new FeedEffect.Abort(),
                new FeedEffect.LoadTopicKeys());
    }
}
