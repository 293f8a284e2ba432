package io.tidemark.connector.feed;

import io.tidemark.connector.source.EtcdView;
import org.jspecify.annotations.Nullable;

/**
 * State of the feed: the loop of the leading connector that reads etcd and writes the mirror topic.
 * It lists every key once, then follows etcd's watch. After each batch of changes it writes a tide
 * mark, the record that states the revision through which all changes are written. The topic is the
 * feed's only persistent state: it resumes at the last committed marks ({@code marked} below: their
 * epoch, lowest revision and cluster id). It lists again, in a new epoch, if the topic is
 * incomplete or has another history than etcd. If etcd has compacted revisions before they were
 * read, which is a gap, the feed writes the net changes of that gap and keeps the epoch. {@code
 * etcd} is etcd's cluster id, newest revision and version as last read. Loading the topic's keys
 * may take longer than etcd keeps a revision, so etcd is read after it. The transitions:
 *
 * <pre>
 *   Idle, Waiting           ─► Checking
 *   Checking                ─► OpeningTopic
 *                           ─► Verifying                 the topic is still open
 *   OpeningTopic            ─► FindingBackfillRevision   the topic is empty
 *                           ─► NewEpoch                  it is incomplete, or of another cluster
 *                           ─► Verifying                 it has marks
 *   FindingBackfillRevision ─► Listing
 *   NewEpoch                ─► FindingBackfillRevision, or Listing
 *   Listing                 ─► Following
 *                           ─► NewEpoch                  its revision was compacted
 *   Verifying               ─► Following
 *                           ─► Gap                       compacted
 *                           ─► NewEpoch                  another history
 *   Following               ─► Verifying                 progress went back
 *                           ─► Gap                       compacted
 *                           ─► NewEpoch                  relist requested
 *   Gap                     ─► ReconcilingGap
 *                           ─► NewEpoch                  another history
 *   ReconcilingGap          ─► Following
 *                           ─► NewEpoch                  another history
 *                           ─► Gap                       its revision was compacted
 *   any                     ─► Waiting                   etcd or Kafka lost
 *                           ─► Stopped                   fenced, or the topic is invalid
 * </pre>
 */
public sealed interface FeedState {
    /** Not started. */
    record Idle() implements FeedState {}

    /**
     * Reading etcd's status.
     *
     * @param held resume point of the open topic; null when the topic is to be opened afterwards
     */
    record Checking(ResumePoint.@Nullable At held) implements FeedState {}

    /**
     * Checking the topic's settings, fencing former writers, whose writes Kafka refuses from then
     * on, and reading the last marks.
     */
    record OpeningTopic(EtcdView etcd) implements FeedState {}

    /**
     * Finding the oldest revision that etcd can still read. A list at that revision and a watch
     * from there fill the mirror with history from before the feed's start: the backfill.
     */
    record FindingBackfillRevision(EtcdView etcd, long epoch) implements FeedState {}

    /**
     * A new history begins. The feed loads the keys in the topic, to delete those that the new list
     * lacks, and then reads etcd's status.
     *
     * @param epoch number of the new epoch
     * @param fromOldest whether to list at the oldest revision within the configured backfill, or
     *     at the newest
     */
    record NewEpoch(long epoch, boolean fromOldest, String why) implements FeedState {}

    /**
     * Writing the list as of {@code revision}.
     *
     * @param objects keys listed so far
     * @param remaining keys still to come; 0 before the first page
     */
    record Listing(EtcdView etcd, long epoch, long revision, long objects, long remaining)
            implements FeedState {}

    /**
     * The watch after {@code marked} is open. Before any of its changes is written, the feed
     * compares a sample of etcd's keys with the topic: they differ if etcd was restored or
     * replaced.
     */
    record Verifying(EtcdView etcd, ResumePoint.At marked) implements FeedState {}

    /** Writing etcd's changes as they arrive; all through {@code marked} are written. */
    record Following(EtcdView etcd, ResumePoint.At marked) implements FeedState {}

    /**
     * etcd compacted the revisions after {@code marked}, up to {@code compactRevision}, before they
     * were read. The feed loads the topic's keys, to compare them with etcd, and then reads etcd's
     * status.
     */
    record Gap(ResumePoint.At marked, long compactRevision) implements FeedState {}

    /**
     * Comparing the list as of {@code etcd}'s revision with the topic and writing the differences,
     * in one transaction that ends with the gap's mark.
     *
     * @param objects keys compared so far
     * @param remaining keys still to come; 0 before the first page
     */
    record ReconcilingGap(
            EtcdView etcd,
            ResumePoint.At marked,
            long compactRevision,
            long objects,
            long remaining)
            implements FeedState {}

    /**
     * Pausing after a fault.
     *
     * @param held resume point if the topic is still open; null when it is to be opened again
     */
    record Waiting(ResumePoint.@Nullable At held, String why) implements FeedState {}

    /** Final: this feed writes nothing more. */
    record Stopped(String why, End end) implements FeedState {}

    /** Why a feed ended by itself. */
    enum End {
        /**
         * Another producer has fenced this one, mostly that of another connector: a new term may
         * follow.
         */
        FENCED,
        /** The topic has unsuitable settings, or there is a bug: a retry would not help. */
        INVALID_TOPIC
    }

    /** The history being written; null when there is none. */
    default ResumePoint.@Nullable At history() {
        return switch (this) {
            case Following(_, ResumePoint.At marked) -> marked;
            case Verifying(_, ResumePoint.At marked) -> marked;
            case Gap(ResumePoint.At marked, _) -> marked;
            case ReconcilingGap(_, ResumePoint.At marked, _, _, _) -> marked;
            case Waiting(ResumePoint.@Nullable At at, _) -> at;
            case Checking(ResumePoint.@Nullable At at) -> at;
            case Listing(EtcdView etcd, long epoch, long revision, _, _) ->
                    new ResumePoint.At(epoch, revision, etcd.clusterId());
            case Idle _, OpeningTopic _, FindingBackfillRevision _, NewEpoch _, Stopped _ -> null;
        };
    }
}
