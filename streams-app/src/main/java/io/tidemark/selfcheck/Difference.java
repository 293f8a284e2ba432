package io.tidemark.selfcheck;

import io.tidemark.record.Bytes;

/**
 * A key that a copy holds otherwise than etcd.
 *
 * @param etcds the key's revision in etcd; 0 when it is not there
 * @param own the key's revision in the copy; 0 when it is not there
 */
public record Difference(Bytes key, long etcds, long own) {
    /** For people. */
    public String text() {
        if (own == 0) {
            return key + " (missing, etcd has it at " + etcds + ")";
        }
        return etcds == 0
                ? key + " (here at " + own + ", not in etcd)"
                : key + " (here at " + own + ", in etcd at " + etcds + ")";
    }
}
