package io.tidemark.query.http.access;

import io.tidemark.authorization.Caller;
import io.tidemark.authorization.RequestAttributes;
import io.tidemark.authorization.RequestAttributes.NonResourceRequest;
import io.tidemark.authorization.RequestAttributes.ResourceRequest;
import io.tidemark.serving.status.StatusException;
import io.tidemark.serving.status.StatusException.FailureStatus;
import java.util.List;
import java.util.Map;

/** The errors of requests that may not be served, in the API server's words. */
public final class AccessErrors {
    /** Empty {@code details}, which the API server writes too. */
    private static final Map<String, String> NO_DETAILS = Map.of("", "");

    private AccessErrors() {}

    /** 401: no credentials, or wrong ones. Which of them is not said. */
    public static StatusException unauthorized() {
        return new StatusException(new FailureStatus(401, "Unauthorized", "Unauthorized"));
    }

    /**
     * 403.
     *
     * @param reason of the decision; may be empty
     */
    public static StatusException forbidden(
            Caller caller, RequestAttributes request, String reason) {
        Map<String, String> details =
                switch (request) {
                    case ResourceRequest asked ->
                            Map.of(
                                    "name", asked.name(),
                                    "group", asked.apiGroup(),
                                    "kind", asked.resource());
                    case NonResourceRequest _ -> NO_DETAILS;
                };
        return new StatusException(
                new FailureStatus(
                        403,
                        "Forbidden",
                        request.forbidden(caller, reason),
                        details,
                        List.of(),
                        0,
                        ""));
    }

    /** 503: who asks, or whether they may, cannot be found out now. The log says why. */
    public static StatusException unavailable(String what) {
        return new StatusException(
                new FailureStatus(
                        503,
                        "ServiceUnavailable",
                        what + " is not possible now",
                        NO_DETAILS,
                        List.of(),
                        1,
                        ""));
    }
}
