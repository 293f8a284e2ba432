package io.tidemark.query.audit;

import java.time.Instant;
import java.util.List;

/**
 * What the audit log tells of a request besides its caller and what it asks for.
 *
 * @param uri path and parameters as in the request line
 * @param sources addresses of the client, the last proxy's last
 * @param userAgent empty without one
 * @param received when its head had arrived
 */
public record AuditedRequest(String uri, List<String> sources, String userAgent, Instant received) {
    public AuditedRequest {
        sources = List.copyOf(sources);
    }
}
