package io.tidemark.connector.feed;

import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import java.util.zip.CRC32C;

/**
 * Fingerprint of a put in the topic: an etcd that holds something else at its revision has another
 * history.
 *
 * @param revision at which the key got this value
 * @param digest of the value as it is mirrored; 0 for an encrypted one, which another key changes,
 *     and for an empty one
 */
public record PutFingerprint(
        Bytes key, long revision, long createRevision, long version, long lease, long digest) {
    public static PutFingerprint of(Change.Put put) {
        CRC32C crc = new CRC32C();
        if (!put.isEncrypted()) {
            crc.update(put.value().array());
        }
        return new PutFingerprint(
                put.key(),
                put.revision(),
                put.createRevision(),
                put.version(),
                put.lease(),
                crc.getValue());
    }

    /** The same with an empty or an encrypted value. */
    public PutFingerprint withoutValue() {
        return new PutFingerprint(key, revision, createRevision, version, lease, 0);
    }
}
