package io.tidemark.address;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The address of a listener or a server.
 *
 * @param host a name or an address, IPv6 without its brackets
 * @param port 0 only for a listener: picks a free port
 */
public record HostPort(String host, int port) {
    /** As regular expressions, each with one group. */
    static final String HOST = "(\\[[0-9a-fA-F:.]{2,45}]|[A-Za-z0-9._-]{1,253})";

    static final String PORT = ":(\\d{1,5})";

    private static final Pattern FORM = Pattern.compile(HOST + PORT);

    /**
     * @throws IllegalArgumentException when the address is invalid
     */
    public HostPort {
        if (host.isBlank() || port < 0 || port > 0xffff) {
            throw new IllegalArgumentException(
                    "not a host with a port within 0 and 65535: " + shown(join(host, port)));
        }
    }

    /**
     * Parses {@code HOST:PORT}, or {@code [ADDRESS]:PORT} for IPv6.
     *
     * @throws IllegalArgumentException if the text is neither
     */
    public static HostPort parse(String text) {
        Matcher matcher = FORM.matcher(text.strip());
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "'%s' is not of the form HOST:PORT, such as 127.0.0.1:8080"
                            .formatted(shown(text)));
        }
        return of(matcher.group(1), matcher.group(2));
    }

    static HostPort of(String host, String port) {
        boolean bracketed = host.startsWith("[");
        return new HostPort(
                bracketed ? host.substring(1, host.length() - 1) : host, Integer.parseInt(port));
    }

    /** The text may be untrusted: no line breaks for the log, and limited in length. */
    static String shown(String text) {
        String start = text.substring(0, Math.min(text.length(), 100));
        return start.replaceAll("[^ -~]", "?");
    }

    /** HOST:PORT, an IPv6 address in brackets. Checks neither. */
    public static String join(String host, int port) {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }

    /** Whether this stands for every address of the machine: clients cannot connect to it. */
    public boolean isWildcard() {
        return host.equals("0.0.0.0") || host.equals("::");
    }

    /** Whether only this machine can connect to it. Resolves names. */
    public boolean isLoopback() {
        try {
            return Arrays.stream(InetAddress.getAllByName(host))
                    .allMatch(InetAddress::isLoopbackAddress);
        } catch (UnknownHostException _) {
            return false;
        }
    }

    @Override
    public String toString() {
        return join(host, port);
    }
}
