package io.tidemark.selfcheck;

import io.tidemark.digest.KeyRevision;
import io.tidemark.record.Bytes;
import java.io.IOException;
import java.util.Optional;

/** Where a node learns what etcd holds: the leading connector. */
public interface EtcdDigestSource {
    /**
     * The newest digests.
     *
     * @param connector its address, from the tide marks
     * @param partitions of the mirror
     * @throws IOException when it does not answer, or has none yet; the message says so to people
     */
    EtcdDigest newest(String connector, int partitions) throws IOException, InterruptedException;

    /**
     * The keys of one partition and group as etcd holds them at the revision of {@code truth}, read
     * from etcd once more, in key order.
     */
    Keys keys(String connector, EtcdDigest truth, int partition, Bytes group)
            throws IOException, InterruptedException;

    /** Keys that come one by one. */
    @FunctionalInterface
    interface Keys {
        /**
         * The next key; empty after the last.
         *
         * @throws IOException when it ended before the last
         */
        Optional<KeyRevision> next() throws IOException, InterruptedException;
    }
}
