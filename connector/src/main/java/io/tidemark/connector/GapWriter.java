package io.tidemark.connector;

import io.tidemark.concurrent.TimeSource;
import io.tidemark.connector.feed.FeedEvent;
import io.tidemark.connector.feed.GapDiff;
import io.tidemark.connector.feed.HistoryFingerprint;
import io.tidemark.connector.feed.KeyTable;
import io.tidemark.connector.metrics.ConnectorMetrics;
import io.tidemark.connector.metrics.GapReport;
import io.tidemark.connector.sink.ChangeSink;
import io.tidemark.connector.sink.SinkException;
import io.tidemark.connector.value.ChangeBuilder;
import io.tidemark.connector.value.MirrorEntry;
import io.tidemark.etcd.KeyValue;
import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes the net changes of one gap: puts that a list has and the topic lacks, and deletes. */
final class GapWriter {
    private static final Logger LOG = LoggerFactory.getLogger(GapWriter.class);

    /** Deletes written at once. */
    private static final int BATCH = 4_000;

    private final ChangeSink sink;
    private final ConnectorMetrics metrics;
    private final GapDiff diff;
    private final long markedRevision;
    private final long held;
    private final TimeSource time;
    private final long began;
    private long unchanged;
    private long written;
    private long deleted;

    private long floor;
    private final HistoryFingerprint fingerprint = new HistoryFingerprint();

    /** Index of the next change; unique within a gap. */
    private int index = Change.GAP_INDEX;

    /**
     * @param markedRevision through which the topic is complete
     */
    GapWriter(
            ChangeSink sink,
            ConnectorMetrics metrics,
            TimeSource time,
            KeyTable held,
            long markedRevision) {
        this.sink = sink;
        this.metrics = metrics;
        this.diff = new GapDiff(held, markedRevision);
        this.markedRevision = markedRevision;
        this.held = held.held();
        this.time = time;
        this.began = time.nanoTime();
    }

    /** How many keys some reader of the topic may hold. */
    long held() {
        return held;
    }

    /** Returns null on success. */
    @Nullable FeedEvent writePuts(ChangeBuilder builder, long epoch, List<KeyValue> keyValues)
            throws SinkException {
        List<KeyValue> mirrored =
                keyValues.stream().filter(each -> builder.isWritten(each.key())).toList();
        List<KeyValue> missing = diff.missing(mirrored);
        if (diff.contradiction().isPresent()) {
            GapDiff.Contradiction found = diff.contradiction().get();
            LOG.warn("etcd holds another version of {} than the mirror", found.key());
            return new FeedEvent.HistoryMismatch(
                    "this is not the history that was mirrored: " + found.why());
        }
        // Fingerprints of keys from before the gap may be outdated.
        mirrored.stream()
                .max(Comparator.comparingLong(KeyValue::modRevision))
                .ifPresent(newest ->
                        builder.listed(epoch, List.of(newest)).stream()
                                .map(MirrorEntry::change)
                                .filter(Objects::nonNull)
                                .forEach(fingerprint::observe));
        unchanged += mirrored.size() - missing.size();
        written += missing.size();
        if (!missing.isEmpty()) {
            sink.write(builder.missing(epoch, missing, index));
            index += missing.size();
        }
        return null;
    }

    /** Returns null on success. */
    @Nullable FeedEvent writeDeletes(long epoch, long revision) throws SinkException {
        if (diff.verifiedRevision() == 0) {
            return unverified(markedRevision);
        }
        List<MirrorEntry> deletes = new ArrayList<>();
        diff.<SinkException>eachDeleted(key -> {
            deletes.add(delete(epoch, revision, key));
            if (deletes.size() == BATCH) {
                sink.write(deletes);
                deletes.clear();
            }
        });
        if (!deletes.isEmpty()) {
            sink.write(deletes);
        }
        return null;
    }

    /** No key of the topic is still in etcd as it was. */
    static FeedEvent unverified(long markedRevision) {
        return new FeedEvent.HistoryMismatch(
                "etcd compacted the revisions after %d, and no remaining key shows its history"
                                .formatted(markedRevision)
                        + " to be the one that was mirrored");
    }

    private MirrorEntry delete(long epoch, long revision, Bytes key) {
        deleted++;
        return new MirrorEntry(key, new Change.Delete(epoch, revision, index++, key), null);
    }

    /** The gap's mark was written. */
    void marked(long revision) {
        floor = revision;
        fingerprint.observe(revision);
    }

    boolean isMarked() {
        return floor > 0;
    }

    /** Fingerprint of the history from here on. */
    HistoryFingerprint fingerprint() {
        return fingerprint;
    }

    /** Logs and counts the gap; called once it is committed. */
    void reportReconciled() {
        GapReport report =
                metrics.gapReconciled(
                        markedRevision, floor, written, deleted, time.nanoTime() - began);
        LOG.warn(
                "gap repaired in {} ms: revisions ({}, {}] were compacted; {} puts, {} deletes"
                        + " written, {} keys unchanged; history verified through {}",
                report.lastMillis(),
                markedRevision,
                floor,
                written,
                deleted,
                unchanged,
                diff.verifiedRevision());
    }
}
