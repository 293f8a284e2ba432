package io.tidemark.chaos;

import io.tidemark.chaos.fault.FaultKind;
import io.tidemark.chaos.process.Cluster;

/** etcd is restored from a copy that was made at the beginning: its revisions go back. */
record EtcdRestoreFault(Cluster cluster) implements NewEpochFault.Cause {
    @Override
    public FaultKind kind() {
        return FaultKind.RESTORE_ETCD;
    }

    @Override
    public String happens() throws Exception {
        cluster.restoreEtcd();
        return "restored etcd";
    }
}
