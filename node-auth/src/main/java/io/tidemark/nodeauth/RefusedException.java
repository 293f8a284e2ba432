package io.tidemark.nodeauth;

/** A server refuses a request; the message is the reason, without any secret. */
public final class RefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int status;

    public RefusedException(int status, String message) {
        super(message);
        this.status = status;
    }

    /** The HTTP status: 400, 401, 403, 421 or 503. */
    public int status() {
        return status;
    }
}
