package io.tidemark.client;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The server refused a request or is unreachable; the message is one line for the user. */
public final class ApiException extends IOException {
    private static final long serialVersionUID = 1L;
    private static final int UNREACHABLE = 0;
    private static final int NOT_FOUND = 404;
    private static final int EXPIRED = 410;

    private final int status;
    private final @Nullable Duration retryAfter;

    /**
     * @param status of the response
     */
    public ApiException(int status, String message) {
        this(status, message, null);
    }

    /**
     * @param status of the response
     * @param retryAfter the pause before a retry that the server asks for, if it does
     */
    ApiException(int status, String message, @Nullable Duration retryAfter) {
        super(message);
        this.status = status;
        this.retryAfter = retryAfter;
    }

    /** There was no response. */
    public ApiException(String message, IOException cause) {
        super(message, cause);
        this.status = UNREACHABLE;
        this.retryAfter = null;
    }

    /** The pause before a retry that the server asks for; empty if it does not ask for one. */
    Optional<Duration> retryAfter() {
        return Optional.ofNullable(retryAfter);
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
