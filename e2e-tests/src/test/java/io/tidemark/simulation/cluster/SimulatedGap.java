package io.tidemark.simulation.cluster;

import io.tidemark.connector.feed.GapDiff;
import io.tidemark.connector.feed.HistoryFingerprint;
import io.tidemark.connector.feed.KeyTable;
import io.tidemark.connector.feed.ResumePoint;
import io.tidemark.connector.value.ChangeBuilder;
import io.tidemark.connector.value.MirrorEntry;
import io.tidemark.etcd.KeyValue;
import io.tidemark.record.Change;
import io.tidemark.simulation.world.CoverageEvent;
import io.tidemark.simulation.world.Scheduler;
import io.tidemark.simulation.world.Settings;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** The gap that a connector reconciles: the changes to write, and the report to the oracle. */
final class SimulatedGap {
    private final Scheduler scheduler;
    private final Settings settings;
    private final EpochHistories epochs;
    private final ChangeBuilder builder;
    private final GapDiff diff;
    private final long after;

    /** Whether no change after the gap's beginning was ever sent before. */
    private final boolean exact;

    private final HistoryFingerprint fingerprint = new HistoryFingerprint();
    private int index = Change.GAP_INDEX;

    /**
     * @param held what the topic holds
     * @param marked the last committed mark, where the gap begins
     */
    SimulatedGap(
            Scheduler scheduler,
            Settings settings,
            EpochHistories epochs,
            ChangeBuilder builder,
            KeyTable held,
            ResumePoint.At marked) {
        this.scheduler = scheduler;
        this.settings = settings;
        this.epochs = epochs;
        this.builder = builder;
        diff = new GapDiff(held, marked.revision());
        after = marked.revision();
        exact = epochs.newestSent(marked.epoch()) <= marked.revision();
    }

    /** Why the listed keys cannot be of the mirrored history. */
    Optional<String> contradiction() {
        return diff.contradiction();
    }

    /** Whether a listed key proved the history. */
    boolean isVerified() {
        return diff.verifiedRevision() != 0;
    }

    /** The puts that the topic lacks of a page; none after a contradiction. */
    List<MirrorEntry> puts(long epoch, List<KeyValue> listed) {
        List<KeyValue> written =
                listed.stream().filter(each -> builder.isWritten(each.key())).toList();
        List<KeyValue> missing = diff.missing(written);
        if (contradiction().isPresent()) {
            return List.of();
        }
        observeNewest(epoch, written);
        List<MirrorEntry> puts = builder.missing(epoch, missing, index);
        index += missing.size();
        return puts;
    }

    /** What was known of the keys before a gap may no longer be true. */
    private void observeNewest(long epoch, List<KeyValue> written) {
        written.stream()
                .max(Comparator.comparingLong(KeyValue::modRevision))
                .ifPresent(newest ->
                        builder.listed(epoch, List.of(newest)).stream()
                                .map(MirrorEntry::change)
                                .filter(Objects::nonNull)
                                .forEach(fingerprint::observe));
    }

    /** The deletes of the keys that no page listed. */
    List<Change> deletes(long epoch, long revision) {
        List<Change> deletes = new ArrayList<>();
        diff.eachDeleted(key -> deletes.add(new Change.Delete(epoch, revision, index++, key)));
        return deletes;
    }

    /**
     * Reports the gap to the oracle.
     *
     * @return the fingerprint of the history from here
     */
    HistoryFingerprint reconciled(long epoch, long revision) {
        if (settings.bridgesGaps()) {
            scheduler.count(exact ? CoverageEvent.GAPS_BRIDGED : CoverageEvent.GAPS_BRIDGED_AGAIN);
            epochs.netChangesWritten(epoch, after, revision, exact);
        } else {
            epochs.gapReconciled(epoch, revision);
        }
        return fingerprint;
    }
}
