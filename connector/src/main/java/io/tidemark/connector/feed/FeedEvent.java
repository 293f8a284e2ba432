package io.tidemark.connector.feed;

import io.tidemark.connector.source.EtcdEvent;
import io.tidemark.connector.source.EtcdSource;
import io.tidemark.connector.source.EtcdView;
import java.util.List;

/** What happens to the feed: answers to its effects, and what comes by itself. */
public sealed interface FeedEvent {
    /** Whether the effects that were still to be carried out are void when this is the answer. */
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

    /** Start. */
    record FeedStarted() implements FeedEvent {}

    /** Answer to {@link FeedEffect.CheckEtcd}. */
    record EtcdChecked(EtcdView etcd) implements FeedEvent {}

    /** etcd does not answer, or the watch broke off. */
    record EtcdLost(String why) implements FeedEvent {}

    /** Answer to {@link FeedEffect.OpenTopic}: former writers are fenced off. */
    record TopicOpened(ResumePoint resume) implements FeedEvent {}

    /** The topic exists and is set up in a way that would damage the mirror. */
    record TopicInvalid(String why) implements FeedEvent {}

    /** This etcd has the history that was mirrored, and all of it that is still to be read. */
    record HistoryVerified() implements FeedEvent {}

    /** etcd has compacted what is to be read next; {@code compactRevision} is the oldest it has. */
    record HistoryCompacted(long compactRevision) implements FeedEvent {}

    /** This etcd has another history than the one that was mirrored. */
    record HistoryMismatch(String why) implements FeedEvent {}

    /** Answer to {@link FeedEffect.LoadTopicKeys} and {@link FeedEffect.LoadTopicKeyVersions}. */
    record TopicKeysLoaded(long keys) implements FeedEvent {}

    /** Answer to {@link FeedEffect.FindOldestRevision}. */
    record OldestRevisionFound(long revision) implements FeedEvent {}

    /** Answer to {@link FeedEffect.ListPage}. */
    record PageListed(EtcdSource.Page page) implements FeedEvent {}

    /** The revision being listed was compacted away. */
    record ListCompacted() implements FeedEvent {}

    /** Everything of this epoch is to be told again, in a new one. */
    record RelistRequested(long epoch, String why) implements FeedEvent {}

    /** The watch stands, at a member of this cluster. */
    record WatchOpened(long clusterId) implements FeedEvent {}

    /**
     * Changes, in order.
     *
     * @param whole whether nothing of the last one's revision follows
     */
    record Changed(List<EtcdEvent> events, boolean whole) implements FeedEvent {
        public Changed {
            events = List.copyOf(events);
        }

        /** Of whole revisions. */
        public Changed(List<EtcdEvent> events) {
            this(events, true);
        }
    }

    /** Every change through {@code revision} has come. */
    record Progressed(long revision) implements FeedEvent {}

    /** The watch ended: what it needs next was compacted away. */
    record WatchCompacted(long compactRevision) implements FeedEvent {}

    /** It is time to commit what was written. */
    record CommitDue() implements FeedEvent {}

    /** Nothing more will be written. */
    record Closing() implements FeedEvent {}

    /** The pause after a fault is over. */
    record RetryDue() implements FeedEvent {}

    /**
     * A write or a commit failed: what stands after the last committed mark must be written again.
     */
    record SinkLost(String why) implements FeedEvent {}

    /** Another connector took over the topic. */
    record Fenced(String why) implements FeedEvent {}
}
