package io.tidemark.http;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The Host names that a server accepts. A web page can make its own name resolve to this server's
 * address (DNS rebinding), and the browser then lets it read every answer; but the browser still
 * sends the page's name as Host, and that name is not on the list. IP addresses are always allowed:
 * an address is not looked up, so it cannot be rebound.
 *
 * @param names in lower case, without a port and without a final dot
 */
public record AllowedHosts(Set<String> names) {
    private static final String LOOPBACK = "localhost";
    private static final Pattern NAME = Pattern.compile("[a-z0-9_]([a-z0-9._-]{0,251}[a-z0-9_])?");
    private static final Pattern AUTHORITY =
            Pattern.compile("(\\[[0-9a-fA-F:.]{2,45}]|[^:@\\[\\]/\\s]+)(?::\\d{0,5})?");
    private static final Pattern IPV6 =
            Pattern.compile("\\[?[0-9a-fA-F]*:[0-9a-fA-F:.]*:[0-9a-fA-F:.]*(%[^\\]]*)?]?");
    private static final String OCTET = "(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
    private static final Pattern IPV4 =
            Pattern.compile(OCTET + "\\." + OCTET + "\\." + OCTET + "\\." + OCTET);

    public AllowedHosts {
        names = Set.copyOf(names);
    }

    /**
     * This machine's loopback name, and the names among the given hosts.
     *
     * @param hosts that the server listens on or advertises; addresses among them change nothing
     */
    public static AllowedHosts of(String... hosts) {
        return new AllowedHosts(Set.of(LOOPBACK)).and(List.of(hosts));
    }

    /**
     * Adds names.
     *
     * @param hosts names without a port; addresses among them change nothing
     * @throws IllegalArgumentException if one is neither a name nor an address
     */
    public AllowedHosts and(Collection<String> hosts) {
        Set<String> all = new HashSet<>(names);
        for (String host : hosts) {
            String name = normal(host.strip());
            if (NAME.matcher(name).matches()) {
                all.add(name);
            } else if (!IPV6.matcher(host.strip()).matches()) {
                throw new IllegalArgumentException(
                        "'%s' is not a host name without a port, such as node.example.com"
                                .formatted(host));
            }
        }
        return new AllowedHosts(all);
    }

    /**
     * Whether the server accepts this name.
     *
     * @param authority as in the header Host: a name or an address, with or without a port
     */
    public boolean allows(String authority) {
        String host = hostOf(authority);
        return host != null
                && (host.startsWith("[")
                        || IPV4.matcher(host).matches()
                        || names.contains(normal(host)));
    }

    /** The authority's name or address; null when it has none. */
    static @Nullable String hostOf(String authority) {
        Matcher matcher = AUTHORITY.matcher(authority.strip());
        return matcher.matches() ? matcher.group(1) : null;
    }

    private static String normal(String host) {
        String lower = host.toLowerCase(Locale.ROOT);
        return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
    }
}
