package io.tidemark.bench.http;

import java.net.URI;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * A server to measure.
 *
 * @param name unique among the servers of a run
 * @param base http or https, with a host; the path is ignored
 * @param token bearer token; null for none
 * @param tls used for https
 * @param process the server's process on this machine; 0 when its use is not measured
 */
public record Target(String name, URI base, @Nullable String token, SSLContext tls, long process) {
    boolean isTls() {
        return base.getScheme().equals("https");
    }

    int port() {
        int port = base.getPort();
        return port >= 0 ? port : isTls() ? 443 : 80;
    }
}
