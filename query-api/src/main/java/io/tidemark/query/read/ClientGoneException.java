package io.tidemark.query.read;

/** The client of a request has left: there is no one to read or to wait for. */
public final class ClientGoneException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ClientGoneException(String message) {
        super(message, null, false, false);
    }
}
