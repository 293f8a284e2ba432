package io.tidemark.serving.read;

/** The client of a request has disconnected: reading and waiting for it are pointless. */
public final class ClientDisconnectedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ClientDisconnectedException(String message) {
        super(message, null, false, false);
    }
}
