package io.tidemark.selfcheck;

import io.tidemark.record.Bytes;

/**
 * A key whose revision in a replica differs from etcd's.
 *
 * @param etcdRevision the key's revision in etcd; 0 when etcd does not have it
 * @param replicaRevision the key's revision in the replica; 0 when the replica does not have it
 */
public record Difference(Bytes key, long etcdRevision, long replicaRevision) {
    /** For the log. */
    public String text() {
        if (replicaRevision == 0) {
            return key + " (missing, etcd has it at " + etcdRevision + ")";
        }
        return etcdRevision == 0
                ? key + " (here at " + replicaRevision + ", not in etcd)"
                : key + " (here at " + replicaRevision + ", in etcd at " + etcdRevision + ")";
    }
}
