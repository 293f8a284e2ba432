package io.tidemark.simulation;

import io.tidemark.simulation.promise.ReferenceModel;
import io.tidemark.simulation.world.FakeEtcd;
import java.util.HashMap;
import java.util.Map;

/**
 * Which of etcd's histories an epoch of the mirror shows. The mirror may begin a new epoch within
 * one history of etcd (after a list that was cut off), so the numbers differ.
 */
final class EpochHistories {
    private final Map<Long, Long> historyOfEpoch = new HashMap<>();
    private final Map<Long, Long> listRevision = new HashMap<>();
    private final Map<Long, Long> newestGapEnd = new HashMap<>();
    private final Map<Long, Long> newestSent = new HashMap<>();
    private final FakeEtcd etcd;
    private final ReferenceModel model;

    EpochHistories(FakeEtcd etcd, ReferenceModel model) {
        this.etcd = etcd;
        this.model = model;
    }

    /** A connector begins to list what becomes an epoch of the mirror. */
    void epochListed(long epoch, long history, long revision) {
        historyOfEpoch.put(epoch, history);
        listRevision.put(epoch, revision);
    }

    /** A connector tells what it could find out of a gap in an epoch. */
    void gapReconciled(long epoch, long revision) {
        listRevision.merge(epoch, revision, Math::max);
    }

    /**
     * A connector tells the net changes of a gap in an epoch. A store keeps one such stretch: what
     * lies before an older one may be given up.
     *
     * @param exact whether nothing of it was ever sent before, not even in vain
     */
    void netChangesWritten(long epoch, long after, long through, boolean exact) {
        Long older = newestGapEnd.put(epoch, through);
        if (older != null) {
            gapReconciled(epoch, older);
        }
        model.epoch(historyOf(epoch)).netChangesWritten(after, through, exact);
    }

    /** A connector tells at a revision which keys are gone. */
    void deletesWrittenAt(long epoch, long revision) {
        model.epoch(historyOf(epoch)).deletesWrittenAt(revision);
    }

    /** A connector sends something of a revision, which may never be committed. */
    void recordSent(long epoch, long revision) {
        newestSent.merge(epoch, revision, Math::max);
    }

    /** The newest revision of which anything was sent in an epoch. */
    long newestSent(long epoch) {
        return newestSent.getOrDefault(epoch, 0L);
    }

    /**
     * The revision of the list that an epoch of the mirror began with, or of its newest gap if that
     * was not bridged, or else of the newest but one.
     */
    long listRevisionOf(long epoch) {
        return listRevision.getOrDefault(epoch, 0L);
    }

    /** Number of the history in the reference model; 0 for none. */
    long historyOf(long epoch) {
        return historyOfEpoch.getOrDefault(epoch, 0L);
    }

    /** Whether some epoch of the mirror shows a history of etcd, or is about to. */
    boolean isMirrored(long history) {
        return historyOfEpoch.containsValue(history);
    }

    /** How long ago etcd went on from a revision; 0 if it is still there. */
    long supersededForMillis(long history, long revision, long nowMillis) {
        return Math.max(0, nowMillis - model.epoch(history).newestUntilMillis(revision));
    }

    /** Number of the history that etcd lives in now. */
    long newestHistory() {
        return etcd.historyNumber();
    }
}
