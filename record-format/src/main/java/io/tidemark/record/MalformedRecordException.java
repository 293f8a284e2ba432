package io.tidemark.record;

/** A record of the mirror topic violates the format of {@link ChangeCodec}. */
public final class MalformedRecordException extends Exception {
    private static final long serialVersionUID = 1L;

    public MalformedRecordException(String message) {
        super(message);
    }
}
