package io.tidemark.query.http;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Which pages of a browser may open a WebSocket here. A browser lets any page open one anywhere,
 * and only tells which page it is; what else a page reads from another host it keeps from it. So a
 * page is answered only where it comes from this host itself. Other clients send no origin, or the
 * address that they call.
 */
final class RequestOrigin {
    private RequestOrigin() {}

    /**
     * @param origin the header Origin; empty when absent
     * @param hosts by which the client may have called this server, such as {@code node:8080}: a
     *     page cannot choose the headers they are taken from
     */
    static boolean isAllowed(String origin, List<String> hosts) {
        if (origin.isEmpty()) {
            return true;
        }
        URI page = parsed(origin);
        if (page == null || page.getHost() == null || page.getScheme() == null) {
            return false; // "null" is what sandboxed pages and local files send.
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
