package io.tidemark.simulation.connector;

import io.tidemark.simulation.etcd.FakeEtcd;
import io.tidemark.simulation.model.EpochHistory;
import io.tidemark.simulation.model.ReferenceModel;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Maps each epoch of the mirror to one of etcd's histories. The mirror may begin a new epoch within
 * one history of etcd (after an interrupted list), so the numbers differ.
 */
public final class EpochHistories {
    private final Map<Long, Long> historyOfEpoch = new HashMap<>();
    private final Map<Long, Long> listRevision = new HashMap<>();
    private final Map<Long, Long> newestGapEnd = new HashMap<>();
    private final Map<Long, Long> newestSent = new HashMap<>();
    private final FakeEtcd etcd;
    private final ReferenceModel model;

    public EpochHistories(FakeEtcd etcd, ReferenceModel model) {
        this.etcd = etcd;
        this.model = model;
    }

    /** A connector begins the list of a new epoch. */
    public void epochListed(long epoch, long history, long revision) {
        historyOfEpoch.put(epoch, history);
        listRevision.put(epoch, revision);
    }

    /** A connector reports what it found out about a gap in an epoch. */
    public void gapReconciled(long epoch, long revision) {
        listRevision.merge(epoch, revision, Math::max);
    }

    /**
     * A connector writes the net changes of a gap in an epoch. A store keeps one bridged range: it
     * may give up the history before an older one.
     *
     * @param exact whether none of it was ever sent before, not even in an aborted transaction
     */
    public void netChangesWritten(long epoch, long after, long through, boolean exact) {
        Long older = newestGapEnd.put(epoch, through);
        if (older != null) {
            gapReconciled(epoch, older);
        }
        mirrored(epoch).netChangesWritten(after, through, exact);
    }

    /** Whether a gap of a history was bridged, in any epoch of the mirror. */
    public boolean isBridged(long history) {
        return newestGapEnd.keySet().stream().anyMatch(epoch -> historyOf(epoch) == history);
    }

    /** A connector writes the deletes of stale keys at a revision. */
    public void deletesWrittenAt(long epoch, long revision) {
        mirrored(epoch).deletesWrittenAt(revision);
    }

    /** A connector sends a part of a revision, which may never be committed. */
    public void recordSent(long epoch, long revision) {
        newestSent.merge(epoch, revision, Math::max);
    }

    /** The newest revision of which a connector sent a part in an epoch. */
    public long newestSent(long epoch) {
        return newestSent.getOrDefault(epoch, 0L);
    }

    /**
     * The revision of the list that an epoch began with, or of its newest gap if that was not
     * bridged, or else of the newest but one.
     */
    public long listRevisionOf(long epoch) {
        return listRevision.getOrDefault(epoch, 0L);
    }

    /** Number of the history in the reference model; 0 for none. */
    public long historyOf(long epoch) {
        return historyOfEpoch.getOrDefault(epoch, 0L);
    }

    /** The history that an epoch of the mirror shows; empty while it shows none. */
    public Optional<EpochHistory> modelOf(long epoch) {
        return historyOf(epoch) == 0 ? Optional.empty() : Optional.of(mirrored(epoch));
    }

    private EpochHistory mirrored(long epoch) {
        return model.epoch(historyOf(epoch)).mirroredIn(epoch);
    }

    /** Whether an epoch of the mirror shows a history of etcd, or is about to. */
    public boolean isMirrored(long history) {
        return historyOfEpoch.containsValue(history);
    }

    /** How long ago etcd advanced from a revision; 0 if it is still there. */
    public long supersededForMillis(long history, long revision, long nowMillis) {
        return Math.max(0, nowMillis - model.epoch(history).newestUntilMillis(revision));
    }

    /** Number of etcd's current history. */
    public long newestHistory() {
        return etcd.historyNumber();
    }
}
