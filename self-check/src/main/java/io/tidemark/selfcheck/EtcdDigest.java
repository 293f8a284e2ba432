package io.tidemark.selfcheck;

import io.tidemark.digest.DigestTable;
import io.tidemark.digest.DirectoryGroups;
import io.tidemark.record.Bytes;

/**
 * What etcd held at a revision, as the connector has summed it up.
 *
 * @param epoch the history that the revision is of
 * @param partitions that the table was made for
 * @param prefix what is mirrored: groups are told apart below it
 * @param takenMillis when: two readings of the same revision are two, so that a copy is proven
 *     again and again while nothing changes
 */
public record EtcdDigest(
        long epoch,
        long revision,
        int partitions,
        Bytes prefix,
        DigestTable table,
        long takenMillis) {
    /** The way groups are told apart. */
    DirectoryGroups groups() {
        return new DirectoryGroups(prefix);
    }
}
