package io.tidemark.peer;

import java.net.URI;

/** Where a node's internal listener is reached. */
public record PeerAddress(String host, int port) implements Comparable<PeerAddress> {
    public PeerAddress {
        if (host.isBlank() || port < 1 || port > 0xffff) {
            throw new IllegalArgumentException(
                    "'%s:%d' is not of the form HOST:PORT".formatted(host, port));
        }
    }

    /**
     * Reads HOST:PORT.
     *
     * @throws IllegalArgumentException when it is not of that form
     */
    public static PeerAddress parse(String text) {
        int colon = text.lastIndexOf(':');
        try {
            String host = text.substring(0, Math.max(0, colon));
            return new PeerAddress(
                    host.startsWith("[") && host.endsWith("]")
                            ? host.substring(1, host.length() - 1)
                            : host,
                    Integer.parseInt(text.substring(colon + 1)));
        } catch (NumberFormatException _) {
            throw new IllegalArgumentException("'%s' is not of the form HOST:PORT".formatted(text));
        }
    }

    URI resolve(String path) {
        return URI.create("http://" + this + path);
    }

    @Override
    public int compareTo(PeerAddress other) {
        return toString().compareTo(other.toString());
    }

    /** HOST:PORT, an IPv6 address in brackets. */
    @Override
    public String toString() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
}
