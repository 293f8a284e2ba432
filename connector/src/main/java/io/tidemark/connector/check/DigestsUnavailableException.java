package io.tidemark.connector.check;

/** No digests can be given; the message is the reason. */
public final class DigestsUnavailableException extends Exception {
    private static final long serialVersionUID = 1L;

    DigestsUnavailableException(String message) {
        super(message);
    }
}
