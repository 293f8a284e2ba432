package io.tidemark.connector.feed;

import io.tidemark.connector.source.EtcdView;
import io.tidemark.etcd.KeyChange;
import io.tidemark.etcd.RangePage;
import java.util.List;

/** An event of the feed: the answer to an effect, or something that happens by itself. */
public sealed interface FeedEvent {
    /** Whether this answer cancels the remaining effects of its step. */
    default boolean isFailure() {
        return switch (this) {
            case EtcdLost _, SinkLost _, Fenced _, HistoryMismatch _, TopicInvalid _ -> true;
            case FeedStarted _,
                    EtcdChecked _,
                    TopicOpened _,
                    HistoryVerified _,
                    HistoryCompacted _,
                    TopicKeysLoaded _,
                    OldestRevisionFound _,
                    PageListed _,
                    ListCompacted _,
                    RelistRequested _,
                    WatchOpened _,
                    Changed _,
                    Progressed _,
                    WatchCompacted _,
                    CommitDue _,
                    Closing _,
                    RetryDue _ ->
                    false;
        };
    }

    /** The feed starts. */
    record FeedStarted() implements FeedEvent {}

    /** Answer to {@link FeedEffect.CheckEtcd}. */
    record EtcdChecked(EtcdView etcd) implements FeedEvent {}

    /** etcd does not answer, or the watch broke. */
    record EtcdLost(String why) implements FeedEvent {}

    /** Answer to {@link FeedEffect.OpenTopic}: former writers are fenced. */
    record TopicOpened(ResumePoint resume) implements FeedEvent {}

    /** The topic exists with settings that would corrupt the mirror. */
    record TopicInvalid(String why) implements FeedEvent {}

    /** This etcd has the mirrored history, and everything that is still to be read of it. */
    record HistoryVerified() implements FeedEvent {}

    /** etcd compacted what is to be read next; {@code compactRevision} is the oldest it has. */
    record HistoryCompacted(long compactRevision) implements FeedEvent {}

    /** This etcd has another history than the one that was mirrored. */
    record HistoryMismatch(String why) implements FeedEvent {}

    /** Answer to {@link FeedEffect.LoadTopicKeys} and {@link FeedEffect.LoadTopicKeyVersions}. */
    record TopicKeysLoaded(long keys) implements FeedEvent {}

    /** Answer to {@link FeedEffect.FindOldestRevision}. */
    record OldestRevisionFound(long revision) implements FeedEvent {}

    /** Answer to {@link FeedEffect.ListPage}. */
    record PageListed(RangePage page) implements FeedEvent {}

    /** The revision being listed was compacted. */
    record ListCompacted() implements FeedEvent {}

    /** Relist everything of this epoch, in a new one. */
    record RelistRequested(long epoch, String why) implements FeedEvent {}

    /** The watch is open, at a member of this cluster. */
    record WatchOpened(long clusterId) implements FeedEvent {}

    /**
     * Changes, in order.
     *
     * @param whole whether the last one's revision is complete
     */
    record Changed(List<KeyChange> events, boolean whole) implements FeedEvent {
        public Changed {
            events = List.copyOf(events);
        }

        /** Changes of whole revisions. */
        public Changed(List<KeyChange> events) {
            this(events, true);
        }
    }

    /** Every change through {@code revision} has arrived. */
    record Progressed(long revision) implements FeedEvent {}

    /** The watch ended: the revision it needs next was compacted. */
    record WatchCompacted(long compactRevision) implements FeedEvent {}

    /** A commit is due. */
    record CommitDue() implements FeedEvent {}

    /** The feed is being closed. */
    record Closing() implements FeedEvent {}

    /** The pause after a fault is over. */
    record RetryDue() implements FeedEvent {}

    /**
     * A write or a commit failed: everything after the last committed mark must be written again.
     */
    record SinkLost(String why) implements FeedEvent {}

    /** Another connector took over the topic. */
    record Fenced(String why) implements FeedEvent {}
}
