package io.tidemark.address;

import java.net.URI;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Address of an HTTP server: scheme, host and port, and nothing else. Addresses from the topic or
 * from the group's metadata are used only in this form, with paths of this program.
 *
 * @param scheme http or https
 * @param host a name or an address, in lower case, IPv6 without its brackets
 * @param port 1 to 65535
 */
public record HttpAddress(String scheme, String host, int port) implements Comparable<HttpAddress> {
    private static final Pattern URL =
            Pattern.compile("(https?)://" + HostPort.HOST + "(?:" + HostPort.PORT + ")?");

    /**
     * @throws IllegalArgumentException when the address is invalid
     */
    public HttpAddress {
        host = host.toLowerCase(Locale.ROOT);
        if (!scheme.equals("http") && !scheme.equals("https")) {
            throw new IllegalArgumentException("neither http nor https: " + scheme);
        }
        String authority = HostPort.join(host, port);
        if (port < 1 || port > 0xffff || !isAuthority(authority)) {
            throw new IllegalArgumentException(
                    "not a host with a port between 1 and 65535: " + HostPort.shown(authority));
        }
    }

    /** The address of a server that is reached over http. */
    public static HttpAddress of(HostPort address) {
        return new HttpAddress("http", address.host(), address.port());
    }

    /**
     * Parses {@code http://HOST:PORT} or {@code https://HOST:PORT}, without user, path, query and
     * fragment. The port may be omitted when it is the scheme's default.
     *
     * @throws IllegalArgumentException when it is not of that form
     */
    public static HttpAddress ofUrl(String text) {
        Matcher matcher = URL.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "'%s' is not of the form http://HOST:PORT".formatted(HostPort.shown(text)));
        }
        String scheme = matcher.group(1);
        String defaultPort = scheme.equals("http") ? "80" : "443";
        HostPort address =
                HostPort.of(
                        matcher.group(2),
                        Objects.requireNonNullElse(matcher.group(3), defaultPort));
        return new HttpAddress(scheme, address.host(), address.port());
    }

    /** The same server over https. */
    public HttpAddress overTls() {
        return scheme.equals("https") ? this : new HttpAddress("https", host, port);
    }

    /** Whether a host and a port are all that a URL would have: no user, path or query. */
    private static boolean isAuthority(String hostPort) {
        try {
            URI url = URI.create("http://" + hostPort);
            return url.getHost() != null && hostPort.equals(url.getHost() + ":" + url.getPort());
        } catch (IllegalArgumentException _) {
            return false;
        }
    }

    /**
     * The URL of a path on this server.
     *
     * @param path begins with a slash; may have a query
     */
    public URI resolve(String path) {
        return URI.create(this + path);
    }

    /** HOST:PORT, an IPv6 address in brackets. */
    public String hostPort() {
        return HostPort.join(host, port);
    }

    @Override
    public int compareTo(HttpAddress other) {
        return toString().compareTo(other.toString());
    }

    /** The URL, such as {@code http://node-1:8180}. */
    @Override
    public String toString() {
        return scheme + "://" + hostPort();
    }
}
