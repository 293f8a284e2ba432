package io.tidemark.query.group;

import io.tidemark.record.Bytes;
import io.tidemark.view.object.ChecksumForm;
import io.tidemark.view.object.StoredObject;

/**
 * One version of an object as it is stored. After a restore of etcd another object can have the
 * same key and revision, and so has one that is mirrored again under other rules of redaction; so
 * its bytes count as well. An object that differs and has the same checksum has the same key and
 * revision, too, so no one can pass one object off as another's.
 *
 * @param length of the stored bytes
 * @param checksum CRC-32C of the stored bytes
 */
public record ObjectVersion(Bytes key, long revision, int length, int checksum) {
    /** Approximate bytes of one in memory besides its key's. */
    static final int OVERHEAD = 80;

    /**
     * The version of an object: by its bytes, or by what {@link ChecksumForm} says of them. Reads
     * all bytes: call it once for each.
     */
    public static ObjectVersion of(StoredObject object) {
        return new ObjectVersion(
                object.key(),
                object.revision(),
                lengthOf(object),
                isSummed(object) ? ChecksumForm.checksum(object) : ChecksumForm.checksumOf(object));
    }

    /** The length of the object as it is stored, in bytes. */
    static int lengthOf(StoredObject object) {
        return isSummed(object) ? ChecksumForm.length(object) : object.stored().length;
    }

    private static boolean isSummed(StoredObject object) {
        return object.isMetadataOnly() && ChecksumForm.isIn(object);
    }
}
