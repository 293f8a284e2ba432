package io.tidemark.client;

import java.io.IOException;

/** The server refused a request or is unreachable; the message is one line for the user. */
public final class ApiException extends IOException {
    private static final long serialVersionUID = 1L;
    private static final int UNREACHABLE = 0;
    private static final int NOT_FOUND = 404;
    private static final int EXPIRED = 410;

    private final int status;

    /**
     * @param status of the response
     */
    public ApiException(int status, String message) {
        super(message);
        this.status = status;
    }

    /** There was no response. */
    public ApiException(String message, IOException cause) {
        super(message, cause);
        this.status = UNREACHABLE;
    }

    public boolean isNotFound() {
        return status == NOT_FOUND;
    }

    /** Whether the requested revision is below the floor. */
    boolean isExpired() {
        return status == EXPIRED;
    }

    /** Whether no server, or another program, has answered. */
    boolean isUnreachable() {
        return status == UNREACHABLE;
    }

    /** Whether a retry may succeed. */
    boolean isRetryable() {
        return isUnreachable() || status == 429 || status >= 500;
    }
}
