package io.tidemark.connector;

import io.tidemark.connector.feed.FeedEvent;
import io.tidemark.connector.feed.HistoryFingerprint;
import io.tidemark.connector.feed.PutFingerprint;
import io.tidemark.connector.feed.ResumePoint;
import io.tidemark.connector.source.EtcdSource;
import io.tidemark.connector.value.ChangeBuilder;
import io.tidemark.connector.value.MirrorEntry;
import io.tidemark.etcd.KeyValue;
import io.tidemark.etcd.connection.EtcdException;
import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks whether an etcd has the history that was mirrored. An etcd that was restored from a backup
 * and has grown again, or one recreated with the same flags, differs only in what it holds: so this
 * reads the newest mirrored puts from it, at their revisions, and the key of the newest delete
 * before and after it.
 */
record HistoryCheck(EtcdSource source, ChangeBuilder builder, HistoryFingerprint fingerprint) {
    private static final Logger LOG = LoggerFactory.getLogger(HistoryCheck.class);

    /** A few reads of one key each: one mismatch is enough. */
    private static final int KEYS_CHECKED = 3;

    /**
     * Compares etcd with the mark at which the mirror would resume.
     *
     * @return {@link FeedEvent.HistoryVerified}, {@link FeedEvent.HistoryMismatch} or {@link
     *     FeedEvent.HistoryCompacted}
     */
    FeedEvent check(ResumePoint.At marked) {
        EtcdSource.Newest newest = source.newest();
        long seen = Math.max(marked.revision(), fingerprint.maxObservedRevision());
        if (newest.clusterId() != marked.clusterId()) {
            return new FeedEvent.HistoryMismatch(
                    "the mirror is of cluster %x, but this is cluster %x"
                            .formatted(marked.clusterId(), newest.clusterId()));
        }
        if (newest.revision() < seen) {
            return new FeedEvent.HistoryMismatch(
                    "the mirror is at revision %d, but etcd only at %d: it was restored"
                            .formatted(seen, newest.revision()));
        }
        try {
            Optional<String> difference =
                    fingerprint.newest(KEYS_CHECKED).stream()
                            .map(expected -> difference(expected, marked))
                            .flatMap(Optional::stream)
                            .findFirst()
                            .or(() ->
                                    fingerprint
                                            .newestDelete()
                                            .flatMap(deleted -> difference(deleted, marked)));
            if (difference.isPresent()) {
                return new FeedEvent.HistoryMismatch(
                        "this is not the history that was mirrored: " + difference.get());
            }
            // The state at the mark must be readable, not only what follows: an etcd before 3.5.18
            // may hide a delete at exactly the revision of a compaction from its watchers.
            Optional<KeyValue> _ = source.get(Bytes.EMPTY, marked.revision());
            return new FeedEvent.HistoryVerified();
        } catch (EtcdException e) {
            if (e.kind() != EtcdException.Kind.COMPACTED) {
                throw e;
            }
            return new FeedEvent.HistoryCompacted(source.oldestRevision());
        }
    }

    private Optional<String> difference(PutFingerprint expected, ResumePoint.At marked) {
        long revision = Math.max(expected.revision(), marked.revision());
        KeyValue now = source.get(expected.key(), revision).orElse(null);
        if (now == null) {
            LOG.warn("etcd has no {} at revision {}", expected.key(), revision);
            return Optional.of(
                    "etcd lacks a key at revision %d that the mirror has since %d"
                            .formatted(revision, expected.revision()));
        }
        List<MirrorEntry> mirrored = builder.listed(marked.epoch(), List.of(now));
        boolean same =
                mirrored.stream()
                        .anyMatch(each ->
                                each.change() instanceof Change.Put put
                                        && isSame(now, put, expected));
        if (same) {
            return Optional.empty();
        }
        LOG.warn("etcd holds another version of {} than the mirror", now.key());
        return Optional.of(
                "etcd holds a key in version %d of revision %d; the mirror in version %d of %d"
                        .formatted(
                                now.version(),
                                now.modRevision(),
                                expected.version(),
                                expected.revision()));
    }

    /** A Secret that a node cannot decrypt now may have been mirrored from another node. */
    private static boolean isSame(KeyValue now, Change.Put mirrored, PutFingerprint expected) {
        PutFingerprint comparable = now.problem().isEmpty() ? expected : expected.withoutValue();
        return PutFingerprint.of(mirrored).equals(comparable);
    }

    private Optional<String> difference(Change.Delete deleted, ResumePoint.At marked) {
        long revision = Math.max(deleted.revision(), marked.revision());
        if (source.get(deleted.key(), revision).isPresent()) {
            LOG.warn("etcd has {} at revision {}", deleted.key(), revision);
            return Optional.of(
                    "etcd has a key at revision %d that the mirror has deleted at %d"
                            .formatted(revision, deleted.revision()));
        }
        if (!mayHaveHeld(deleted.key(), deleted.revision() - 1)) {
            LOG.warn("etcd has not deleted {} at revision {}", deleted.key(), deleted.revision());
            return Optional.of(
                    "etcd has not deleted a key at revision %d that the mirror has deleted then"
                            .formatted(deleted.revision()));
        }
        return Optional.empty();
    }

    /** What etcd has compacted proves nothing. */
    private boolean mayHaveHeld(Bytes key, long revision) {
        try {
            return source.get(key, revision).isPresent();
        } catch (EtcdException e) {
            if (e.kind() != EtcdException.Kind.COMPACTED) {
                throw e;
            }
            return true;
        }
    }
}
