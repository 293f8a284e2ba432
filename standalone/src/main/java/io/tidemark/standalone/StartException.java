package io.tidemark.standalone;

/** A command cannot start or continue; the message is for the user. */
final class StartException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StartException(String message) {
        super(message);
    }
}
