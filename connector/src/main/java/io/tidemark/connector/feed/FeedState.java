package io.tidemark.connector.feed;

import io.tidemark.connector.source.EtcdView;
import org.jspecify.annotations.Nullable;

/**
 * Where the feed is.
 *
 * <pre>
 *   Idle ─► Checking ─► Preparing ─┬─ nothing yet ──────────► Locating ─► Listing ─► Following
 *              ▲   │               ├─ marks, no lower revision ─► Verifying ────────────►┤
 *              │   └ sink is held ─┤                 another history │  │ compacted     │
 *              │                   │  ┌──────────────────────────────┘  ▼               │
 *              │                   │  │      Listing ─► Following       Gap ◄───────────┤
 *              │                   ▼  ▼       ▲                          │              │
 *              │                 NewEpoch ────┘   Following ◄─ Crossing ◄─ Comparing    │
 *              │                     ▲        another history │   │                     │
 *              │                     └────────────────────────┘───┘                     │
 *           Waiting ◄── etcd or Kafka lost, from any state                              │
 *                        Stopped ◄── another connector took over, or the topic is unfit ┘
 * </pre>
 */
public sealed interface FeedState {
    /** Not begun. */
    record Idle() implements FeedState {}

    /**
     * etcd is asked where it stands.
     *
     * @param held where the open topic stands; null when the topic is to be opened afterwards
     */
    record Checking(ResumePoint.@Nullable At held) implements FeedState {}

    /** The topic is checked, former writers are fenced off, and its last marks are read. */
    record OpeningTopic(EtcdView etcd) implements FeedState {}

    /** The oldest revision that etcd still has is looked for. */
    record FindingBackfillRevision(EtcdView etcd, long epoch) implements FeedState {}

    /**
     * A new history begins; the keys that the topic holds are read first, so that those which are
     * not in the new list get a delete.
     *
     * @param epoch number of the new epoch
     * @param fromOldest whether to list at the oldest revision, or at the newest
     */
    record NewEpoch(EtcdView etcd, long epoch, boolean fromOldest, String why)
            implements FeedState {}

    /**
     * The list as of {@code revision} is being written.
     *
     * @param objects keys listed so far
     * @param remaining keys still to come; 0 before the first page
     */
    record Listing(EtcdView etcd, long epoch, long revision, long objects, long remaining)
            implements FeedState {}

    /**
     * The watch after {@code marked} stands; before anything of it counts, etcd's history is
     * compared with the mirrored one.
     */
    record Verifying(EtcdView etcd, ResumePoint.At marked) implements FeedState {}

    /** etcd's changes are written as they come; all through {@code marked} have been. */
    record Following(EtcdView etcd, ResumePoint.At marked) implements FeedState {}

    /**
     * etcd compacted the revisions after {@code marked}, up to {@code compactRevision}, before they
     * were read; etcd is asked where it stands now.
     */
    record Gap(ResumePoint.At marked, long compactRevision) implements FeedState {}

    /** The topic is read, to be compared with etcd at its newest revision; the gap is before it. */
    record LoadingTopicKeys(EtcdView etcd, ResumePoint.At marked, long compactRevision)
            implements FeedState {}

    /**
     * The list as of {@code etcd}'s revision is compared with the topic, and what is missing is
     * written, in one transaction that ends with the gap's mark.
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
     * Something broke; it goes on after a pause.
     *
     * @param held where the topic stands if it is still open; null when it is to be opened again
     */
    record Waiting(ResumePoint.@Nullable At held, String why) implements FeedState {}

    /** The end: this feed writes nothing more. */
    record Stopped(String why, End end) implements FeedState {}

    /** Why a feed ended by itself. */
    enum End {
        /** Another connector has taken the topic over. */
        FENCED,
        /** The topic is not as it must be, or there is a bug: it would be no better a next time. */
        INVALID_TOPIC
    }

    /** What is known of the history being written; null when it is not. */
    default ResumePoint.@Nullable At history() {
        return switch (this) {
            case Following(_, ResumePoint.At marked) -> marked;
            case Verifying(_, ResumePoint.At marked) -> marked;
            case Gap(ResumePoint.At marked, _) -> marked;
            case LoadingTopicKeys(_, ResumePoint.At marked, _) -> marked;
            case ReconcilingGap(_, ResumePoint.At marked, _, _, _) -> marked;
            case Waiting(ResumePoint.@Nullable At at, _) -> at;
            case Checking(ResumePoint.@Nullable At at) -> at;
            case Listing(EtcdView etcd, long epoch, long revision, _, _) ->
                    new ResumePoint.At(epoch, revision, etcd.clusterId());
            case Idle _, OpeningTopic _, FindingBackfillRevision _, NewEpoch _, Stopped _ -> null;
        };
    }
}
