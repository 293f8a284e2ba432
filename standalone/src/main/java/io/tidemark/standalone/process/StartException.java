package io.tidemark.standalone.process;

/** A command cannot start or continue; the message is for the user. */
public final class StartException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StartException(String message) {
        super(message);
    }
}
