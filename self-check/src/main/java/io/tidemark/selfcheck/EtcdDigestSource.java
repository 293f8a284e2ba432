package io.tidemark.selfcheck;

import io.tidemark.digest.KeyRevision;
import io.tidemark.record.Bytes;
import java.io.IOException;
import java.util.Optional;

/** Provides digests of etcd; the leading connector makes them. */
public interface EtcdDigestSource {
    /**
     * The newest digests.
     *
     * @param connector its address, from the tide marks
     * @param partitions of the mirror
     * @throws IOException when it does not answer, or has none yet; the message goes to the report
     */
    EtcdDigest newest(String connector, int partitions) throws IOException, InterruptedException;

    /**
     * Reads again from etcd the keys of one partition and group at the revision of {@code digest},
     * in key order.
     */
    Keys keys(String connector, EtcdDigest digest, int partition, Bytes group)
            throws IOException, InterruptedException;

    /** A sequence of keys. */
    @FunctionalInterface
    interface Keys {
        /**
         * The next key; empty after the last.
         *
         * @throws IOException when the sequence broke off early
         */
        Optional<KeyRevision> next() throws IOException, InterruptedException;
    }
}
