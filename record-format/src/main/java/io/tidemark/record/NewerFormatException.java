package io.tidemark.record;

/**
 * A record of the mirror topic has a format that this release does not know, since a connector of a
 * later release wrote it. Such a record must not be skipped: what follows it depends on it.
 */
public final class NewerFormatException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * @param format of the record
     */
    NewerFormatException(int format) {
        super(
                "a record has format %d, this release reads format %d only: upgrade this process"
                        .formatted(format, ChangeCodec.FORMAT));
    }
}
