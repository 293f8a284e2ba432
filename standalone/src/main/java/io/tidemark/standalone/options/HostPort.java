package io.tidemark.standalone.options;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * The address of a listener or a server.
 *
 * @param host a name or an address, IPv6 without its brackets
 * @param port 0 only for a listener: picks a free port
 */
public record HostPort(String host, int port) {
    private static final Pattern FORM =
            Pattern.compile("(?:\\[([0-9a-fA-F:.]+)]|([^:\\[\\]\\s/]+)):(\\d{1,5})");

    public HostPort {
        if (port < 0 || port > 65535) {
            throw new IllegalArgumentException("port " + port + " is not within 0 and 65535");
        }
    }

    /**
     * Reads {@code HOST:PORT}, or {@code [ADDRESS]:PORT} for IPv6.
     *
     * @throws IllegalArgumentException if the text is neither
     */
    public static HostPort parse(String text) {
        Matcher matcher = FORM.matcher(text.strip());
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not of the form HOST:PORT, such as 127.0.0.1:8080");
        }
        String host = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
        return new HostPort(host, Integer.parseInt(matcher.group(3)));
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
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }

    /** For picocli. */
    public static final class Converter implements ITypeConverter<HostPort> {
        @Override
        public HostPort convert(String text) {
            try {
                return parse(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(String.valueOf(e.getMessage()));
            }
        }
    }
}
