package io.tidemark.simulation;

import io.tidemark.simulation.world.FakeEtcd;
import java.util.HashMap;
import java.util.Map;

/**
 * Which of etcd's histories an epoch of the mirror shows. The mirror may begin a new epoch within
 * one history of etcd (after a gap), so the numbers differ.
 */
final class EpochTable {
    private final Map<Long, Long> historyOfCluster = new HashMap<>();
    private final Map<Long, Long> historyOfEpoch = new HashMap<>();
    private final Map<Long, Long> listRevision = new HashMap<>();
    private long newestHistory = 1;

    EpochTable(FakeEtcd etcd) {
        historyOfCluster.put(etcd.clusterId(), 1L);
    }

    /** etcd has become another cluster. */
    void restored(long clusterId, long history) {
        historyOfCluster.put(clusterId, history);
        newestHistory = history;
    }

    /** A connector begins to list what becomes an epoch of the mirror. */
    void begins(long epoch, long clusterId, long revision) {
        historyOfEpoch.put(epoch, historyOfCluster.get(clusterId));
        listRevision.put(epoch, revision);
    }

    /** The revision of the list that an epoch of the mirror began with. */
    long listRevisionOf(long epoch) {
        return listRevision.getOrDefault(epoch, 0L);
    }

    /** Number of the history in the reference model; 0 for none. */
    long historyOf(long epoch) {
        return historyOfEpoch.getOrDefault(epoch, 0L);
    }

    /** Number of the history that etcd lives in now. */
    long newestHistory() {
        return newestHistory;
    }
}
