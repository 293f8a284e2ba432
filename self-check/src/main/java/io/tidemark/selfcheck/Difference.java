package io.tidemark.selfcheck;

import io.tidemark.record.Bytes;

/**
 * A key that a copy holds otherwise than etcd.
 *
 * @param etcdRevision the key's revision in etcd; 0 when it is not there
 * @param replicaRevision the key's revision in the copy; 0 when it is not there
 */
public record Difference(Bytes key, long etcdRevision, long replicaRevision) {
    /** For people. */
    public String text() {
        if (replicaRevision == 0) {
            return key + " (missing, etcd has it at " + etcdRevision + ")";
        }
        return etcdRevision == 0
                ? key + " (here at " + replicaRevision + ", not in etcd)"
                : key + " (here at " + replicaRevision + ", in etcd at " + etcdRevision + ")";
    }
}
