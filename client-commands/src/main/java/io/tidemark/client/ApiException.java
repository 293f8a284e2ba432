package io.tidemark.client;

import java.io.IOException;

/** The server refused, or could not be asked; the message is one line that says what to do. */
public final class ApiException extends IOException {
    private static final long serialVersionUID = 1L;
    private static final int NOT_ASKED = 0;
    private static final int NOT_FOUND = 404;
    private static final int EXPIRED = 410;

    private final int status;

    /**
     * @param status of the answer
     */
    ApiException(int status, String message) {
        super(message);
        this.status = status;
    }

    /** There was no answer. */
    ApiException(String message, IOException cause) {
        super(message, cause);
        this.status = NOT_ASKED;
    }

    boolean isNotFound() {
        return status == NOT_FOUND;
    }

    /** Whether history does not go back that far. */
    boolean isExpired() {
        return status == EXPIRED;
    }

    /** Whether asking again may help. */
    boolean isRetryable() {
        return status == NOT_ASKED || status == 429 || status >= 500;
    }
}
