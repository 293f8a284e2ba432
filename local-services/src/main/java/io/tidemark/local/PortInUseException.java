package io.tidemark.local;

import java.io.IOException;

/** A requested address cannot be bound: it is in use, or not of this machine. */
public final class PortInUseException extends IOException {
    private static final long serialVersionUID = 1L;

    private final String host;
    private final int port;

    public PortInUseException(String host, int port, IOException cause) {
        super("cannot listen on " + host + ":" + port + ": " + cause.getMessage(), cause);
        this.host = host;
        this.port = port;
    }

    public String host() {
        return host;
    }

    public int port() {
        return port;
    }
}
