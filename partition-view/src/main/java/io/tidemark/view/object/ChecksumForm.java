package io.tidemark.view.object;

import java.util.zip.CRC32C;

/**
 * The form of an object that only says which bytes it has: without its value, with the length and
 * the CRC-32C of the whole stored object. It has the revisions and attributes of the whole one, so
 * that selections apply to it. Of a Secret it has no checksum, from which a short value could be
 * guessed.
 */
public final class ChecksumForm {
    private static final byte SUM = 's';

    private ChecksumForm() {}

    /** The form of a whole object. */
    public static StoredObject of(StoredObject whole) {
        StoredObject head = whole.withoutValue();
        return whole.isSecret()
                ? head
                : head.with(
                        AttributeBlock.encode(SUM, "", whole.stored().length, checksumOf(whole)));
    }

    /** The CRC-32C of the stored bytes of an object. */
    public static int checksumOf(StoredObject object) {
        CRC32C checksum = new CRC32C();
        checksum.update(object.stored());
        return (int) checksum.getValue();
    }

    /** Whether an object is in this form and has a checksum. */
    public static boolean isIn(StoredObject object) {
        return length(object) >= 0;
    }

    /** The length of the whole stored object in bytes; -1 if it is not known. */
    public static int length(StoredObject object) {
        return object.number(SUM, "", 0);
    }

    /** The CRC-32C of the whole stored object, of one that {@link #isIn} this form. */
    public static int checksum(StoredObject object) {
        return object.number(SUM, "", 1);
    }
}
