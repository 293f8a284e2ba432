package io.tidemark.standalone;

/** A command cannot start or go on, for a reason that its message tells the user. */
final class StartException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StartException(String message) {
        super(message);
    }
}
