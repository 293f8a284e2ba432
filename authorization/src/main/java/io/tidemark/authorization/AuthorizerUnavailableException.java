package io.tidemark.authorization;

/**
 * No decision is possible now: the rules are unreadable or too old, or the server that decides does
 * not answer. The request is refused, and may be repeated.
 */
public final class AuthorizerUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public AuthorizerUnavailableException(String message) {
        super(message);
    }
}
