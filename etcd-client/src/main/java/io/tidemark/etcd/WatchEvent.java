package io.tidemark.etcd;

import java.util.List;

/** What a watch tells, in order. After an {@link End} nothing follows. */
public sealed interface WatchEvent {
    /**
     * The watch stands; always the first event. Not progress: changes at or below this revision may
     * still follow, when it started in the past.
     *
     * @param clusterId of the cluster that answered, unsigned
     */
    record Created(long revision, long clusterId) implements WatchEvent {}

    /**
     * Changes in etcd's order, at rising revisions. Every revision is whole, but for one that is
     * too large to be held: of such a one these may be a part, and the next ones go on with it.
     *
     * @param throughRevision all changes through it have been told: the last change's revision, or
     *     one less when more of that may follow
     * @param currentRevision where etcd stood, for measuring lag; not progress
     */
    record Changes(List<KeyChange> changes, long throughRevision, long currentRevision)
            implements WatchEvent {
        public Changes {
            changes = List.copyOf(changes);
        }

        /** Whether nothing of the last change's revision follows. */
        public boolean isWhole() {
            return changes.getLast().revision() <= throughRevision;
        }
    }

    /** All changes through {@code revision} have been told. Never goes back. */
    record Progress(long revision) implements WatchEvent {}

    /** The watch is over; going on is for the reader to decide, after the last revision it saw. */
    sealed interface End extends WatchEvent {}

    /**
     * The next revision this watch needs is compacted away, so that changes are lost to it.
     *
     * @param compactRevision the oldest revision that can still be listed; changes after it can be
     *     watched
     */
    record Compacted(long compactRevision) implements End {}

    /** The stream broke, or etcd ended the watch for the reason given. */
    record Failed(EtcdException cause) implements End {}
}
