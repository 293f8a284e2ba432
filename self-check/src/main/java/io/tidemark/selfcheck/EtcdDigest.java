package io.tidemark.selfcheck;

import io.tidemark.digest.DigestTable;
import io.tidemark.digest.DirectoryGroups;
import io.tidemark.record.Bytes;

/**
 * The connector's digests of what etcd held at a revision.
 *
 * @param epoch of the revision
 * @param partitions that the table was made for
 * @param prefix of the mirrored keys; groups are formed below it
 * @param takenMillis when: two digests of the same revision are distinct, so that a replica is
 *     proven again while nothing changes
 * @param intervalMillis from these digests to the next; 0 from a connector that does not say it
 */
public record EtcdDigest(
        long epoch,
        long revision,
        int partitions,
        Bytes prefix,
        DigestTable table,
        long takenMillis,
        long intervalMillis) {
    /** How keys are grouped. */
    DirectoryGroups groups() {
        return new DirectoryGroups(prefix);
    }
}
