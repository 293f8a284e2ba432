package io.tidemark.connector.feed;

import io.tidemark.connector.source.EtcdEvent;
import io.tidemark.connector.source.EtcdKeyValue;
import io.tidemark.connector.source.EtcdView;
import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import java.util.List;

/**
 * What is to be done now. The effects of one step are done in order; when one fails, the failure is
 * the next event and those after it are dropped.
 */
public sealed interface FeedEffect {
    /** Ask etcd where it stands: {@link FeedEvent.EtcdChecked} or {@link FeedEvent.EtcdLost}. */
    record CheckEtcd() implements FeedEffect {}

    /**
     * Make sure of the topic's settings, fence off former writers, read the last committed marks.
     */
    record OpenTopic() implements FeedEffect {}

    /** Read which keys the topic holds, aborted writes included. */
    record LoadTopicKeys() implements FeedEffect {}

    /**
     * Make sure that etcd's history is the one that was mirrored, and that all after {@code marked}
     * is still there: {@link FeedEvent.HistoryVerified}, {@link FeedEvent.HistoryCompacted} or
     * {@link FeedEvent.HistoryMismatch}.
     */
    record CheckHistory(EtcdView etcd, ResumePoint.At marked) implements FeedEffect {}

    /** Read which keys the topic holds in which version, to be compared with a list. */
    record LoadTopicKeyVersions(ResumePoint.At marked) implements FeedEffect {}

    /** Find the oldest revision that etcd still has. */
    record FindOldestRevision() implements FeedEffect {}

    /** Ask for the next page of the list. */
    record ListPage(Bytes fromKeyInclusive, long revision) implements FeedEffect {}

    /** Something to be written to the topic, or about what was; it has no answer but a failure. */
    sealed interface TopicWrite extends FeedEffect {}

    /** Write a page of the list. */
    record WriteListed(long epoch, List<EtcdKeyValue> keyValues) implements TopicWrite {
        public WriteListed {
            keyValues = List.copyOf(keyValues);
        }
    }

    /**
     * Write a delete, at {@code revision}, for each key that the topic holds and the list lacks.
     */
    record DeleteStaleKeys(long epoch, long revision) implements TopicWrite {}

    /**
     * Write what the topic lacks of a page of the list. May find that this is another history:
     * {@link FeedEvent.HistoryMismatch}.
     */
    record WriteGapPuts(long epoch, List<EtcdKeyValue> keyValues) implements TopicWrite {
        public WriteGapPuts {
            keyValues = List.copyOf(keyValues);
        }
    }

    /**
     * Write a delete, at {@code revision}, for each key that some reader of the topic may hold and
     * the list lacks. May find that nothing shows this to be the mirrored history: {@link
     * FeedEvent.HistoryMismatch}.
     */
    record WriteGapDeletes(long epoch, long revision) implements TopicWrite {}

    /** Write changes; the first may go on with the revision of the last ones written. */
    record WriteChanges(long epoch, List<EtcdEvent> events) implements TopicWrite {
        public WriteChanges {
            events = List.copyOf(events);
        }
    }

    /** Write a tide mark to every partition. */
    record WriteMark(Change.TideMark.Kind kind, long epoch, long revision, long clusterId)
            implements TopicWrite {}

    /** End the transaction: all that was written stands. Nothing to do when there is none. */
    record Commit() implements TopicWrite {}

    /** Write the last mark again, the first thing of the next transaction, and wait for it. */
    record BeginTransaction() implements TopicWrite {}

    /** Take back what was written since the last commit. Nothing to do when that is nothing. */
    record Abort() implements TopicWrite {}

    /** Let the topic go: it is opened again before the next write. */
    record CloseTopic() implements FeedEffect {}

    /** Follow etcd's changes from a revision on. */
    record StartWatch(long fromRevisionInclusive) implements FeedEffect {
        /**
         * For what comes after a mark, the watch begins at the mark's own revision, whose changes
         * are dropped: etcd from 3.4.38, 3.5.22 and 3.6.2 on sends no progress to a watch that
         * starts above its revision (20221), and so none to one that starts behind the newest
         * revision, until the next write. It loses nothing: a mark whose revision was compacted is
         * a gap anyway.
         */
        static StartWatch after(ResumePoint.At marked) {
            // To etcd, 0 means "whatever comes after now".
            return new StartWatch(Math.max(1, marked.revision()));
        }
    }

    /** Stop following; what was received and not yet handled is dropped. */
    record StopWatch() implements FeedEffect {}

    /** Send {@link FeedEvent.RetryDue} after a pause that grows with each failure in a row. */
    record RetryLater(String why) implements FeedEffect {}

    /** Write nothing more, ever. */
    record Stop(String why) implements FeedEffect {}
}
