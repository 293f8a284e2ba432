package io.tidemark.simulation;

import io.tidemark.simulation.world.FakeEtcd;
import java.util.HashMap;
import java.util.Map;

/**
 * Which of etcd's histories an epoch of the mirror shows. The mirror may begin a new epoch within
 * one history of etcd (after a list that was cut off), so the numbers differ.
 */
final class EpochTable {
    private final Map<Long, Long> historyOfEpoch = new HashMap<>();
    private final Map<Long, Long> listRevision = new HashMap<>();
    private final FakeEtcd etcd;

    EpochTable(FakeEtcd etcd) {
        this.etcd = etcd;
    }

    /** A connector begins to list what becomes an epoch of the mirror. */
    void begins(long epoch, long history, long revision) {
        historyOfEpoch.put(epoch, history);
        listRevision.put(epoch, revision);
    }

    /** A connector tells what it could find out of a gap in an epoch. */
    void crossed(long epoch, long revision) {
        listRevision.merge(epoch, revision, Math::max);
    }

    /** The revision of the list that an epoch of the mirror began with, or of its newest gap. */
    long listRevisionOf(long epoch) {
        return listRevision.getOrDefault(epoch, 0L);
    }

    /** Number of the history in the reference model; 0 for none. */
    long historyOf(long epoch) {
        return historyOfEpoch.getOrDefault(epoch, 0L);
    }

    /** Whether some epoch of the mirror shows a history of etcd, or is about to. */
    boolean shows(long history) {
        return historyOfEpoch.containsValue(history);
    }

    /** Number of the history that etcd lives in now. */
    long newestHistory() {
        return etcd.historyNumber();
    }
}
