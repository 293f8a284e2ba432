package io.tidemark.query.encode;

import io.tidemark.record.Bytes;
import io.tidemark.view.object.StoredObject;
import java.util.zip.CRC32C;

/**
 * One version of an object as it is stored. After a restore of etcd another object can have the
 * same key and revision, and so has one that is mirrored again under other rules of redaction; so
 * its bytes count as well. An object that differs and has the same checksum has the same key and
 * revision, too, so no one can pass one object off as another's.
 *
 * @param length of the stored bytes
 * @param checksum CRC-32C of the stored bytes
 */
record ObjectVersion(Bytes key, long revision, int length, int checksum) {
    /** Approximate bytes of one in memory besides its key's. */
    static final int OVERHEAD = 80;

    /** Reads all bytes of the object: call it once for each. */
    static ObjectVersion of(StoredObject object) {
        byte[] stored = object.stored();
        CRC32C checksum = new CRC32C();
        checksum.update(stored);
        return new ObjectVersion(
                object.key(), object.revision(), stored.length, (int) checksum.getValue());
    }
}
