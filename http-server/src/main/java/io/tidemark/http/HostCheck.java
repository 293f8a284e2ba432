package io.tidemark.http;

import java.util.ArrayList;
import java.util.List;
import org.eclipse.jetty.http.BadMessageException;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.Request;

/**
 * Rejects requests, including upgrades to WebSockets, with a Host name that is not allowed. A
 * request without Host passes: HTTP/1.1 requires one, so only HTTP/1.0 comes without, which no
 * browser speaks, but load balancers do for their health checks.
 */
final class HostCheck implements HttpConfiguration.Customizer {
    private static final int MAX_SHOWN = 100;

    private final AllowedHosts allowed;

    /** The last one that passed: most requests name the same, and parsing it takes time. */
    private volatile String passed = "";

    HostCheck(AllowedHosts allowed) {
        this.allowed = allowed;
    }

    @Override
    public Request customize(Request request, HttpFields.Mutable responseHeaders) {
        List<String> called = new ArrayList<>(request.getHeaders().getValuesList(HttpHeader.HOST));
        HttpURI target = request.getHttpURI();
        if (target.isAbsolute() && target.getAuthority() != null) {
            called.add(target.getAuthority()); // Takes precedence over Host, by RFC 9112.
        }
        for (String authority : called) {
            if (authority.isEmpty() || authority.equals(passed)) {
                continue;
            }
            if (!allowed.allows(authority)) {
                throw new BadMessageException(403, refusal(authority));
            }
            passed = authority;
        }
        return request;
    }

    private static String refusal(String authority) {
        String host = AllowedHosts.hostOf(authority);
        String shown = (host == null ? authority : host).replaceAll("[^\\x21-\\x7e]", "?");
        return "the host name '%s' is not one of this server's; call it by its IP address, or start it with --allowed-host NAME"
                .formatted(shown.substring(0, Math.min(MAX_SHOWN, shown.length())));
    }
}
