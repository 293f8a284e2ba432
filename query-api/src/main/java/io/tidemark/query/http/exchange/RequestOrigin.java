package io.tidemark.query.http.exchange;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Decides which browser pages may open a WebSocket. Browsers do not apply the same-origin policy to
 * WebSockets but only send the page's origin, so only pages from this host are allowed. Other
 * clients send no Origin, or the address that they call.
 */
public final class RequestOrigin {
    private RequestOrigin() {}

    /**
     * @param origin the header Origin; empty when absent
     * @param hosts hosts by which the client may have called this server, such as {@code
     *     node:8080}; they come from headers that a page cannot set
     */
    public static boolean isAllowed(String origin, List<String> hosts) {
        if (origin.isEmpty()) {
            return true;
        }
        URI page = parsed(origin);
        if (page == null || page.getHost() == null || page.getScheme() == null) {
            return false; // Sandboxed pages and local files send "null".
        }
        String scheme = page.getScheme().toLowerCase(Locale.ROOT);
        String called = authority(page, scheme);
        return hosts.stream()
                .map(host -> parsed(scheme + "://" + host.strip()))
                .anyMatch(host ->
                        host != null
                                && host.getHost() != null
                                && authority(host, scheme).equals(called));
    }

    private static String authority(URI uri, String scheme) {
        boolean secure = scheme.equals("https") || scheme.equals("wss");
        int port = uri.getPort() >= 0 ? uri.getPort() : secure ? 443 : 80;
        return uri.getHost().toLowerCase(Locale.ROOT) + ":" + port;
    }

    private static @Nullable URI parsed(String text) {
        try {
            return new URI(text);
        } catch (URISyntaxException _) {
            return null;
        }
    }
}
