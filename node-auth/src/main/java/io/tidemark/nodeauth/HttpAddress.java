package io.tidemark.nodeauth;

import java.net.URI;
import java.util.Locale;
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
    private static final String HOST = "(\\[[0-9a-fA-F:.]{2,45}]|[A-Za-z0-9.-]{1,253})";
    private static final Pattern HOST_PORT = Pattern.compile(HOST + ":(\\d{1,5})");
    private static final Pattern URL = Pattern.compile("(https?)://" + HOST + "(?::(\\d{1,5}))?");

    /**
     * @throws IllegalArgumentException when the address is invalid
     */
    public HttpAddress {
        host = host.toLowerCase(Locale.ROOT);
        if (!scheme.equals("http") && !scheme.equals("https")) {
            throw new IllegalArgumentException("neither http nor https: " + scheme);
        }
        if (port < 1 || port > 0xffff || !isHost(host)) {
            throw new IllegalArgumentException(
                    "not a host with a port between 1 and 65535: %s:%d".formatted(host, port));
        }
    }

    /**
     * Parses {@code HOST:PORT}, or {@code [ADDRESS]:PORT} for IPv6; reached over http.
     *
     * @throws IllegalArgumentException when it is not of that form
     */
    public static HttpAddress ofHostPort(String text) {
        Matcher matcher = HOST_PORT.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "'%s' is not of the form HOST:PORT".formatted(shown(text)));
        }
        return new HttpAddress(
                "http", unbracketed(matcher.group(1)), Integer.parseInt(matcher.group(2)));
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
                    "'%s' is not of the form http://HOST:PORT".formatted(shown(text)));
        }
        String scheme = matcher.group(1);
        String port = matcher.group(3);
        int defaultPort = scheme.equals("http") ? 80 : 443;
        return new HttpAddress(
                scheme,
                unbracketed(matcher.group(2)),
                port == null ? defaultPort : Integer.parseInt(port));
    }

    /** The text may be untrusted: no line breaks for the log, and limited in length. */
    private static String shown(String text) {
        String start = text.substring(0, Math.min(text.length(), 100));
        return start.replaceAll("[^ -~]", "?");
    }

    private static String unbracketed(String host) {
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    private static boolean isHost(String host) {
        try {
            return URI.create("http://" + bracketed(host) + ":1").getHost() != null;
        } catch (IllegalArgumentException _) {
            return false;
        }
    }

    private static String bracketed(String host) {
        return host.contains(":") ? "[" + host + "]" : host;
    }

    /**
     * @param path begins with a slash; may have a query
     */
    URI resolve(String path) {
        return URI.create(this + path);
    }

    /** HOST:PORT, an IPv6 address in brackets. */
    public String hostPort() {
        return bracketed(host) + ":" + port;
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
