package io.tidemark.etcd;

import io.tidemark.etcd.connection.EtcdException;
import java.util.List;

/** An event of a watch, in order. Nothing follows an {@link End}. */
public sealed interface WatchEvent {
    /**
     * The watch is created; always the first event. Not progress: changes at or below this revision
     * may still follow, when it started in the past.
     *
     * @param clusterId of the cluster that answered, unsigned
     */
    record Created(long revision, long clusterId) implements WatchEvent {}

    /**
     * Changes in etcd's order, at rising revisions. Every revision is whole, except one that is too
     * large to be held: of such a one these may be a part, and the next changes continue it.
     *
     * @param throughRevision all changes through it are delivered: the last change's revision, or
     *     one less when more of it may follow
     * @param currentRevision etcd's revision when it responded, for measuring lag; not progress
     */
    record Changes(List<KeyChange> changes, long throughRevision, long currentRevision)
            implements WatchEvent {
        public Changes {
            changes = List.copyOf(changes);
            if (changes.isEmpty()) {
                throw new IllegalArgumentException("a watch delivered no changes");
            }
        }

        /** Whether the last change's revision is complete. */
        public boolean isWhole() {
            return changes.getLast().revision() <= throughRevision;
        }

        /** Approximate size in memory, in bytes. */
        public long size() {
            return changes.stream().mapToLong(KeyChange::size).sum();
        }
    }

    /** All changes through {@code revision} are delivered. Never goes back. */
    record Progress(long revision) implements WatchEvent {}

    /** The watch has ended; the reader decides whether to start another after the last revision. */
    sealed interface End extends WatchEvent {}

    /**
     * The next revision this watch needs is compacted, so it has lost changes.
     *
     * @param compactRevision the oldest revision that can still be listed; changes after it can be
     *     watched
     */
    record Compacted(long compactRevision) implements End {}

    /** The stream broke, or etcd ended the watch for the given reason. */
    record Failed(EtcdException cause) implements End {}
}
