package io.tidemark.serving.read;

/** The client of a request has left: there is no one to read or to wait for. */
public final class ClientDisconnectedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ClientDisconnectedException(String message) {
        super(message, null, false, false);
    }
}
