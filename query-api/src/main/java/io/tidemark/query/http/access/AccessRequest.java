package io.tidemark.query.http.access;

import io.tidemark.authentication.Credentials;
import io.tidemark.authorization.Caller;
import io.tidemark.authorization.RequestAttributes;
import io.tidemark.query.audit.RequestAudit;
import java.util.List;
import java.util.Map;

/**
 * What is judged of a request.
 *
 * @param impersonation the values of the {@code Impersonate-} headers by their lower-case names
 * @param demands what the caller must be allowed, all of it; the first names the request
 * @param audit records the caller and the decision
 * @param arrival lets the request take its turn
 */
public record AccessRequest(
        Credentials credentials,
        Map<String, List<String>> impersonation,
        List<RequestAttributes> demands,
        RequestAudit audit,
        AccessRequest.Arrival arrival) {
    /** Called when it is known who the request is served as, before that is authorized. */
    @FunctionalInterface
    public interface Arrival {
        /**
         * Waits until it is this caller's turn; may be called again for one request.
         *
         * @throws io.tidemark.serving.status.StatusException 429 when it does not come
         */
        void of(Caller caller) throws InterruptedException;
    }

    public AccessRequest {
        impersonation = Map.copyOf(impersonation);
        demands = List.copyOf(demands);
        if (demands.isEmpty()) {
            throw new IllegalArgumentException("a request without anything to judge");
        }
    }
}
