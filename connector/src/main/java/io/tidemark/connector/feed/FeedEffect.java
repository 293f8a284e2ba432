package io.tidemark.connector.feed;

import io.tidemark.connector.source.EtcdView;
import io.tidemark.etcd.KeyChange;
import io.tidemark.etcd.KeyValue;
import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import java.util.List;

/**
 * An action that the state machine requests. The effects of one step run in order; when one fails,
 * the failure is the next event and the rest are dropped.
 */
public sealed interface FeedEffect {
    /** Read etcd's status: {@link FeedEvent.EtcdChecked} or {@link FeedEvent.EtcdLost}. */
    record CheckEtcd() implements FeedEffect {}

    /** Check the topic's settings, fence former writers, read the last committed marks. */
    record OpenTopic() implements FeedEffect {}

    /** Load the keys that the topic holds, including aborted writes. */
    record LoadTopicKeys() implements FeedEffect {}

    /**
     * Check that etcd's history is the one that was mirrored, and that everything after {@code
     * marked} is still readable: {@link FeedEvent.HistoryVerified}, {@link
     * FeedEvent.HistoryCompacted} or {@link FeedEvent.HistoryMismatch}.
     */
    record CheckHistory(EtcdView etcd, ResumePoint.At marked) implements FeedEffect {}

    /** Load the version of each key that the topic holds, to compare them with a list. */
    record LoadTopicKeyVersions(ResumePoint.At marked) implements FeedEffect {}

    /** Find the oldest revision that etcd can still read. */
    record FindOldestRevision() implements FeedEffect {}

    /** Ask for the next page of the list. */
    record ListPage(Bytes fromKeyInclusive, long revision) implements FeedEffect {}

    /** A write to the topic, or a transaction boundary; its only answer is a failure. */
    sealed interface TopicWrite extends FeedEffect {}

    /** Write a page of the list. */
    record WriteListed(long epoch, List<KeyValue> keyValues) implements TopicWrite {
        public WriteListed {
            keyValues = List.copyOf(keyValues);
        }
    }

    /**
     * Write a delete, at {@code revision}, for each key that the topic holds and the list lacks.
     */
    record DeleteStaleKeys(long epoch, long revision) implements TopicWrite {}

    /**
     * Write the keys of a page of the list that the topic lacks. May find another history: {@link
     * FeedEvent.HistoryMismatch}.
     */
    record WriteGapPuts(long epoch, List<KeyValue> keyValues) implements TopicWrite {
        public WriteGapPuts {
            keyValues = List.copyOf(keyValues);
        }
    }

    /**
     * Write a delete, at {@code revision}, for each key that some reader of the topic may hold and
     * the list lacks. May find no proof that this is the mirrored history: {@link
     * FeedEvent.HistoryMismatch}.
     */
    record WriteGapDeletes(long epoch, long revision) implements TopicWrite {}

    /** Write changes; the first may continue the revision of the last ones written. */
    record WriteChanges(long epoch, List<KeyChange> events) implements TopicWrite {
        public WriteChanges {
            events = List.copyOf(events);
        }
    }

    /** Write a tide mark to every partition. */
    record WriteMark(Change.TideMark.Kind kind, long epoch, long revision, long clusterId)
            implements TopicWrite {}

    /** Commit the transaction, if there is one. */
    record Commit() implements TopicWrite {}

    /** Begin a transaction by writing the last mark again, and wait for the acknowledgement. */
    record BeginTransaction() implements TopicWrite {}

    /** Abort what was written since the last commit, if anything. */
    record Abort() implements TopicWrite {}

    /** Release the topic; it is opened again before the next write. */
    record CloseTopic() implements FeedEffect {}

    /** Watch etcd for what comes after a revision. */
    record StartWatch(long revision) implements FeedEffect {
        static StartWatch after(ResumePoint.At marked) {
            return new StartWatch(marked.revision());
        }
    }

    /** Stop the watch; events received and not yet handled are dropped. */
    record StopWatch() implements FeedEffect {}

    /** Send {@link FeedEvent.RetryDue} after a pause that grows with each failure in a row. */
    record RetryLater(String why) implements FeedEffect {}

    /** Write nothing more, ever. */
    record Stop(String why) implements FeedEffect {}
}
